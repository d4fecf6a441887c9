"""German: ``die rote 7``, ``den roten Buben``, ``2 Joker und das schwarze Ass``."""

from __future__ import annotations

from collections.abc import Sequence

from referee.game.tiles import Colour, Tile
from referee.i18n.grammar.base import CARDS, Language

_COLOURS = {
    Colour.BLACK: "schwarz", Colour.BLUE: "blau", Colour.RED: "rot", Colour.YELLOW: "gelb", Colour.ORANGE: "orange",
    Colour.GREEN: "grün",
}  # fmt: skip
_FACES = {"ace": ("Ass", "n"), "jack": ("Bube", "m"), "queen": ("Dame", "f"), "king": ("König", "m")}
_ARTICLES = {
    "": {"m": "der", "f": "die", "n": "das"},
    "acc": {"m": "den", "f": "die", "n": "das"},
    "dat": {"m": "dem", "f": "der", "n": "dem"},
}
_WEAK = {"": {"m": "e", "f": "e", "n": "e"}, "acc": {"m": "en", "f": "e", "n": "e"}, "dat": dict.fromkeys("mfn", "en")}
_STRONG = {"m": "er", "f": "e", "n": "es"}
_PLURALS = {"Ass": "Asse", "Bube": "Buben", "Dame": "Damen", "König": "Könige"}


class German(Language):
    """The cases are `acc` and `dat`; no case means the nominative."""

    and_, or_, decimal = "und", "oder", ","

    def colour(self, colour: Colour, how: str) -> str:
        """`rot`; as a noun `Rot`; before tiles `roten`."""
        name = _COLOURS[colour]
        return name.capitalize() if how == "noun" else _with_ending(name, "en") if how == "plural" else name

    def face(self, tile: Tile, faces: str) -> str:
        """Return a number, a card's name, or Joker."""
        return _noun(tile, faces)[0]

    def bare(self, tile: Tile, faces: str) -> str:
        """`rote 7`, `roter Bube`."""
        noun, gender = _noun(tile, faces)
        return noun if tile.colour is None else f"{_with_ending(_COLOURS[tile.colour], _STRONG[gender])} {noun}"

    def the(self, tile: Tile, case: str, faces: str) -> str:
        """`die rote 7`, `den roten Buben`."""
        noun, gender = _noun(tile, faces)
        article = _ARTICLES[case][gender]
        if noun == "Bube" and case:
            noun = "Buben"
        if tile.colour is None:
            return f"{article} {noun}"
        return f"{article} {_with_ending(_COLOURS[tile.colour], _WEAK[case][gender])} {noun}"

    def the_number(self, tile: Tile, faces: str) -> str:
        """`die 7`."""
        noun, gender = _noun(tile, faces)
        return f"{_ARTICLES[''][gender]} {noun}"

    def several(self, tile: Tile, times: int, case: str, faces: str) -> str:
        """`die beiden roten 7er`, `2 Joker`."""
        if tile.is_joker:
            return f"{times} {'Jokern' if case == 'dat' else 'Joker'}"
        number = "beiden" if times == 2 else str(times)
        return f"{'den' if case == 'dat' else 'die'} {number} {self._plural(tile, 'en', case, faces)}"

    def many(self, tile: Tile, times: int, faces: str) -> str:
        """`3 rote 7er`."""
        return f"{times} {'Joker' if tile.is_joker else self._plural(tile, 'e', '', faces)}"

    def _plural(self, tile: Tile, ending: str, case: str, faces: str) -> str:
        """`roten 7er`, `roten Buben`; in the dative `roten 7ern`, `roten Buben`."""
        noun, _ = _noun(tile, faces)
        nouns = _PLURALS.get(noun, f"{noun}er")
        if case == "dat" and not nouns.endswith("n"):
            nouns += "n"
        return f"{_with_ending(_COLOURS[tile.colour], ending)} {nouns}" if tile.colour else nouns

    def run(self, faces: Sequence[str], colour: Colour) -> str:
        """`Rot 5 6 7`."""
        return f"{_COLOURS[colour].capitalize()} {' '.join(faces)}"


def _noun(tile: Tile, faces: str) -> tuple[str, str]:
    """Return what is printed on a tile, and its gender."""
    if tile.is_joker:
        return "Joker", "m"
    if faces == "cards" and tile.number in CARDS:
        return _FACES[CARDS[tile.number]]
    return str(tile.number), "f"


def _with_ending(colour: str, ending: str) -> str:
    """Return an adjective with its ending; orange has none."""
    return colour if colour == "orange" else colour + ending
