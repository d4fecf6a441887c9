"""Writes the JSON schemas of the documents of a club, made from the type hints of the dataclasses.

python -m tools.club_schemas
"""

import json
from pathlib import Path

from referee.club.protocol.coding import DOCUMENTS, schema_of

FOLDER = Path(__file__).parent.parent / "referee" / "club" / "protocol" / "schemas"


def texts() -> dict[str, str]:
    """Return all schemas by file name."""
    return {f"{kind.value}.json": json.dumps(schema_of(kind), indent=1) + "\n" for kind in DOCUMENTS}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, text in texts().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
