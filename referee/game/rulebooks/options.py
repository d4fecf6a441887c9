"""Options that several rule books share."""

from __future__ import annotations

from referee.game.notice import Notice
from referee.game.rulebooks.choices import Option
from referee.game.rulebooks.model import JokerSets, Starts

REARRANGING = Option(
    "rearranging",
    Notice("rules.option_rearranging"),
    "stays",
    (("stays", (("put_back", False),)), ("put-back", (("put_back", True),))),
)
TIE = Option(
    "tie",
    Notice("rules.option_tie"),
    "shared",
    (("shared", (("scoring.tie_break", False),)), ("extra-round", (("scoring.tie_break", True),))),
)
JOKER_PLACE = Option(
    "joker-place",
    Notice("rules.option_joker_place"),
    "as-laid",
    (("as-laid", (("joker_rule.as_laid", True),)), ("best", (("joker_rule.as_laid", False),))),
    formerly="best",
)
REBUILD = Option(
    "rebuild",
    Notice("rules.option_rebuild"),
    "free",
    (("free", (("strict_rebuild", False),)), ("strict", (("strict_rebuild", True),))),
)
MATCH_TIME = Option(
    "match-time",
    Notice("rules.option_match_time"),
    "open",
    (
        ("open", (("match_minutes", None),)),
        *((str(number), (("match_minutes", number),)) for number in (30, 45, 60, 90, 120)),
    ),
    for_tournaments=True,
)
CHESS_CLOCK = Option(
    "chess-clock",
    Notice("rules.option_chess_clock"),
    "none",
    (
        ("none", (("timing.bank", None), ("timing.delay", 0))),
        *((f"{number}+10", (("timing.bank", 60 * number), ("timing.delay", 10))) for number in (5, 10, 15)),
    ),
    for_tournaments=True,
)
UNOPENED = Option(
    "unopened",
    Notice("rules.option_unopened"),
    "tiles",
    (
        ("tiles", (("scoring.unopened", None), ("scoring.withheld", None))),
        ("100", (("scoring.unopened", 100), ("scoring.withheld", 100))),
        ("200", (("scoring.unopened", 200), ("scoring.withheld", 200))),
        ("100-or-200", (("scoring.unopened", 100), ("scoring.withheld", 200))),
    ),
    for_tournaments=True,
)
DEALT_JOKERS = Option(
    "dealt-jokers",
    Notice("rules.option_dealt_jokers"),
    "by-chance",
    (
        ("by-chance", (("jokers_each", None),)),
        ("one-each", (("jokers_each", 1),)),
    ),
    for_tournaments=True,
)
JOKER_POINTS = Option(
    "joker-points",
    Notice("rules.option_joker_points"),
    "30",
    (("30", (("scoring.joker", 30),)), ("50", (("scoring.joker", 50),))),
    for_tournaments=True,
)
THREE_PAIRS = Option(
    "three-pairs",
    Notice("rules.option_three_pairs"),
    "play-on",
    (("play-on", (("new_hands", False),)), ("new-hands", (("new_hands", True),))),
    for_tournaments=True,
)


def minutes(default: int | None) -> Option:
    """Return the option of how long a turn lasts; without a default there is no clock unless the players want one."""
    clocks = tuple((str(number), (("timing.seconds", 60 * number),)) for number in (1, 2, 3))
    if default is not None:
        return Option("minutes", Notice("rules.option_minutes"), str(default), clocks)
    none = ("none", (("timing.seconds", None),))
    return Option("minutes", Notice("rules.option_minutes_agreed"), "none", (none, *clocks))


def joker_sets(default: JokerSets) -> Option:
    """Return the option of whether jokers alone are a set."""
    key = {JokerSets.ALLOWED: "rules.option_joker_sets", JokerSets.DECLARED: "rules.option_joker_sets_declared"}[
        default
    ]
    choices = tuple((kind.value, (("joker_rule.alone", kind),)) for kind in (default, JokerSets.REFUSED))
    return Option("joker-sets", Notice(key), default.value, choices)


def starts(default: Starts, formerly: Starts | None = Starts.NEXT) -> Option:
    """Return the option of who begins; formerly the players chose for the first round, and then it went clockwise."""
    return Option(
        "starts",
        Notice("rules.option_starts"),
        default.value,
        tuple((kind.value, (("starts", kind),)) for kind in Starts),
        formerly=formerly and formerly.value,
    )
