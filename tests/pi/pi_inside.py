"""Commands inside a root, and what they say."""

import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pi_roots import HERE, PROJECT

BASH = "/bin/bash"
LONGEST_S = 3000
"""A command that takes longer hangs, even on an emulated processor of a busy machine."""


@dataclass(frozen=True)
class Inside:
    """A system in a folder, with the project in /code, pictures in /scenes and room for what is made in /work."""

    root: Path
    work: Path
    scenes: Path
    environ: Mapping[str, str]
    emulator: tuple[str, ...] = ()
    mounts: Mapping[str, Path] = field(default_factory=dict)
    _known: dict[tuple[object, ...], dict[str, Any]] = field(default_factory=dict, init=False)

    def run(self, *command: str, **environ: str) -> subprocess.CompletedProcess[str]:
        """Run a command; its environment is this one and `environ`, with nothing of the machine's own."""
        places = {"/code": PROJECT, "/work": self.work, "/scenes": self.scenes, **self.mounts}
        binds = [f"{outside}:{within}" for within, outside in places.items()]
        values = {"PATH": "/venv/bin:/usr/bin:/bin", "HOME": "/root", "LANG": "C.UTF-8", **self.environ, **environ}
        given = [f"{name}={value}" for name, value in values.items()]
        # Where all is emulated, `env` could start nothing: the machine itself runs one program in there only.
        each = (part for one in given for part in ("-E", one))
        entered = [*self.emulator, *each] if self.emulator else ["/usr/bin/env", *given]
        return subprocess.run(  # noqa: S603
            [BASH, str(HERE / "inside.sh"), str(self.root), *binds, "--", *entered, *command],
            capture_output=True, text=True, check=False, timeout=LONGEST_S, stdin=subprocess.DEVNULL,
        )  # fmt: skip

    def facts(self, *command: str, **environ: str) -> dict[str, Any]:
        """What a command that must succeed tells in its last line, as JSON; asked again it is not run again."""
        asked = command, *sorted(environ.items())
        if asked in self._known:
            return self._known[asked]
        done = self.run(*command, **environ)
        assert done.returncode == 0, f"{command} ended with {done.returncode}\n{done.stdout}\n{done.stderr}"
        found = json.loads(done.stdout.splitlines()[-1])
        assert isinstance(found, dict)
        self._known[asked] = found
        return found
