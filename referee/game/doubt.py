"""A doubt: a tile, or a place on the table, that must not be judged yet, and the question about it to the players."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from referee.errors import BadInput
from referee.game.notice import Notice, as_notice


@dataclass(frozen=True, slots=True)
class ReadRecord:
    """One tile that was read, as `read --json` writes it and a doubt keeps it: lengths in mm, angles in degrees.

    Tiles are named as in JSON: `red-7`, `joker` or `face-down`.
    """

    id: int
    """Its index among the reads of the look."""
    tile: str
    confidence: float = 0.0
    doubtful: bool = True
    """False for a tile that is asked about although it is clear to read: there are more of it than the box holds."""
    alternatives: tuple[tuple[str, float], ...] = ()
    x_mm: float | None = None
    y_mm: float | None = None
    angle_deg: float = 0.0
    corners_px: tuple[tuple[float, float], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the object of this tile in `read --json`; `from_json` reads it back."""
        return {
            "id": self.id,
            "tile": self.tile,
            "confidence": self.confidence,
            "doubtful": self.doubtful,
            "alternatives": [list(one) for one in self.alternatives],
            "x_mm": self.x_mm,
            "y_mm": self.y_mm,
            "angle_deg": self.angle_deg,
            "corners_px": [list(corner) for corner in self.corners_px],
        }

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> ReadRecord:
        """Return the tile that `to_json` has written; missing fields get their defaults.

        Raises KeyError, TypeError or ValueError for any other value.
        """
        return cls(
            int(told["id"]),
            str(told["tile"]),
            told.get("confidence", 0.0),
            told.get("doubtful", True),
            tuple((str(name), p) for name, p in told.get("alternatives", ())),
            told.get("x_mm"),
            told.get("y_mm"),
            told.get("angle_deg", 0.0),
            tuple((x, y) for x, y in told.get("corners_px", ())),
        )


@dataclass(frozen=True, slots=True)
class Doubt:
    """One question. `read` is the tile that it is about; None if it is about a place, or about the whole look."""

    about: Notice | str
    """What players are asked. Journals of the first versions have an English sentence."""
    read: ReadRecord | None = None
    together: tuple[int, ...] = ()
    """Ids of all reads that the answer settles, if the question is which of two inks is which."""
    copies: tuple[int, ...] = ()
    """Ids of all reads in doubt because more of this tile were read than the box holds."""
    offered: tuple[str, ...] | None = None
    """The answers that players may give, the likeliest first; None while straightening the tile may still help."""

    @property
    def notice(self) -> Notice:
        """The question to the players, as a notice."""
        return as_notice(self.about)

    def to_json(self) -> dict[str, Any] | str:
        """Return the doubt in the form that the journal keeps; `from_json` reads it back."""
        lists = {"together": self.together or None, "copies": self.copies or None, "offered": self.offered}
        given = {name: list(values) for name, values in lists.items() if values is not None}
        told = {**({} if self.read is None else self.read.to_json()), **given}
        if isinstance(self.about, Notice):
            return {"about": self.about.to_json(), **told}
        return {"text": self.about, **told} if told else self.about

    @classmethod
    def from_json(cls, told: object) -> Doubt:
        """Return the doubt from a journal of any version; an unknown form becomes text: no verdict depends on it."""
        try:
            return cls(told) if isinstance(told, str) else cls._from_object(told)
        except (BadInput, KeyError, TypeError, ValueError, OverflowError):
            return cls(str(told))

    @classmethod
    def _from_object(cls, told: Any) -> Doubt:
        about = Notice.from_json(told["about"]) if "about" in told else str(told["text"])
        read = ReadRecord.from_json(told) if "id" in told and "tile" in told else None
        together, copies = (tuple(map(int, told.get(name, ()))) for name in ("together", "copies"))
        return cls(about, read, together, copies, tuple(map(str, told["offered"])) if "offered" in told else None)
