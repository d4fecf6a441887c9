"""What is said aloud: the sentences of one turn of the loop as one utterance."""

from __future__ import annotations

from collections.abc import Callable

from referee.devices.panel.lights import Tune
from referee.game.match.events import Effect
from referee.game.match.state import State
from referee.game.notice import Notice
from referee.i18n import Wording
from referee.table.looking.look import Look
from referee.table.output.audience import DisplayState, Offers
from referee.table.preparation.prepared import Prepared


class Spoken:
    """An audience that hands utterances to a voice, which must not wait."""

    def __init__(self, say: Callable[[str], None], words: Wording) -> None:
        self._say, self._words = say, words
        self._told: list[Notice] = []

    def on_notice(self, told: Notice) -> None:
        """Keep the sentence; it is spoken with those that follow, at the next call of `on_update()`."""
        self._told.append(told)

    def on_update(self, scene: DisplayState) -> None:
        """Speak the sentences kept since the last call together: the loop has handled all that was to be handled."""
        if self._told:
            words = self._words.of_faces(scene.state.rules.box.faces)
            self._say(words.all(self._told))
            self._told = []

    def on_event(self, effects: tuple[Effect, ...], state: State) -> None:
        """Do nothing: whatever of the effects is to be spoken also comes to `on_notice()`."""

    def on_look(self, look: Look) -> None:
        """Do nothing: looks are not spoken."""

    def on_offers(self, offers: Offers) -> None:
        """Do nothing: offers are not spoken."""

    def moving(self, moves: bool) -> None:
        """Do nothing: movement is not spoken."""

    def troubles(self, told: tuple[Notice, ...]) -> None:
        """Do nothing: new ones also come to `on_notice()`."""

    def on_tune(self, tune: Tune, t: float) -> None:
        """Do nothing: the panel itself plays tunes."""

    def prepares(self, what: Prepared) -> None:
        """Do nothing: preparations are followed on a screen."""
