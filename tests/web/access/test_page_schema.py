"""Everything that the page takes, tried out by schemathesis against a real server, after the page's own document."""

import importlib.util
import json
import subprocess
import sys

import pytest
from guarded import house
from starlette.routing import Route

from referee.journal.opening import open_journal
from referee.web.commands.endpoint import COMMANDS

EXAMPLES = {"everything": 12, "nothing": 3}
PATIENCE_S = 600


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("home")
    open_journal(folder).journal.close()
    with house(folder, reading="pin") as made:
        yield made


def test_the_document_tells_of_every_operation_and_every_command(home):
    session = home.cookie()
    told = json.loads(home.ask("/api/openapi.json", Cookie=session)[2])
    routes = {
        route.path_format
        for route in home.server._app.routes
        if isinstance(route, Route) and route.path.startswith("/api/")
    } | {"/scores.{kind}", "/scores/players.{kind}", "/scores/{match}.{kind}"}
    assert set(told["paths"]) == routes - {"/api/stream"}
    commands = told["paths"]["/api/command"]["post"]["requestBody"]["content"]["application/json"]["schema"]["oneOf"]
    assert {one["properties"]["command"]["const"] for one in commands} == set(COMMANDS)


@pytest.mark.page
@pytest.mark.skipif(importlib.util.find_spec("schemathesis") is None, reason="schemathesis is not installed")
@pytest.mark.parametrize("may", list(EXAMPLES))
def test_nothing_that_is_sent_makes_it_fail_or_answer_otherwise_than_it_says(home, tmp_path, may):
    file = tmp_path / "openapi.json"
    session = home.cookie()
    file.write_text(home.ask("/api/openapi.json", Cookie=session)[2])
    command = [sys.executable, "-m", "schemathesis.cli", "run", str(file), "--url", f"http://{home.host}",
               "--checks", "all", "--max-examples", str(EXAMPLES[may]), "--request-timeout", "60", "--no-color",
               "--generation-database", "none", "--warnings", "off"]  # fmt: skip
    # Whoever may do nothing is not told which methods there are.
    command += (
        ["--header", f"Cookie: {session}"] if may == "everything" else ["--exclude-checks", "unsupported_method"]
    )
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE_S, check=False)  # noqa: S603
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert "No issues found" in done.stdout
