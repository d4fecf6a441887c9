"""An audience that speaks: the sentences of one turn of the loop are one utterance."""

from __future__ import annotations

from collections.abc import Callable

from referee.devices.voice import Phrase
from referee.game.notice import Notice
from referee.i18n import Wording
from referee.table.output.audience import DisplayState, PartialAudience
from referee.table.output.clock_marks import ClockMarks
from referee.table.output.speech import COUNTDOWN, LEVELS, kind_of_speech, select_spoken


class Spoken(PartialAudience):
    """An audience that passes utterances to a voice; `say` must return at once."""

    def __init__(
        self,
        say: Callable[[tuple[Phrase, ...]], None],
        words: Wording,
        now: Callable[[], float],
        level: str = "everything",
    ) -> None:
        """`now` is the clock of the loop, in monotonic seconds; `level` is one of `LEVELS`."""
        self._say, self._words, self._kinds = say, words, LEVELS[level]
        self._marks = ClockMarks(now, tuple(COUNTDOWN))
        self._told: list[Notice] = []

    def on_notice(self, told: Notice) -> None:
        """Keep the notice; the next call of `on_update()` speaks it, together with those that follow."""
        self._told.append(told)

    def on_update(self, scene: DisplayState) -> None:
        """Speak what was told since the last call as one utterance, and the marks that the clock has passed."""
        if scene.waiting:
            return
        told, self._told = self._told, []
        told += [COUNTDOWN[mark] for mark in self._marks.passed(scene.state, scene.zero)]
        rules = scene.state.rules
        words = self._words.of_faces(rules.box.faces)
        spoken = (notice for part in select_spoken(told, rules.name) for notice in part)
        phrases = tuple(
            Phrase(words.short(notice), notice.key if words.is_fixed(notice) else "")
            for notice in spoken
            if kind_of_speech(notice) in self._kinds
        )
        if phrases:
            self._say(phrases)
