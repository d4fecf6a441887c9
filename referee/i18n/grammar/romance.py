"""What French and Italian share: genders, adjectives that agree, prepositions that merge with the article."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping

from referee.game.tiles import Colour, Tile
from referee.i18n.grammar.base import CARDS, Language


class Romance(Language):
    """The cases are `of` (du 7, del 7) and `to` (au 7, al 7), or no case.

    A gender is `m` (masculine), `f` (feminine), or `v` (masculine, beginning with a vowel sound).
    """

    adjectives: Mapping[Colour, tuple[str, str]]
    """The masculine and the feminine form of each colour."""
    feminine_plurals: Mapping[Colour, str]
    faces: Mapping[str, tuple[str, str]]
    """The name of each card, and its gender."""
    articles: Mapping[str, Mapping[str, str]]
    """Articles by case, then by gender."""
    joker: str

    def colour(self, colour: Colour, how: str) -> str:
        """`noir`; as a noun `le noir`; after tiles, which are feminine, `noires`."""
        masculine = self.adjectives[colour][0]
        if how == "noun":
            return self.articles[""]["v" if colour is Colour.ORANGE else "m"] + masculine
        return self.feminine_plurals[colour] if how == "plural" else masculine

    def face(self, tile: Tile, faces: str) -> str:
        """Return a number, a card's name, or joker."""
        return self.noun(tile, faces)[0]

    def bare(self, tile: Tile, faces: str) -> str:
        """`7 rouge`, `dame noire`."""
        noun, gender = self.noun(tile, faces)
        return noun if tile.colour is None else f"{noun} {self.adjectives[tile.colour][gender == 'f']}"

    def the(self, tile: Tile, case: str, faces: str) -> str:
        """`le 7 rouge`, `de la dame noire`."""
        return self.articles[case][self.noun(tile, faces)[1]] + self.bare(tile, faces)

    def the_number(self, tile: Tile, faces: str) -> str:
        """`le 7`."""
        noun, gender = self.noun(tile, faces)
        return self.articles[""][gender] + noun

    def noun(self, tile: Tile, faces: str) -> tuple[str, str]:
        """Return what is printed on a tile, and its gender."""
        if tile.is_joker:
            return self.joker, "m"
        if faces == "cards" and tile.number in CARDS:
            return self.faces[CARDS[tile.number]]
        return str(tile.number), self.gender(tile.number)

    @abstractmethod
    def gender(self, number: int) -> str:
        """Return the gender of a number."""
