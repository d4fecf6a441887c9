"""Makes the bundle of this version, one signed file from which a Raspberry Pi installs it without the internet.

    python -m tools.card_bundle OUT --key KEY        # or make card-bundle OUT=FILE KEY=KEY

KEY is a private key of OpenSSH, such as `ssh-keygen -t ed25519 -f release-key` makes. The wheels are those of the
locks, for both releases of Raspberry Pi OS, by their checksums; pip fetches them, or finds them in the folder WHEELS.

Beside OUT, the folders `card/bookworm` and `card/trixie` are made: what is copied to the boot partition of a new card,
with a bundle for that release alone, which also has the program as a wheel and its help, so that the Pi need not make
them. PACKAGES is a folder that `tools/card_packages.sh` has made on a Pi, with the
packages that Raspberry Pi OS Lite lacks; without them the first start fetches those over the internet.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import io
import json
import lzma
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from packaging.utils import parse_wheel_filename
from packaging.version import Version

ROOT = Path(__file__).resolve().parent.parent
MOST_BYTES = 150_000_000
"""A bundle must come over a slow line, and fit a small stick."""
PARTS = ("referee", "models", "calibration", "tools", "systemd", "pyproject.toml", "setup.py", "README.md", "LICENSE")
LEFT_OUT = ("__pycache__", ".mo", ".pyc", ".md")
BUILT = ("referee", "pyproject.toml", "setup.py", "README.md", "LICENSE", "tools/__init__.py", "tools/catalogues.py")
"""What the wheel of the program is built from: networks and lenses are installed beside it."""
UNPACKED = ("systemd/install.sh", "systemd/unpack.py")
"""What unpacks everything else."""
ARCHIVE = "program.tar.xz"
WINDOW_BYTES = 32 << 20
"""How far back xz looks for what it has seen already: further than the largest of the wheels that are packed."""
EXTRAS = ("oled", "club", "heic")
CARD = ROOT / "systemd" / "card"
_LOCKED = re.compile(r"^([a-z0-9-]+)==(\S+)", re.MULTILINE)
IN_THE_FOLDER = ("begin.sh", "referee-card.service", "referee.toml")
BESIDE = {"bookworm": "firstrun.sh", "trixie": "vendor-data"}
"""What the release runs at its first start."""
MAIN = "import sys\n\nfrom first_start.__main__ import main\n\nsys.exit(main(sys.argv[1:]))\n"
HOTSPOT = (
    'Rename this file to "hotspot" if the Pi is to open a Wi-Fi of its own where it knows none.\r\n'
    'Benenne diese Datei in "hotspot" um, wenn der Pi ein eigenes WLAN anbieten soll, wo er keines kennt.\r\n'
    'Renomme ce fichier en "hotspot" si le Pi doit ouvrir son propre Wi-Fi là où il n\'en connaît aucun.\r\n'
    'Rinomina questo file in "hotspot" se il Pi deve aprire un Wi-Fi suo dove non ne conosce nessuno.\r\n'
)


def _module(path: Path, name: str) -> Any:
    """Load a module of the folder systemd, which is no package."""
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(f"expected a module, found none ({path})")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def program_files() -> dict[str, Path]:
    """Return all files that the installer needs, by their name in the bundle."""
    found = {}
    for part in PARTS:
        path = ROOT / part
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            name = file.relative_to(ROOT).as_posix()
            if (
                file.is_file()
                and (name == "README.md" or not name.endswith(LEFT_OUT[1:]))
                and "__pycache__" not in name
            ):
                found[name] = file
    return found


def version() -> str:
    """Return the name of this version, as the installer makes it."""
    command = ["bash", "-c", 'source "$0/systemd/install.sh"; version_name "$(fingerprint)"', str(ROOT)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603


def fetch_wheels(release: Any, folder: Path) -> list[Path]:
    """Let pip fetch the wheels of the locks of a release, each by its checksum, and return them."""
    into = folder / release.name
    into.mkdir(parents=True, exist_ok=True)
    environ = {name: value for name, value in os.environ.items() if name not in
               ("PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL", "PIP_CONSTRAINT")}  # fmt: skip
    names = (release.name, *(f"{release.name}-{extra}" for extra in EXTRAS))
    locks = [ROOT / "systemd/locks" / f"{name}.txt" for name in names]
    wanted = {(name, Version(version)) for lock in locks for name, version in _LOCKED.findall(lock.read_text("utf-8"))}
    for lock in locks:
        command = [
            *(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--require-hashes"),
            *("--only-binary=:all:", "--no-deps", "--implementation", "cp", "--python-version", release.python),
            *(word for platform in release.platforms for word in ("--platform", platform)),
            *("--find-links", str(into), "--requirement", str(lock), "--dest", str(into)),
        ]
        subprocess.run(command, check=True, env={**environ, "PIP_CONFIG_FILE": os.devnull})  # noqa: S603
    # The folder may hold others, of earlier locks.
    return sorted(path for path in into.glob("*.whl") if parse_wheel_filename(path.name)[:2] in wanted)


def build_wheel(folder: Path) -> Path:
    """Build the wheel of the program below a folder, as the installer would, and return it."""
    source = folder / "source"
    for part in BUILT:
        target = source / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, target, ignore=shutil.ignore_patterns("__pycache__", "*.mo"))
        else:
            shutil.copyfile(ROOT / part, target)
    command = [
        *(sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps"),
        *("--no-build-isolation", "--wheel-dir", str(folder), str(source)),
    ]
    subprocess.run(command, check=True)  # noqa: S603
    shutil.rmtree(source)
    return next(folder.glob("referee-*-py3-none-any.whl"))


def write_help(folder: Path) -> dict[str, Path]:
    """Write the manual page and the scripts of shells below a folder; return them by their names in the bundle."""
    command = [sys.executable, "-m", "tools.manual", str(folder / "share" / "referee.1"), "--completion"]
    subprocess.run(command, check=True, cwd=ROOT)  # noqa: S603
    return {f"share/{path.name}": path for path in sorted((folder / "share").iterdir())}


def packages_of(folder: Path | None, release: str) -> dict[str, Path]:
    """Return the Debian packages for a release, by their names in the bundle."""
    found = [] if folder is None else sorted((folder / release).rglob("*.deb"))
    return {f"packages/{path.relative_to(folder).as_posix()}": path for path in found if folder is not None}


def make_bundle(
    out: Path,
    key: Path,
    wheels: Mapping[str, Sequence[Path]],
    packages: Mapping[str, Mapping[str, Path]] | None = None,
    made: Mapping[str, Path] | None = None,
) -> int:
    """Write a bundle with the wheels, and the Debian packages, of each release; return its size in bytes.

    `made` are files that the installer would have to make otherwise, by their names in the bundle.
    """
    bundle = _module(ROOT / "systemd" / "updater" / "bundle.py", "bundle_of_the_updater")
    program = program_files() | dict(made or {})
    files = {name: program.pop(name) for name in UNPACKED if name in program}
    for named in (packages or {}).values():
        files |= named
    packed = alike(wheels)
    of_release = {
        name: [f"wheels/{path.name}" for path in paths if path not in packed] for name, paths in wheels.items()
    }
    files |= {f"wheels/{path.name}": path for paths in wheels.values() for path in paths if path not in packed}
    for name, paths in wheels.items():
        program |= {f"wheels/{name}/{path.name}": path for path in paths if path in packed}
    with tempfile.TemporaryDirectory() as folder:
        if program:
            files[ARCHIVE] = pack(program, Path(folder) / ARCHIVE)
        manifest = {
            "version": version(),
            "wheels": of_release,
            "packages": {name: sorted(named) for name, named in (packages or {}).items()},
            "files": {name: (path.stat().st_size, _checksum(path)) for name, path in sorted(files.items())},
        }
        data = json.dumps(manifest, indent=1).encode()
        unfinished = out.with_name(f".{out.name}.part")
        with tarfile.open(unfinished, "w", format=tarfile.PAX_FORMAT) as tar:
            for name, content in ((bundle.MANIFEST, data), (bundle.SIGNATURE, sign(data, key, bundle.NAMESPACE))):
                tar.addfile(_member(name, len(content)), io.BytesIO(content))
            _add(tar, files, sorted(files))
    unfinished.replace(out)
    return out.stat().st_size


def alike(wheels: Mapping[str, Sequence[Path]]) -> set[Path]:
    """Return the wheels that several releases need in the same version, each in a build of its own."""
    builds: dict[tuple[str, ...], dict[str, list[Path]]] = {}
    for path in (path for paths in wheels.values() for path in paths):
        project = tuple(path.name.split("-")[:2])
        builds.setdefault(project, {}).setdefault(path.name, []).append(path)
    return {path for same in builds.values() if len(same) > 1 for paths in same.values() for path in paths}


def pack(files: Mapping[str, Path], out: Path) -> Path:
    """Write an archive of files, by their names in it, and return it; the same files give the same bytes."""
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 6, "dict_size": WINDOW_BYTES}]
    # Builds of the same wheel one after the other, so that the second finds the first within the window.
    order = sorted(files, key=lambda name: (name.startswith("wheels/"), files[name].name))
    with lzma.open(out, "wb", filters=filters) as packed, tarfile.open(fileobj=packed, mode="w|") as tar:
        _add(tar, files, order)
    return out


def _add(tar: tarfile.TarFile, files: Mapping[str, Path], order: Sequence[str]) -> None:
    for name in order:
        with files[name].open("rb") as file:
            tar.addfile(_member(name, files[name].stat().st_size), file)


def make_card(folder: Path, release: str, bundle: Path, key: Path) -> None:
    """Write what is copied to the boot partition of a new card: `bundle` is moved there."""
    module = _module(ROOT / "systemd" / "updater" / "bundle.py", "bundle_of_the_updater")
    inside = folder / "referee-card"
    if folder.exists():
        shutil.rmtree(folder)
    inside.mkdir(parents=True)
    for name in IN_THE_FOLDER:
        shutil.copyfile(CARD / name, inside / name)
    shutil.copyfile(CARD / BESIDE[release], folder / BESIDE[release])
    (inside / "hotspot.off").write_bytes(HOTSPOT.encode())
    (inside / "first-start.pyz").write_bytes(program_of_first_start())
    (inside / "update-signers").write_text(f'{module.IDENTITY} namespaces="{module.NAMESPACE}" {public_key(key)}\n')
    bundle.replace(inside / "referee.bundle")


def public_key(key: Path) -> str:
    """Return the public key that belongs to a private one."""
    command = ["ssh-keygen", "-y", "-f", str(key)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL)  # noqa: S603
    return " ".join(done.stdout.split()[:2])


def program_of_first_start() -> bytes:
    """Return the program of the first start, a zip file that Python runs; the same files give the same bytes."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for package in ("first_start", "updater"):
            for path in sorted((ROOT / "systemd" / package).glob("*.py")):
                archive.writestr(zipfile.ZipInfo(f"{package}/{path.name}"), path.read_bytes())
        archive.writestr(zipfile.ZipInfo("__main__.py"), MAIN)
    return data.getvalue()


