"""All that a page takes, tried out by schemathesis against the real server, after the page's own document."""

import importlib.util
import subprocess
import sys

from starlette.routing import Route

MISSING = importlib.util.find_spec("schemathesis") is None
PATIENCE_S = 600
DOCUMENT = "/api/openapi.json"
# A text that is longer than allowed may be larger than a whole request: too large is a proper refusal, too.
CONFIGURATION = """
[checks]
negative_data_rejection.expected-statuses = [400, 401, 403, 404, 405, 408, 409, 413, 415, 421, 422, 429, 503, 507]
"""


def tried_out(home, folder, examples: int, *, everything: bool) -> None:
    """Fails with what is not as the document says; `everything`: by somebody who has told the PIN."""
    file, session = folder / "openapi.json", home.cookie()
    file.write_text(home.ask(DOCUMENT, Cookie=session)[2])
    (folder / "schemathesis.toml").write_text(CONFIGURATION)
    command = [sys.executable, "-m", "schemathesis.cli", "run", str(file), "--url", f"http://{home.host}",
               "--checks", "all", "--max-examples", str(examples), "--request-timeout", "60", "--no-color",
               "--generation-database", "none", "--warnings", "off"]  # fmt: skip
    # Whoever may do nothing is not told which methods there are.
    command += ["--header", f"Cookie: {session}"] if everything else ["--exclude-checks", "unsupported_method"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE_S, check=False)  # noqa: S603
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert "No issues found" in done.stdout


def paths_of(home) -> set[str]:
    """The routes below /api that the document must tell of: all but the stream."""
    routes = (route for route in home.server.app.routes if isinstance(route, Route))
    return {route.path_format for route in routes if route.path.startswith("/api/")} - {"/api/stream"}


def commands_of(told) -> set[str]:
    """The commands that a document tells of."""
    schema = told["paths"]["/api/command"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    return {one["properties"]["command"]["const"] for one in schema["oneOf"]}
