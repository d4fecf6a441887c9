"""Unpacks the program of a bundle: `python3 unpack.py ARCHIVE RELEASE FOLDER`.

The program has more than a thousand small files, which take a third of the room in one compressed archive. The same
holds for wheels that both releases need in a build of their own: most of their parts are the same, byte for byte. A
wheel of a release lies below `wheels/RELEASE` there, and only those of RELEASE are unpacked.

The updater has checked the archive as a whole against the signed list, before any of this runs; an updater that knows
nothing of archives can therefore install such a bundle, too.
"""

import shutil
import sys
import tarfile
from pathlib import Path, PurePosixPath

WHEELS = "wheels"


def place_of(name: str, release: str) -> PurePosixPath | None:
    """Return where a member belongs below the folder, None if only another release needs it; raises ValueError."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise ValueError(f"expected names below the folder, found {name!r}")
    if path.parts[0] != WHEELS or len(path.parts) < 3:
        return path
    return PurePosixPath(WHEELS, *path.parts[2:]) if path.parts[1] == release else None


def unpack(archive: Path, release: str, folder: Path) -> None:
    """Write the files of an archive below a folder; raises OSError, ValueError and what tarfile and lzma raise."""
    with tarfile.open(archive, "r|xz") as members:
        for member in members:
            place = place_of(member.name, release)
            content = members.extractfile(member) if member.isreg() else None
            if content is None:
                raise ValueError(f"expected only files, found {member.name!r}")
            if place is None:
                continue
            target = folder / place
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("wb") as file:
                shutil.copyfileobj(content, file)


if __name__ == "__main__":
    unpack(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
