"""Checks of single values of the pin map; each raises BadInput with what was expected and found, and where."""

from __future__ import annotations

import difflib
from collections.abc import Callable

from referee.devices.wiring.header import PHYSICAL
from referee.errors import BadInput


def one_pin(found: object, place: str) -> int:
    """A GPIO number of the header."""
    if isinstance(found, bool) or not isinstance(found, int):
        raise BadInput(f"{place}: expected a GPIO number, found {found!r}")
    if found not in PHYSICAL:
        raise BadInput(f"{place}: expected a GPIO on the 40-pin header (2 to 27), found {found}")
    return found


def pin_or_false(found: object, place: str) -> int | None:
    """A GPIO number, or None for a part that is not there."""
    return None if found is False else one_pin(found, place)


def some_pins(low: int, high: int) -> Callable[[object, str], tuple[int, ...]]:
    """Return a check for none, or `low` to `high` GPIO numbers; a single one need not be a list."""

    def check(found: object, place: str) -> tuple[int, ...]:
        listed = found if isinstance(found, list | tuple) else [found]
        if found is False or not listed:
            return ()
        if not low <= len(listed) <= high:
            raise BadInput(f"{place}: expected {low} to {high} GPIO numbers, found {len(listed)}")
        return tuple(one_pin(one, place) for one in listed)

    return check


def one_of(*names: str) -> Callable[[object, str], str]:
    """Return a check for one of these names."""

    def check(found: object, place: str) -> str:
        if found not in names:
            near = difflib.get_close_matches(str(found).lower(), names, 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise BadInput(f"{place}: expected one of {', '.join(names)}, found {found!r}{hint}")
        return str(found)

    return check


def an_address(found: object, place: str) -> int:
    """One of the two addresses that an OLED may have."""
    if found not in (0x3C, 0x3D) or isinstance(found, bool):
        raise BadInput(f"{place}: expected 0x3c or 0x3d, found {found!r}")
    return 0x3C if found == 0x3C else 0x3D
