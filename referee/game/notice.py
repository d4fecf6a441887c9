"""A notice: something to be said to people, as a key with fields. Only `referee.i18n` turns it into a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, Union

from referee.errors import BadInput
from referee.game.tiles import Colour, Tile

Value: TypeAlias = Union[str, int, float, Tile, Colour, "Notice", tuple["Value", ...]]
"""The values of a field: a name, a number, a tile, a colour, another notice, or a tuple of these."""


@dataclass(frozen=True, slots=True, init=False)
class Notice:
    """A stable key such as ``judge.not_a_set`` with its fields; notices with the same content are equal.

    `referee.i18n.notices` declares every key with the kinds of its fields.
    """

    key: str
    fields: tuple[tuple[str, Value], ...]

    def __init__(self, key: str, /, **fields: Value) -> None:
        object.__setattr__(self, "key", key)
        object.__setattr__(self, "fields", tuple(sorted(fields.items())))

    def __str__(self) -> str:
        """Return the key and the fields, for logs."""
        return f"{self.key}({', '.join(f'{name}={_plain(value)}' for name, value in self.fields)})"

    def to_json(self) -> dict[str, Any]:
        """Return the notice as JSON values; `from_json` reads it back."""
        return {"notice": self.key, **{name: _to_json(value) for name, value in self.fields}}

    @classmethod
    def from_json(cls, told: object) -> Notice:
        """Return the notice that `to_json` has written; raises BadInput for any other value."""
        if not isinstance(told, Mapping) or not isinstance(told.get("notice"), str):
            raise BadInput(f"expected a notice, got {told!r:.100}")
        return cls(told["notice"], **{name: _from_json(value) for name, value in told.items() if name != "notice"})


def _plain(value: Value) -> str:
    if isinstance(value, tuple):
        return f"[{' '.join(map(_plain, value))}]"
    return str(value)


def _to_json(value: Value) -> Any:
    if isinstance(value, Notice):
        return value.to_json()
    if isinstance(value, Tile):
        return {"tile": value.name}
    if isinstance(value, Colour):
        return {"colour": value.value}
    return [_to_json(one) for one in value] if isinstance(value, tuple) else value


def _from_json(value: Any) -> Value:
    if isinstance(value, list):
        return tuple(map(_from_json, value))
    if not isinstance(value, dict):
        return value  # type: ignore[no-any-return]
    if "notice" in value:
        return Notice.from_json(value)
    if "tile" in value:
        return Tile.from_name(str(value["tile"]))
    if value.get("colour") not in [*Colour]:
        raise BadInput(f"expected a tile, a colour or a notice, got {value!r:.100}")
    return Colour(value["colour"])


def notice_of(error: BaseException) -> Notice | None:
    """Return the notice of an error that was raised with one; None if it has only a text."""
    told = error.args[0] if error.args else None
    return told if isinstance(told, Notice) else None


def told_by(error: BaseException) -> Notice:
    """Return a notice for any error: its own, or otherwise one with its text."""
    return notice_of(error) or as_notice(str(error))


def as_notice(told: str | Notice) -> Notice:
    """Return a notice unchanged, or a notice that shows a text as it is, such as one of the operating system."""
    return told if isinstance(told, Notice) else Notice("words.text", text=told)
