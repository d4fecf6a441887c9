"""Make the locks that the installer keeps to: every wheel that goes onto a Pi, by version and checksum.

    make lock

asks pip what the dependencies of pyproject.toml come to on each release of Raspberry Pi OS, without installing any of
it, and writes `locks/RELEASE.txt`, `locks/RELEASE-oled.txt` for what an OLED needs besides, and
`locks/RELEASE-club.txt` for a broker. Only wheels of PyPI itself count: no other index, no folder, nothing that would
have to be built on the Pi.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
LOCKS = Path(__file__).resolve().parent / "locks"
OLDEST_GLIBC = 17
"""Of 2.17: older wheels than those of manylinux2014 are not made for this processor."""
FROM_APT = ("numpy",)
"""What the system's packages bring, picamera2 built for it: pip takes what goes with it, and leaves it alone."""
WIDER = {"opencv-python-headless": ("numpy",)}
"""Requirements that wheels state more narrowly than they mean them: by name, what is not asked about.

OpenCV from 4.12 on asks for numpy 2, but a module that was built with numpy 2 also loads beside numpy 1.19 and newer
(numpy's documentation, "NumPy 2.0 migration guide"), and OpenCV 4.11 can be made to write where it must not by a JPEG
file (CVE-2025-53644). The tests of Bookworm's libraries (`make test-pi`) run with both together.
"""
EXTRAS = ("oled", "club", "heic")


@dataclass(frozen=True, slots=True)
class Release:
    """A release of Raspberry Pi OS, 64 bits: its Python, the numpy of its apt, the minor version of its glibc 2."""

    name: str
    python: str
    numpy: str
    glibc: int

    @property
    def platforms(self) -> list[str]:
        """The tags of wheels that run there, the newest first."""
        return [f"manylinux_2_{minor}_aarch64" for minor in range(self.glibc, OLDEST_GLIBC - 1, -1)]

    @property
    def markers(self) -> dict[str, str]:
        """What conditions of requirements mean there; pip itself takes those of the machine it runs on."""
        return {
            "python_version": self.python,
            "python_full_version": f"{self.python}.2",
            "implementation_name": "cpython",
            "platform_python_implementation": "CPython",
            "platform_machine": "aarch64",
            "platform_system": "Linux",
            "sys_platform": "linux",
            "os_name": "posix",
            "extra": "",
        }


RELEASES = (Release("bookworm", "3.11", "1.24.2", 36), Release("trixie", "3.13", "2.2.4", 41))


@dataclass(frozen=True, slots=True)
class Wheel:
    """One file to install, and what it needs itself."""

    name: str
    version: str
    sha256: str
    needs: tuple[Requirement, ...]


def wanted(extra: str = "") -> list[str]:
    """What pyproject.toml asks for, as written: the dependencies and what builds the program, or those of an extra."""
    tables = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    if extra:
        return [str(one) for one in tables["project"]["optional-dependencies"][extra]]
    return [str(one) for one in (*tables["project"]["dependencies"], *tables["build-system"]["requires"])]


def resolved(release: Release, requirements: Sequence[str]) -> dict[str, Wheel]:
    """Every wheel that the requirements come to there, by name; raises RuntimeError where pip finds no way."""
    asked = list(requirements)
    while True:
        wheels = {wheel.name: wheel for wheel in map(_wheel, _chosen(release, asked))}
        missing = [text for text in _needed(release, wheels.values()) if not _met(Requirement(text), wheels)]
        if not missing:
            return wheels
        if set(missing) <= set(asked):
            raise RuntimeError(f"{release.name}: expected wheels that fit together, found none for: {missing}")
        asked += missing  # needed there, but not on the machine that this runs on


def _chosen(release: Release, requirements: Sequence[str]) -> list[dict[str, Any]]:
    """What pip would install there; what is stated too narrowly is asked for by itself."""
    alone = [text for text in requirements if canonicalize_name(Requirement(text).name) in WIDER]
    others = [text for text in requirements if text not in alone]
    found = _report(release, others)["install"]
    return [*found, *(_report(release, alone, "--no-deps")["install"] if alone else ())]


