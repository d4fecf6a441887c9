"""Options that several rule books share."""

from __future__ import annotations

from referee.game.rulebooks.model import JokerSets, Option

REARRANGING = Option(
    "rearranging",
    "A table rebuilt without a tile from the hand: stays, and a tile is drawn; or must be put back.",
    "stays",
    (("stays", (("put_back", False),)), ("put-back", (("put_back", True),))),
)
TIE = Option(
    "tie",
    "A tie for the match: shared, or played out in one more round.",
    "shared",
    (("shared", (("scoring.tie_break", False),)), ("extra-round", (("scoring.tie_break", True),))),
)
JOKER_PLACE = Option(
    "joker-place",
    "A joker in a row is the number of its place, or what suits best.",
    "as-laid",
    (("as-laid", (("joker_rule.as_laid", True),)), ("best", (("joker_rule.as_laid", False),))),
    formerly="best",
)
REBUILD = Option(
    "rebuild",
    "strict: of a set that loses only some tiles, three stay together.",
    "free",
    (("free", (("strict_rebuild", False),)), ("strict", (("strict_rebuild", True),))),
)


def minutes(default: int | None) -> Option:
    """How long a turn lasts; without a default there is no clock unless the players want one."""
    clocks = tuple((str(number), (("timing.seconds", 60 * number),)) for number in (1, 2, 3))
    if default is not None:
        return Option("minutes", "How many minutes a turn lasts.", str(default), clocks)
    none = ("none", (("timing.seconds", None),))
    return Option("minutes", "How many minutes a turn lasts, if you agree on a clock.", "none", (none, *clocks))


def joker_sets(default: JokerSets) -> Option:
    """Whether jokers alone may lie as a set."""
    text = {JokerSets.ALLOWED: "allowed", JokerSets.DECLARED: "allowed if you say what each stands for"}[default]
    choices = tuple((kind.value, (("joker_rule.alone", kind),)) for kind in (default, JokerSets.REFUSED))
    return Option("joker-sets", f"Jokers alone as a set: {text}, or refused.", default.value, choices)