def sign(data: bytes, key: Path, namespace: str) -> bytes:
    """Return the signature of OpenSSH for these bytes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "manifest"
        path.write_bytes(data)
        subprocess.run(  # noqa: S603
            ["ssh-keygen", "-q", "-Y", "sign", "-f", str(key), "-n", namespace, str(path)],  # noqa: S607
            check=True, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        return path.with_name("manifest.sig").read_bytes()


def _member(name: str, size: int) -> tarfile.TarInfo:
    # Without owner and time, so that the same files make the same bundle.
    member = tarfile.TarInfo(name)
    member.size, member.mode = size, 0o644
    return member


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def releases() -> Iterator[Any]:
    """Yield the releases of Raspberry Pi OS that the locks are for."""
    yield from _module(ROOT / "systemd" / "lock.py", "lock_of_the_installer").RELEASES


def main(words: Sequence[str] | None = None) -> int:
    """Make a bundle; 1 if that is impossible, or if it is too large."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n", maxsplit=1)[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--key", type=Path, required=True, help="private key of OpenSSH")
    parser.add_argument("--packages", type=Path, help="folder of tools/card_packages.sh")
    parser.add_argument("--wheels", type=Path, help="folder for the wheels, which is kept")
    given = parser.parse_args(words)
    try:
        with tempfile.TemporaryDirectory() as folder:
            wheels = {one.name: fetch_wheels(one, given.wheels or Path(folder)) for one in releases()}
            sizes = {given.out: make_bundle(given.out, given.key, wheels)}
            program, made = build_wheel(Path(folder) / "program"), write_help(Path(folder) / "help")
            for name, paths in wheels.items():
                card = given.out.parent / "card" / name
                bundle = given.out.with_name(f".{name}.bundle")
                packages = {name: packages_of(given.packages, name)}
                sizes[card] = make_bundle(bundle, given.key, {name: [*paths, program]}, packages, made)
                make_card(card, name, bundle, given.key)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.stderr.write(f"card_bundle: {error}\n")
        return 1
    for path, size in sizes.items():
        sys.stdout.write(f"{path}: {size / 1e6:.1f} MB\n")
    if max(sizes.values()) > MOST_BYTES:
        found = max(sizes.values()) / 1e6
        sys.stderr.write(f"card_bundle: expected at most {MOST_BYTES / 1e6:.0f} MB, found {found:.1f} MB\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
