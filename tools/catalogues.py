"""The catalogues of sentences: compiles what was written (.po) into what the program reads (.mo).

`python -m tools.catalogues`, or `make messages`. Tests compare both, so that none is forgotten.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

DAY = datetime(2026, 1, 1, tzinfo=UTC)
LOCALE = Path(__file__).parent.parent / "referee" / "i18n" / "locale"


def written() -> Iterator[Path]:
    """Every catalogue as it is written."""
    yield from sorted(LOCALE.glob("*/LC_MESSAGES/*.po"))


def read(path: Path) -> Catalog:
    """A catalogue with its language."""
    with path.open("rb") as file:
        catalogue = read_po(file, locale=path.parent.parent.name, domain=path.stem)
    # The day of compiling would make every file another one.
    catalogue.creation_date = catalogue.revision_date = DAY
    return catalogue


def compiled(path: Path) -> bytes:
    """A catalogue as the program reads it."""
    out = io.BytesIO()
    write_mo(out, read(path))
    return out.getvalue()


def main() -> None:
    """Compile every catalogue."""
    for path in written():
        path.with_suffix(".mo").write_bytes(compiled(path))


if __name__ == "__main__":
    main()