def _report(release: Release, requirements: Sequence[str], *options: str) -> dict[str, Any]:
    """What pip reports of an installation there."""
    environ = {name: value for name, value in os.environ.items() if name not in
               ("PIP_FIND_LINKS", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_CONSTRAINT")}  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [
            *(sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed", *options),
            *("--target", str(Path(folder) / "none"), "--report", str(report)),
            *("--only-binary=:all:", "--implementation", "cp", "--python-version", release.python),
            *(word for platform in release.platforms for word in ("--platform", platform)),
            *(f"numpy=={release.numpy}", *requirements),
        ]
        # No settings of pip's: Raspberry Pi OS sets an extra index there, other machines others.
        done = subprocess.run(  # noqa: S603
            command, capture_output=True, text=True, check=False, env={**environ, "PIP_CONFIG_FILE": os.devnull}
        )
        if done.returncode:
            raise RuntimeError(f"{release.name}: {(done.stderr.strip().splitlines() or ['pip failed'])[-1]}")
        found: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
        return found


def _wheel(found: Mapping[str, Any]) -> Wheel:
    metadata, source = found["metadata"], found["download_info"]
    name = canonicalize_name(metadata["name"])
    if not source["url"].endswith(".whl") or "sha256" not in source["archive_info"].get("hashes", {}):
        raise RuntimeError(f"{name}: expected a wheel with a checksum, found {source['url']}")
    needs = tuple(Requirement(text) for text in metadata.get("requires_dist", ()))
    return Wheel(name, metadata["version"], source["archive_info"]["hashes"]["sha256"], needs)


def _needed(release: Release, wheels: Iterable[Wheel]) -> list[str]:
    """What the wheels need on that release, without conditions."""
    needs = [need for wheel in wheels for need in wheel.needs if need.name not in WIDER.get(wheel.name, ())]
    counting = [need for need in needs if need.marker is None or need.marker.evaluate(release.markers)]
    return sorted({f"{need.name}{need.specifier}" for need in counting})


def _met(need: Requirement, wheels: Mapping[str, Wheel]) -> bool:
    wheel = wheels.get(canonicalize_name(need.name))
    return wheel is not None and need.specifier.contains(wheel.version, prereleases=True)


def text_of(release: Release, wheels: Iterable[Wheel], asked: Sequence[str]) -> str:
    """The lock as pip reads it, with what it was made for above."""
    lines = [
        f"# Made by `make lock` for Raspberry Pi OS {release.name.capitalize()}, 64 bits; not edited by hand.",
        f"# python {release.python}",
        f"# numpy {release.numpy} from apt",
        *(f"# wanted: {one}" for one in asked),
    ]
    for wheel in sorted(wheels, key=lambda one: one.name):
        lines += [f"{wheel.name}=={wheel.version} \\", f"    --hash=sha256:{wheel.sha256}"]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Write every lock; 1 where one cannot be made, and nothing is written then."""
    files = {}
    try:
        for release in RELEASES:
            plain = resolved(release, wanted())
            files[f"{release.name}.txt"] = text_of(release, _ours(plain), wanted())
            for extra in EXTRAS:
                # What both need is taken as it is locked already.
                pinned = [f"{wheel.name}=={wheel.version}" for wheel in plain.values()]
                both = resolved(release, [*pinned, *wanted(extra)])
                more = [wheel for wheel in _ours(both) if wheel.name not in plain]
                files[f"{release.name}-{extra}.txt"] = text_of(release, more, wanted(extra))
    except RuntimeError as error:
        sys.stderr.write(f"lock.py: {error}\n")
        return 1
    LOCKS.mkdir(exist_ok=True)
    for name, text in files.items():
        (LOCKS / name).write_text(text, encoding="utf-8")
        sys.stdout.write(f"{name}: {text.count('--hash=')} wheels\n")
    return 0


def _ours(wheels: Mapping[str, Wheel]) -> list[Wheel]:
    return [wheel for wheel in wheels.values() if wheel.name not in FROM_APT]


if __name__ == "__main__":
    sys.exit(main())
