"""What a voice says of what players are told: which messages at which level, and several faults as one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.game.notice import Notice
from referee.i18n.notices import NOTICES, Speech

LEVELS: Mapping[str, frozenset[Speech]] = {
    "everything": frozenset(Speech),
    "verdicts": frozenset({Speech.FAULT, Speech.STEP, Speech.VERDICT, Speech.QUESTION, Speech.TURN}),
    "clock": frozenset({Speech.CLOCK}),
    "silent": frozenset(),
}
"""The kinds of messages that are spoken at each level."""
COUNTDOWN: Mapping[int, Notice] = {30: Notice("play.seconds_30"), 10: Notice("play.seconds_10")}
"""What is said when the clock of a turn passes a mark, by the seconds left."""
_MORE = {Speech.FAULT: "play.more_faults", Speech.STEP: "play.more_steps"}
"""What is said instead of all messages of a kind but the first."""
_GONE_OUT = "match.gone_out"
_CALLS = {"rummikub": Notice("play.rummikub")}
_USUAL_CALL = Notice("play.rummy")


def levels_of(told: Notice) -> list[str]:
    """Return the levels at which a notice is spoken."""
    kind = kind_of_speech(told)
    return [level for level, kinds in LEVELS.items() if kind in kinds]


def kind_of_speech(told: Notice) -> Speech:
    """Return what kind of message a notice is; everything that is not declared as spoken is news."""
    return NOTICES[told.key].spoken or Speech.NEWS


def select_spoken(told: Sequence[Notice], book: str) -> list[tuple[Notice, ...]]:
    """Return for each of the notices told at once what a voice says for it, which may be nothing.

    Of several faults in a row, or several steps, only the first is said, and how many more there are. When somebody
    has laid the last tile, the call of the game is said first; `book` is the name of the rule book.
    """
    kinds = [kind_of_speech(notice) for notice in told]
    spoken: list[tuple[Notice, ...]] = []
    for index, (notice, kind) in enumerate(zip(told, kinds, strict=True)):
        if kind in _MORE and index and kinds[index - 1] is kind:
            spoken.append(())
        elif kind in _MORE and (more := _length_of_run(kinds[index:]) - 1):
            spoken.append((notice, Notice(_MORE[kind], number=more)))
        elif notice.key == _GONE_OUT:
            spoken.append((_CALLS.get(book, _USUAL_CALL), notice))
        else:
            spoken.append((notice,))
    return spoken


def _length_of_run(kinds: Sequence[Speech]) -> int:
    return next((number for number, kind in enumerate(kinds) if kind is not kinds[0]), len(kinds))
