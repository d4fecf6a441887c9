"""Italian: ``il 7 rosso``, ``del fante nero``, ``due regine blu e 2 jolly``."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from referee.game.tiles import Colour, Tile
from referee.i18n.grammar.romance import Romance

_ADJECTIVES = {
    Colour.BLACK: ("nero", "nera"), Colour.BLUE: ("blu", "blu"), Colour.RED: ("rosso", "rossa"),
    Colour.YELLOW: ("giallo", "gialla"), Colour.ORANGE: ("arancione", "arancione"), Colour.GREEN: ("verde", "verde"),
}  # fmt: skip
_PLURALS = {
    Colour.BLACK: ("neri", "nere"), Colour.BLUE: ("blu", "blu"), Colour.RED: ("rossi", "rosse"),
    Colour.YELLOW: ("gialli", "gialle"), Colour.ORANGE: ("arancioni", "arancioni"), Colour.GREEN: ("verdi", "verdi"),
}  # fmt: skip
_BEGIN_WITH_A_VOWEL = {1, 8, 11}
"""Numbers that begin with a vowel: uno, otto, undici."""
_TIMES = {2: "due", 3: "tre", 4: "quattro"}
_SEVERAL = {"asso": "assi", "fante": "fanti", "regina": "regine"}
"""Nouns with a different plural; numbers, jolly and re do not change."""
_FACES = {"ace": ("asso", "v"), "jack": ("fante", "m"), "queen": ("regina", "f"), "king": ("re", "m")}
_ARTICLES = {
    "": {"m": "il ", "f": "la ", "v": "l'"},
    "of": {"m": "del ", "f": "della ", "v": "dell'"},
    "to": {"m": "al ", "f": "alla ", "v": "all'"},
}
_FEMININE_PLURALS = {colour: feminine for colour, (_, feminine) in _PLURALS.items()}


def _sounds_like(word: str, vowel: str) -> bool:
    """Return whether a word begins with that vowel, with or without an accent."""
    return unicodedata.normalize("NFD", word[:1]).lower().startswith(vowel)


class Italian(Romance):
    """`7 rosso`, `del 7 rosso`, `al 7 rosso`."""

    and_, or_, decimal = "e", "o", ","
    joker = "jolly"
    adjectives = _ADJECTIVES
    feminine_plurals = _FEMININE_PLURALS
    faces = _FACES
    articles = _ARTICLES

    def gender(self, number: int) -> str:
        """`il 7`, `l'8`."""
        return "v" if number in _BEGIN_WITH_A_VOWEL else "m"

    def several(self, tile: Tile, times: int, case: str, faces: str) -> str:
        """`due 7 rossi`, `di due regine blu`, `2 jolly`."""
        return f"{'di ' * (case == 'of')}{'a ' * (case == 'to')}{self.many(tile, times, faces)}"

    def many(self, tile: Tile, times: int, faces: str) -> str:
        """`tre 7 rossi`, `due regine blu`, `2 jolly`."""
        if tile.is_joker:
            return f"{times} jolly"
        noun, gender = self.noun(tile, faces)
        if times == 1:
            return f"un{'a' * (gender == 'f')} {self.bare(tile, faces)}"
        colour = "" if tile.colour is None else f" {_PLURALS[tile.colour][gender == 'f']}"
        return f"{_TIMES.get(times, times)} {_SEVERAL.get(noun, noun)}{colour}"

    def run(self, faces: Sequence[str], colour: Colour) -> str:
        """`5 6 7 rossi`; a joker has no colour: `5 6 rossi, jolly`, `jolly, regina rossa, jolly`."""
        plain = [place for place, face in enumerate(faces) if face != self.joker]
        first, last = plain[0], plain[-1]
        one = _ADJECTIVES[colour][faces[first] == _FACES["queen"][0]]
        middle = f"{' '.join(faces[first : last + 1])} {one if first == last else _PLURALS[colour][0]}"
        return ", ".join([*faces[:first], middle, *faces[last + 1 :]])

    def name(self, name: str, case: str) -> str:
        """`Ben`; with the case `to`: `a Ben`, `ad Anna`."""
        return name if case != "to" else f"{'ad' if _sounds_like(name, 'a') else 'a'} {name}"

    def join_parts(self, parts: Sequence[str], *, either: bool = False) -> str:
        """`Anna, Ben e Cleo`, but `Anna ed Emma`."""
        if either or len(parts) < 2 or not _sounds_like(parts[-1], "e"):
            return super().join_parts(parts, either=either)
        return f"{', '.join(parts[:-1])} ed {parts[-1]}"
