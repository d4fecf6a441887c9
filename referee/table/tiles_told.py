"""What players tell of tiles that cannot be read: with buttons, at the console, or at a screen."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from referee.errors import BadInput
from referee.game.match.events import About, Settled, Word
from referee.game.match.phases import Phase
from referee.game.notice import Notice, told_by
from referee.game.tiles import Tile
from referee.table.input.answer_buttons import Settling
from referee.table.input.answers import Answer, likely_tiles
from referee.table.input.commands import Command
from referee.table.input.requests import TileHere, TileTold
from referee.table.looking.doubts import reads_in_doubt
from referee.table.looking.look import Look
from referee.table.looking.told_tiles import with_unseen, word_for
from referee.table.looking.vision_worker import Worker
from referee.table.output.presenter import Presenter
from referee.table.preparation.enrolment import ENROL
from referee.table.session import MatchTime
from referee.table.surroundings import Surroundings
from referee.vision.finding.told_place import angle_beside, place_of_pixel
from referee.vision.sighting import Read, Sighting

if TYPE_CHECKING:
    from referee.table.controller import Controller

TAKEN_MM = 13.0
"""Nearer to the middle of a tile than this no other one can lie."""


class TilesTold:
    """Takes what players tell of tiles, in whichever way, to the match that the controller runs."""

    def __init__(
        self, controller: Controller, settling: Settling, presenter: Presenter, worker: Worker, time: MatchTime,
        out: Surroundings,
    ) -> None:  # fmt: skip
        self._match, self._settling = controller, settling
        self._presenter, self._worker, self._time, self._out = presenter, worker, time, out
        self._misread: set[int] = set()
        """The tiles of the last look that were said to be misread; each is once."""

    def chosen(self, command: Command) -> bool:
        """Whether a command belongs to the dialogue about a tile that players may tell."""
        reply = self._settling.heard(command, self._match.session.state)
        if reply is None:
            return False
        self._presenter.choice(self._settling.answers.shown)
        if reply.about is None:
            if reply.told is not None:
                self._presenter.say(reply.told)
        else:
            about, seat = reply.about, self._match.session.state.current
            self._tell(about.read, about.offered, reply.chosen[0], seat, "buttons")
        return True

    def answered(self, answer: Answer) -> None:
        """Somebody at the console says what a tile is that is asked about."""
        now = self._out.monotonic()
        if answer.text == ENROL:
            self._match.enrolment.begin(lobby=self._match.session.state.phase is Phase.LOBBY)
            return
        if self._match.enrolment.said(answer.text, now):
            return
        players, current = self._match.buttons.players, self._match.session.state.current
        seat = current if answer.button is None else players.seat(answer.button)
        about = self._settling.answers.open
        try:
            tile = self._settling.answers.tile(answer.text)
        except BadInput as error:
            self._presenter.not_now(told_by(error))
            return
        if about is not None and seat is None:
            self._presenter.not_now(Notice("play.nobodys_button"))
        elif about is not None and seat is not None:
            self._tell(about.read, about.offered, tile, seat, "console")

    def wished(self, wish: TileTold | TileHere) -> Notice | None:
        """Somebody at a screen wants something; gives why that cannot be, None where it was done."""
        state, seen = self._match.session.state, self._match.seen
        sighting = None if seen is None else seen.sighting
        asked = state.asked or self._settling.answers.open is not None
        last = seen is not None and seen.picture is wish.look.picture
        if sighting is None or not last or not (asked or self._match.reviewing.tellable):
            return Notice("play.nothing_to_tell")
        if isinstance(wish, TileHere):
            return self._told_here(sighting, wish)
        if not 0 <= wish.read < len(sighting.reads):
            return Notice("play.nothing_to_tell")
        read = sighting.reads[wish.read]
        if asked and not read.doubtful:
            return Notice("play.nothing_to_tell")  # somebody has told it already
        if not asked and wish.read in self._misread:
            return Notice("play.told_once")
        told = self._tell(read, likely_tiles(read), wish.tile, wish.player, "page")
        if told is None and not asked:
            self._misread.add(wish.read)
        return told

    def forget(self) -> None:
        """Another look is due, and all of its tiles can be told."""
        self._misread.clear()

    def _told_here(self, sighting: Sighting, wish: TileHere) -> Notice | None:
        """Somebody says that a tile lies where none was found."""
        place = place_of_pixel(sighting, *wish.at_px)
        if place is None or self._match.session.state.phase.deals:
            return Notice("play.place_unknown")
        if any(math.dist(place, (read.x_mm or 0.0, read.y_mm or 0.0)) < TAKEN_MM for read in sighting.reads):
            return Notice("play.place_taken")
        x, y = place
        word = Word(wish.tile, x, y, angle_beside(sighting, x, y), (), About.UNSEEN)
        if not with_unseen(sighting, (word,))[1]:
            return Notice("play.no_room_in_box", tile=wish.tile)
        return self._keep(word, wish.player, "page")

    def _tell(
        self, read: Read, shown: tuple[Tile | None, ...], tile: Tile | None, seat: int | None, by: str
    ) -> Notice | None:
        """Players have said what a tile is: it is kept as their word, and the look in question is judged with it."""
        word = word_for(read, tile, shown, About.DOUBT if read.doubtful else About.MISREAD)
        self._settling.answers.settled(read)
        self._presenter.choice(None)
        return self._keep(word, seat, by)

    def _keep(self, word: Word, seat: int | None, by: str) -> Notice | None:
        seen, was = self._match.seen, self._match.session.state
        if self._match.session.state.phase.deals:
            if (told := self._dealt_after(seen, word)) is not None:
                return told
            seat = seat if by == "page" else self._match.session.state.current
            return self._match.refusal(Settled(seat, self._time.now(), word, by))
        told = self._match.refusal(Settled(seat, self._time.now(), word, by))
        if told is not None or seen is None or self._worker.waits:
            return told
        if was.asked:
            self._match.seen = seen.told(self._match.session.state.words)
            self._presenter.looked(self._match.seen)
            self._match.judge(self._match.seen, again=True)
        elif by == "page":
            self._match.reviewing.review()
        if self._match.seen is not None and word.about is About.UNSEEN:
            self._worker.told_of(self._match.seen)
        return None

    def _dealt_after(self, seen: Look | None, word: Word) -> Notice | None:
        """Deal, now that players have said what lies aside; gives why that is not enough to begin."""
        told = None if seen is None else seen.told((word,))
        if told is None or told.sighting is None:
            return Notice("play.nothing_to_tell")
        return self._match.starting.dealt(self._time.now(), told.sighting.table, reads_in_doubt(told))
