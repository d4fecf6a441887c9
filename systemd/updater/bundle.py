"""A bundle: one file with a complete version, which is unpacked only as far as its signature covers it.

It is a tar file. The first two of its members are `manifest.json`, which names every file with its size and SHA-256,
and the signature of that, made with `ssh-keygen -Y sign`. OpenSSH verifies it, which every Raspberry Pi OS has. The
members that follow are checked one by one against the manifest while they are written, so nobody can exchange them in
between, although the bundle may lie in a folder of another user.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import subprocess
import tarfile
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO, Any

MANIFEST, SIGNATURE = "manifest.json", "manifest.json.sig"
NAMESPACE, IDENTITY = "referee-update", "referee"
"""What a signature is for, and who must have made it, as the file of signers says."""
SIGNERS = "etc/referee/update-signers"
MOST_MANIFEST, MOST_BYTES = 4_000_000, 1_000_000_000
FOR_INSTALLING = 700_000_000
"""Bytes that must be free besides the bundle's own: the libraries are larger once they are unpacked."""
PIECE = 1 << 20
VERIFY_S = 60.0
NO_ARCHIVE = (tarfile.TarError, ValueError, RecursionError, MemoryError, OverflowError, EOFError)
"""What tarfile raises for a file that is no archive, or one that was made to do harm: nobody has signed it yet."""


class BadBundle(Exception):
    """A bundle that is not used. `reason` is the word by which people are told; the text says more."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a bundle holds: its version, and of every file the size in bytes and the SHA-256."""

    version: str
    files: Mapping[str, tuple[int, str]]
    wheels: Mapping[str, tuple[str, ...]]
    """The names of the wheels by release of the system; a wheel may be of several."""
    packages: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The names of Debian packages by release, in the bundle of a new card, which has not got them yet."""

    @classmethod
    def from_json(cls, data: bytes) -> Manifest:
        """Return what a verified manifest says; raises BadBundle for anything else."""
        try:
            found: dict[str, Any] = json.loads(data)
            files = {str(name): (int(size), str(checksum)) for name, (size, checksum) in found["files"].items()}
            wheels = {str(name): tuple(map(str, wheels)) for name, wheels in found["wheels"].items()}
            packages = {str(name): tuple(map(str, packages)) for name, packages in found.get("packages", {}).items()}
            version = str(found["version"])
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BadBundle("damaged", f"expected a manifest of the form 1, found another: {error}") from error
        for name in files:
            parts = PurePosixPath(name).parts
            if not parts or parts[0] == "/" or ".." in parts or "\0" in name:
                raise BadBundle("damaged", f"expected names below the bundle's folder, found {name!r}")
        return cls(version, files, wheels, packages)

    def wanted(self, release: str) -> frozenset[str]:
        """Return the files for a release: all but what only others need; raises BadBundle if it has none for that."""
        if release not in self.wheels:
            known = ", ".join(sorted(self.wheels))
            raise BadBundle("release", f"expected a bundle for {release or 'this system'}, found one for {known}")
        of_releases = [*self.wheels.values(), *self.packages.values()]
        ours = {*self.wheels[release], *self.packages.get(release, ())}
        return frozenset(self.files) - ({name for names in of_releases for name in names} - ours)


def unpack(bundle: Path, signers: Path, release: str, to: Path) -> Manifest:
    """Write the files of a bundle for a release below `to`, an empty folder; raises BadBundle."""
    try:
        handle = os.open(bundle, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(handle, "rb") as file, tarfile.open(fileobj=file, mode="r|") as members:
            return _unpack(members, signers, release, to)
    except OSError as error:
        reason = "no_room" if error.errno in (errno.ENOSPC, errno.EDQUOT) else "damaged"
        raise BadBundle(reason, f"{error.filename or bundle}: {error.strerror or error}") from error
    except NO_ARCHIVE as error:
        raise BadBundle("damaged", f"expected a complete bundle, found: {error}") from error


def _unpack(members: tarfile.TarFile, signers: Path, release: str, to: Path) -> Manifest:
    data, signature = (_first(members, name) for name in (MANIFEST, SIGNATURE))
    verify(data, signature, signers)
    manifest = Manifest.from_json(data)
    left = set(manifest.wanted(release))
    _check_room(to, sum(manifest.files[name][0] for name in left))
    while (member := members.next()) is not None:
        if member.name not in manifest.files or not member.isreg():
            raise BadBundle("damaged", f"expected only files of the manifest, found {member.name!r}")
        if member.name not in left:
            continue
        left.remove(member.name)
        content = members.extractfile(member)
        if content is not None:
            write_member(content, to / member.name, *manifest.files[member.name])
    if left:
        raise BadBundle("damaged", f"expected {len(left)} more files, such as {min(left)}, found the end")
    return manifest


def _first(members: tarfile.TarFile, name: str) -> bytes:
    member = members.next()
    content = None if member is None or not member.isreg() else members.extractfile(member)
    if member is None or content is None or member.name != name or not 0 < member.size <= MOST_MANIFEST:
        raise BadBundle("damaged", f"expected {name}, found {'the end' if member is None else repr(member.name)}")
    return content.read(member.size)


def verify(data: bytes, signature: bytes, signers: Path) -> None:
    """Check the signature of a manifest; raises BadBundle unless one of the signers has made it."""
    if not signers.is_file():
        raise BadBundle("no_key", f"{signers}: expected the public keys of those who may update, found no file")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / SIGNATURE
        path.write_bytes(signature)
        command = ["ssh-keygen", "-Y", "verify", "-f", str(signers), "-I", IDENTITY, "-n", NAMESPACE, "-s", str(path)]
        try:
            done = subprocess.run(command, input=data, capture_output=True, check=False, timeout=VERIFY_S)  # noqa: S603
        except (FileNotFoundError, subprocess.TimeoutExpired) as error:
            raise BadBundle("no_key", f"expected ssh-keygen to verify the signature, found: {error}") from error
    if done.returncode:
        said = (done.stderr or done.stdout).decode(errors="replace").strip()
        raise BadBundle("signature", f"expected a signature by one of {signers}, found another: {said}")


def _check_room(folder: Path, size: int) -> None:
    disk = os.statvfs(folder)
    free = disk.f_bavail * disk.f_frsize
    if size > MOST_BYTES or free < size + FOR_INSTALLING:
        raise BadBundle("no_room", f"expected {(size + FOR_INSTALLING) >> 20} MB free, found {free >> 20} MB")


def write_member(content: IO[bytes], path: Path, size: int, checksum: str) -> None:
    """Write one file; raises BadBundle if its content is not the one that was signed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    found, written = hashlib.sha256(), 0
    with path.open("xb") as file:
        while piece := content.read(PIECE):
            written += len(piece)
            if written > size:
                break
            found.update(piece)
            file.write(piece)
    if written != size or found.hexdigest() != checksum:
        raise BadBundle("damaged", f"{path.name}: expected the content that was signed, found another")
