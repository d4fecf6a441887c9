"""Compiles the catalogues of sentences from source files (.po) to the files that the program reads (.mo).

`make messages` runs it, as does `setup.py` whenever the program is built or installed.
"""

from __future__ import annotations

from pathlib import Path

import polib

LOCALE = Path(__file__).parent.parent / "referee" / "i18n" / "locale"
CATALOGUES = "*/LC_MESSAGES/*.po"


def written_catalogues() -> list[Path]:
    """Return the source files of all catalogues."""
    return sorted(LOCALE.glob(CATALOGUES))


def read_catalogue(path: Path) -> polib.POFile:
    """Return the entries of a catalogue, and its header.

    Raises OSError with file and line if the file is not a catalogue, and ValueError if it has a key twice.
    """
    try:
        return polib.pofile(str(path), encoding="utf-8", check_for_duplicates=True)
    except ValueError as error:
        raise ValueError(f"{path}: expected every key once: {error}") from error


def compile_catalogue(path: Path) -> bytes:
    """Return a compiled catalogue."""
    compiled: bytes = read_catalogue(path).to_binary()
    return compiled


def compile_catalogues(target: Path = LOCALE) -> None:
    """Compile all catalogues, each to its place under `target`; delete compiled ones without a source file."""
    paths = written_catalogues()
    if not paths:
        raise FileNotFoundError(f"expected catalogues to compile, found no {LOCALE / CATALOGUES}")
    compiled = {target / path.relative_to(LOCALE).with_suffix(".mo"): compile_catalogue(path) for path in paths}
    for path, content in compiled.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    for path in set(target.glob("*/LC_MESSAGES/*.mo")) - compiled.keys():
        path.unlink()


if __name__ == "__main__":
    compile_catalogues()
