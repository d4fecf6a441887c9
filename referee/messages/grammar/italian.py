"""Italian: ``il 7 rosso``, ``del fante nero``, ``due regine blu e 2 jolly``."""

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
_PLURALS = {"asso": "assi", "fante": "fanti", "regina": "regine"}
"""What is called otherwise when there are several; numbers, jolly and re are not."""
_FEMININE = {masculine: feminine for masculine, feminine, _, _ in _COLOURS.values()}


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
        """`due 7 rossi`, `di due regine blu`, `2 jolly`."""
        return f"{'di ' * (case == 'of')}{'a ' * (case == 'to')}{self.many(tile, times, faces)}"

    def many(self, tile: Tile, times: int, faces: str) -> str:
        """`tre 7 rossi`, `due regine blu`, `2 jolly`."""
        if tile.is_joker:
            return f"{times} jolly"
        noun, gender = _noun(tile, faces)
        if times == 1:
            return f"un{'a' * (gender == 'f')} {self.bare(tile, faces)}"
        colour = "" if tile.colour is None else f" {_COLOURS[tile.colour][3 if gender == 'f' else 2]}"
        return f"{_TIMES.get(times, times)} {_PLURALS.get(noun, noun)}{colour}"

    def run(self, faces: Sequence[str], colour: Colour) -> str:
        """`5 6 7 rossi`."""
        return f"{' '.join(faces)} {_COLOURS[colour][2]}"

    def group(self, face: str, colours: Sequence[str]) -> str:
        """`7 rosso, blu, nero`, `regina rossa, blu, nera`."""
        if face == _FACES["queen"][0]:
            colours = [_FEMININE.get(colour, colour) for colour in colours]
        return f"{face} {', '.join(colours)}"


def _noun(tile: Tile, faces: str) -> tuple[str, str]:
    """What is printed on a tile, and its gender."""
    if tile.is_joker:
        return "jolly", "m"
    if faces == "cards" and tile.number in CARDS:
        return _FACES[CARDS[tile.number]]
    return str(tile.number), "v" if tile.number in _BEGIN_WITH_A_VOWEL else "m"
