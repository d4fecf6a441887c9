"""French: ``le 7 rouge``, ``du valet noir``, ``2 jokers et la dame bleue``."""

from __future__ import annotations

from collections.abc import Sequence

from referee.game.tiles import Colour, Tile
from referee.messages.grammar.base import CARDS, Language

_COLOURS = {
    Colour.BLACK: ("noir", "noire"), Colour.BLUE: ("bleu", "bleue"), Colour.RED: ("rouge", "rouge"),
    Colour.YELLOW: ("jaune", "jaune"), Colour.ORANGE: ("orange", "orange"), Colour.GREEN: ("vert", "verte"),
}  # fmt: skip
_FEMININE = dict(_COLOURS.values())
_FACES = {"ace": ("as", "v"), "jack": ("valet", "m"), "queen": ("dame", "f"), "king": ("roi", "m")}
_ARTICLES = {
    "": {"m": "le ", "f": "la ", "v": "l'"},
    "of": {"m": "du ", "f": "de la ", "v": "de l'"},
    "to": {"m": "au ", "f": "à la ", "v": "à l'"},
}
"""By gender; `v`: masculine, and begins with a vowel."""
_TIMES = {2: "deux", 3: "trois", 4: "quatre"}


class French(Language):
    """Cases: none, `of` (du 7) and `to` (au 7)."""

    and_, or_, decimal = "et", "ou", ","

    def colour(self, colour: Colour, how: str) -> str:
        """`noir`; as a noun `le noir`; after tiles, which are feminine, `noires`."""
        masculine, feminine = _COLOURS[colour]
        if how == "noun":
            return f"l'{masculine}" if colour is Colour.ORANGE else f"le {masculine}"
        return _plural(feminine) if how == "plural" else masculine

    def face(self, tile: Tile, faces: str) -> str:
        """A number, a card's name, or joker."""
        return _noun(tile, faces)[0]

    def bare(self, tile: Tile, faces: str) -> str:
        """`7 rouge`, `dame noire`."""
        noun, gender = _noun(tile, faces)
        return noun if tile.colour is None else f"{noun} {_COLOURS[tile.colour][gender == 'f']}"

    def the(self, tile: Tile, case: str, faces: str) -> str:
        """`le 7 rouge`, `de la dame noire`."""
        return _ARTICLES[case][_noun(tile, faces)[1]] + self.bare(tile, faces)

    def the_number(self, tile: Tile, faces: str) -> str:
        """`le 7`."""
        noun, gender = _noun(tile, faces)
        return _ARTICLES[""][gender] + noun

    def several(self, tile: Tile, times: int, case: str, faces: str) -> str:
        """`deux fois le 7 rouge`, `2 jokers`."""
        if tile.is_joker:
            return f"{'de ' * (case == 'of')}{'à ' * (case == 'to')}{times} jokers"
        return f"{_TIMES.get(times, times)} fois {self.the(tile, case, faces)}"

    def many(self, tile: Tile, times: int, faces: str) -> str:
        """`trois fois le 7 rouge`."""
        return self.several(tile, times, "", faces)

    def run(self, faces: Sequence[str], colour: Colour) -> str:
        """`5 6 7 rouges`."""
        return f"{' '.join(faces)} {_plural(_COLOURS[colour][0])}"

    def group(self, face: str, colours: Sequence[str]) -> str:
        """`7 rouge, bleu, noir`, `dame rouge, bleue, noire`."""
        if (face, "f") in _FACES.values():
            colours = [_FEMININE.get(colour, colour) for colour in colours]
        return f"{face} {', '.join(colours)}"


def _noun(tile: Tile, faces: str) -> tuple[str, str]:
    """What is printed on a tile, and its gender."""
    if tile.is_joker:
        return "joker", "m"
    if faces == "cards" and tile.number in CARDS:
        return _FACES[CARDS[tile.number]]
    return str(tile.number), "m"


def _plural(adjective: str) -> str:
    """Orange has no plural as a colour."""
    return adjective if adjective == "orange" else f"{adjective}s"
