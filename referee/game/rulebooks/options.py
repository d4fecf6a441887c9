"""Options that several rule books share."""

from __future__ import annotations

from referee.game.rulebooks.model import JokerSets, Option, Starts

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


def starts(default: Starts, formerly: Starts | None = Starts.NEXT) -> Option:
    """Who begins a round; formerly the players told who begins the first one, and then it went clockwise."""
    return Option(
        "starts",
        "Who begins a round: by lot, as you agree, whoever draws the highest number, the next player clockwise, or the"
        " winner of the last round (of the first one by lot).",
        default.value,
        tuple((kind.value, (("starts", kind),)) for kind in Starts),
        formerly=formerly and formerly.value,
    )
