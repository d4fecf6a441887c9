"""Other systems in folders: made once by a recipe, kept outside the checkout, made anew when the recipe changes.

A root lies under a name that holds the sum of all it is made from. It is made under another name, and gets its own in
one step when it is whole: whoever is stopped in the midst of it leaves nothing that could be taken for a root.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).parents[2]
HERE = Path(__file__).parent
OLDEST, NEWEST = "0.3.22", "0.3.38"
"""The picamera2 that are supported."""
CANNOT_BE_HAD = 75
"""With this code a recipe says that this machine cannot give what it needs."""
UNUSED_S = 30 * 24 * 3600.0
"""Roots of other recipes, as of another branch, are kept so long."""


class UnavailableError(Exception):
    """This machine cannot make the root; no fault of the project."""


@dataclass(frozen=True)
class Recipe:
    """A script that makes a root in the folder that it is given first; `parts` are files that it uses besides."""

    name: str
    script: Path
    parts: tuple[Path, ...] = ()
    arguments: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The sum of all that the root is made from."""
        found = hashlib.sha256()
        for path in (self.script, *self.parts):
            found.update(path.read_bytes() + b"\0")
        found.update("\0".join(self.arguments).encode())
        return found.hexdigest()[:16]


def cache() -> Path:
    """Where roots are kept."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "referee-pi"


def requirements() -> tuple[str, ...]:
    """What the project itself needs, as pip takes it."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return tuple(project["dependencies"])


def made(recipe: Recipe, folder: Path) -> Path:
    """The root of this recipe below `folder`; made now where it is not there yet."""
    folder.mkdir(parents=True, exist_ok=True)
    root = folder / f"{recipe.name}-{recipe.key}"
    with _alone(folder / f"{recipe.name}.lock"):
        if not root.is_dir():
            _make(recipe, root)
        os.utime(root)
        for other in _unused(folder, recipe.name, root):
            shutil.rmtree(other)
    return root


def why_not() -> str | None:
    """Why this machine can make and enter no roots; None where it can."""
    if os.environ.get("REFEREE_TEST_PI") != "1":
        return "run by make test-pi"
    if os.geteuid() != 0:
        return "only root may mount and enter another system"
    for tool in ("unshare", "apt-get", "dpkg-deb", "bash"):
        if shutil.which(tool) is None:
            return f"{tool} is not installed"
    if os.uname().machine != "x86_64":
        return f"the recipes are for x86-64, this is {os.uname().machine}"
    command = ["unshare", "--mount", "--pid", "--fork", "bash", "-c", "mount -t tmpfs tmpfs /mnt"]
    tried = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    return None if tried.returncode == 0 else f"nothing can be mounted here: {tried.stderr.strip()}"


def _make(recipe: Recipe, root: Path) -> None:
    part = root.with_name(f"{root.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir()
    try:
        _cook(recipe, part)
        part.rename(root)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _cook(recipe: Recipe, part: Path) -> None:
    command: Sequence[str] = ("bash", str(recipe.script), str(part), *recipe.arguments)
    done = subprocess.run(  # noqa: S603
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        env={**os.environ, "PYTHON": sys.executable},
    )  # fmt: skip
    told = "\n".join(done.stdout.splitlines()[-15:])
    if done.returncode == CANNOT_BE_HAD:
        raise UnavailableError(f"the {recipe.name} root cannot be made here: {told.splitlines()[-1] if told else '?'}")
    if done.returncode != 0:
        raise RuntimeError(f"{recipe.script} ended with {done.returncode}:\n{told}")


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Let nobody else make the same root meanwhile; they wait until it is there."""
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _unused(folder: Path, name: str, root: Path) -> list[Path]:
    before = time.time() - UNUSED_S
    return [one for one in folder.glob(f"{name}-*") if one != root and one.is_dir() and one.stat().st_mtime < before]
