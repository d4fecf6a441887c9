"""The catalogues of sentences: compiles what was written (.po) into what the program reads (.mo).

`make messages` runs it, and so does whatever builds or installs the program (`setup.py`).
"""

from __future__ import annotations

from pathlib import Path

import polib

LOCALE = Path(__file__).parent.parent / "referee" / "i18n" / "locale"
CATALOGUES = "*/LC_MESSAGES/*.po"


def written_catalogues() -> list[Path]:
    """Every catalogue as it is written."""
    return sorted(LOCALE.glob(CATALOGUES))


def read_catalogue(path: Path) -> polib.POFile:
    """The entries of a catalogue, and its header.

    Raises OSError with file and line for what is no catalogue, and ValueError for a key that stands in it twice.
    """
    try:
        return polib.pofile(str(path), encoding="utf-8", check_for_duplicates=True)
    except ValueError as error:
        raise ValueError(f"{path}: expected every key once: {error}") from error


def compile_catalogue(path: Path) -> bytes:
    """A catalogue as the program reads it."""
    compiled: bytes = read_catalogue(path).to_binary()
    return compiled


def compile_catalogues(target: Path = LOCALE) -> None:
    """Compile every catalogue, to the same place below `target`; a compiled one that nobody has written goes."""
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
