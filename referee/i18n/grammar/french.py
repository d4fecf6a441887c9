"""French: ``le 7 rouge``, ``du valet noir``, ``2 jokers et la dame bleue``."""

from __future__ import annotations

from collections.abc import Sequence

from referee.game.tiles import Colour, Tile
from referee.i18n.grammar.romance import Romance

_ADJECTIVES = {
    Colour.BLACK: ("noir", "noire"), Colour.BLUE: ("bleu", "bleue"), Colour.RED: ("rouge", "rouge"),
    Colour.YELLOW: ("jaune", "jaune"), Colour.ORANGE: ("orange", "orange"), Colour.GREEN: ("vert", "verte"),
}  # fmt: skip
_TIMES = {2: "deux", 3: "trois", 4: "quatre"}


def _plural(adjective: str) -> str:
    """Return the plural of an adjective; the colour orange has none."""
    return adjective if adjective == "orange" else f"{adjective}s"


_FACES = {"ace": ("as", "v"), "jack": ("valet", "m"), "queen": ("dame", "f"), "king": ("roi", "m")}
_ARTICLES = {
    "": {"m": "le ", "f": "la ", "v": "l'"},
    "of": {"m": "du ", "f": "de la ", "v": "de l'"},
    "to": {"m": "au ", "f": "à la ", "v": "à l'"},
}
_PLURAL_ARTICLES = {"": "les", "of": "des", "to": "aux"}
_FEMININE_PLURALS = {colour: _plural(feminine) for colour, (_, feminine) in _ADJECTIVES.items()}


class French(Romance):
    """`7 rouge`, `du 7 rouge`, `au 7 rouge`."""

    and_, or_, decimal, colon, semicolon = "et", "ou", ",", " : ", " ; "
    joker = "joker"
    adjectives = _ADJECTIVES
    feminine_plurals = _FEMININE_PLURALS
    faces = _FACES
    articles = _ARTICLES

    def gender(self, _: int) -> str:
        """`le 8`, `le 11`: the article is never elided before a number."""
        return "m"

    def several(self, tile: Tile, times: int, case: str, faces: str) -> str:
        """`les deux 7 rouges`, `des deux 7 rouges`, `2 jokers`."""
        if tile.is_joker:
            return f"{'de ' * (case == 'of')}{'à ' * (case == 'to')}{times} jokers"
        return f"{_PLURAL_ARTICLES[case]} {self.many(tile, times, faces)}"

    def many(self, tile: Tile, times: int, faces: str) -> str:
        """`trois 7 rouges`, `deux dames noires`, `3 jokers`."""
        if tile.colour is None:
            return f"{times} jokers"
        noun, gender = self.noun(tile, faces)
        named = noun if noun.isdigit() or noun.endswith("s") else f"{noun}s"
        return f"{_TIMES.get(times, times)} {named} {_plural(_ADJECTIVES[tile.colour][gender == 'f'])}"

    def run(self, faces: Sequence[str], colour: Colour) -> str:
        """`5 6 7 rouges`; `5 6 joker en rouge`, as a joker has no colour that an adjective could agree with."""
        named = " ".join(faces)
        masculine = _ADJECTIVES[colour][0]
        return f"{named} en {masculine}" if self.joker in faces else f"{named} {_plural(masculine)}"
