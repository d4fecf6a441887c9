"""Italian: ``il 7 rosso``, ``del fante nero``, ``2 jolly e la regina blu``."""

from __future__ import annotations

from collections.abc import Sequence

from referee.game.tiles import Colour, Tile
from referee.messages.grammar.base import CARDS, Language

_COLOURS = {
    Colour.BLACK: ("nero", "nera", "neri", "nere"),
    Colour.BLUE: ("blu", "blu", "blu", "blu"),
    Colour.RED: ("rosso", "rossa", "rossi", "rosse"),
    Colour.YELLOW: ("giallo", "gialla", "gialli", "gialle"),
    Colour.ORANGE: ("arancione", "arancione", "arancioni", "arancioni"),
    Colour.GREEN: ("verde", "verde", "verdi", "verdi"),
}
"""Masculine and feminine, then both in the plural."""
_FACES = {"ace": ("asso", "v"), "jack": ("fante", "m"), "queen": ("regina", "f"), "king": ("re", "m")}
_ARTICLES = {
    "": {"m": "il ", "f": "la ", "v": "l'"},
    "of": {"m": "del ", "f": "della ", "v": "dell'"},
    "to": {"m": "al ", "f": "alla ", "v": "all'"},
}
"""By gender; `v`: masculine, and begins with a vowel when it is spoken."""
_BEGIN_WITH_A_VOWEL = {1, 8, 11}
"""Uno, otto, undici."""
_TIMES = {2: "due", 3: "tre", 4: "quattro"}


class Italian(Language):
    """Cases: none, `of` (del 7) and `to` (al 7)."""

    and_, or_, decimal = "e", "o", ","

    def colour(self, colour: Colour, how: str) -> str:
        """`nero`; as a noun `il nero`; after tiles, which are feminine, `nere`."""
        masculine, _, _, feminine_plural = _COLOURS[colour]
        if how == "noun":
            return f"l'{masculine}" if colour is Colour.ORANGE else f"il {masculine}"
        return feminine_plural if how == "plural" else masculine

    def face(self, tile: Tile, faces: str) -> str:
        """A number, a card's name, or jolly."""
        return _noun(tile, faces)[0]

    def bare(self, tile: Tile, faces: str) -> str:
        """`7 rosso`, `regina nera`."""
        noun, gender = _noun(tile, faces)
        return noun if tile.colour is None else f"{noun} {_COLOURS[tile.colour][gender == 'f']}"

    def the(self, tile: Tile, case: str, faces: str) -> str:
        """`il 7 rosso`, `della regina nera`."""
        return _ARTICLES[case][_noun(tile, faces)[1]] + self.bare(tile, faces)

    def the_number(self, tile: Tile, faces: str) -> str:
        """`il 7`."""
        noun, gender = _noun(tile, faces)
        return _ARTICLES[""][gender] + noun

    def several(self, tile: Tile, times: int, case: str, faces: str) -> str:
        """`due volte il 7 rosso`, `2 jolly`."""
        if tile.is_joker:
            return f"{'di ' * (case == 'of')}{'a ' * (case == 'to')}{times} jolly"
        return f"{_TIMES.get(times, times)} volte {self.the(tile, case, faces)}"

    def many(self, tile: Tile, times: int, faces: str) -> str:
        """`tre volte il 7 rosso`."""
        return self.several(tile, times, "", faces)

    def run(self, faces: Sequence[str], colour: Colour) -> str:
        """`5 6 7 rossi`."""
        return f"{' '.join(faces)} {_COLOURS[colour][2]}"

    def group(self, face: str, colours: Sequence[str]) -> str:
        """`7 rosso, blu, nero`."""
        return f"{face} {', '.join(colours)}"


def _noun(tile: Tile, faces: str) -> tuple[str, str]:
    """What is printed on a tile, and its gender."""
    if tile.is_joker:
        return "jolly", "m"
    if faces == "cards" and tile.number in CARDS:
        return _FACES[CARDS[tile.number]]
    return str(tile.number), "v" if tile.number in _BEGIN_WITH_A_VOWEL else "m"
