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

    def said(self, told: Notice) -> None:
        """As Audience.said."""
        self._told.append(told)

    def shown(self, scene: DisplayState) -> None:
        """As Audience.shown: the loop has done what was to be done, so that all of it has been said."""
        if self._told:
            words = self._words.of_faces(scene.state.rules.box.faces)
            self._say(words.all(self._told))
            self._told = []

    def told(self, effects: tuple[Effect, ...], state: State) -> None:
        """As Audience.told: whatever of it is spoken is said, too."""

    def looked(self, look: Look) -> None:
        """As Audience.looked."""

    def offered(self, offers: Offers) -> None:
        """As Audience.offered."""

    def moving(self, moves: bool) -> None:
        """As Audience.moving."""

    def troubles(self, told: tuple[Notice, ...]) -> None:
        """As Audience.troubles: news of them is said, too."""

    def played(self, tune: Tune, t: float) -> None:
        """As Audience.played."""

    def prepares(self, what: Prepared) -> None:
        """As Audience.prepares: whoever looks at that sits before a screen."""
