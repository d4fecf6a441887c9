"""Handles what players say about tiles that could not be read: with buttons, at the console, or on a screen."""

from __future__ import annotations

import math

from referee.errors import BadInput
from referee.game.match.events import About, Settled, Word
from referee.game.match.phases import Phase
from referee.game.notice import Notice, told_by
from referee.game.tiles import Tile
from referee.table.input.answers import Answer, likely_tiles
from referee.table.input.buttons import Buttons
from referee.table.input.commands import Command
from referee.table.input.requests import PlaceTile, TellTile
from referee.table.looking.doubts import reads_in_doubt
from referee.table.looking.look import Look
from referee.table.looking.told_tiles import with_unseen, word_for
from referee.table.preparation.enrolment import ENROL, Enrolment
from referee.table.reviewing import Reviewing
from referee.table.running_match import MatchObserver, RunningMatch
from referee.table.starting import Starting
from referee.vision.finding.told_place import angle_beside, place_of_pixel
from referee.vision.sighting import Read, Sighting

NOTHING_TO_TELL = Notice("play.nothing_to_tell")
TAKEN_MM = 13.0
"""No other tile can lie closer than this to the middle of a tile, in millimetres."""


class TileAnswers(MatchObserver):
    """Applies what players say about tiles to the match."""

    def __init__(
        self, match: RunningMatch, buttons: Buttons, enrolment: Enrolment, starting: Starting, reviewing: Reviewing
    ) -> None:
        self._match, self._buttons, self._enrolment = match, buttons, enrolment
        self._starting, self._reviewing = starting, reviewing
        self._settling, self._presenter = match.settling, match.presenter
        self._misread: set[int] = set()
        """The tiles of the last look that players said were misread; this can be said once for each."""

    def handle_command(self, command: Command) -> bool:
        """Continue the dialogue about a tile in doubt; return False if the command is not part of it."""
        reply = self._settling.reply_to(command, self._match.state)
        if reply is None:
            return False
        self._presenter.choice(self._settling.answers.shown_choice)
        if reply.about is None:
            if reply.told is not None:
                self._presenter.say(reply.told)
        else:
            about, seat = reply.about, self._match.state.current
            self._tell(about.read, about.offered, reply.chosen[0], seat, "buttons")
        return True

    def answer_at_console(self, answer: Answer) -> None:
        """Handle a line at the console: what a tile in question is, or a line for an enrolment."""
        if answer.text == ENROL:
            self._enrolment.begin(lobby=self._match.state.phase is Phase.LOBBY)
            return
        if self._enrolment.take_line(answer.text, self._match.out.monotonic()):
            return
        players, current = self._buttons.players, self._match.state.current
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

    def tell_tile(self, request: TellTile) -> Notice | None:
        """Handle what somebody on a screen says about a tile that was read; return why that is impossible."""
        sighting = self._sighting_of(request.look)
        if sighting is None or not 0 <= request.read < len(sighting.reads):
            return NOTHING_TO_TELL
        read, asked = sighting.reads[request.read], self._is_tile_asked
        if asked and not read.doubtful:
            return NOTHING_TO_TELL  # somebody has told it already
        if not asked and request.read in self._misread:
            return Notice("play.told_once")
        refused = self._tell(read, likely_tiles(read), request.tile, request.player, "page")
        if refused is None and not asked:
            self._misread.add(request.read)
        return refused

    def place_tile(self, request: PlaceTile) -> Notice | None:
        """Handle what somebody on a screen says about a tile that was not found; return why that is impossible."""
        sighting = self._sighting_of(request.look)
        if sighting is None:
            return NOTHING_TO_TELL
        place = place_of_pixel(sighting, *request.at_px)
        if place is None or self._match.state.phase.deals:
            return Notice("play.place_unknown")
        if any(math.dist(place, (read.x_mm or 0.0, read.y_mm or 0.0)) < TAKEN_MM for read in sighting.reads):
            return Notice("play.place_taken")
        x, y = place
        word = Word(request.tile, x, y, angle_beside(sighting, x, y), (), About.UNSEEN)
        if not with_unseen(sighting, (word,))[1]:
            return Notice("play.no_room_in_box", tile=request.tile)
        return self._keep(word, request.player, "page")

    def forget_look(self) -> None:
        """Forget which tiles were said to be misread, since each tile of the next look can be misread."""
        self._misread.clear()

    @property
    def _is_tile_asked(self) -> bool:
        """Whether players are asked about a tile."""
        return self._match.state.asked or self._settling.answers.open is not None

    def _sighting_of(self, look: Look) -> Sighting | None:
        """Return the sighting of the last look, if that look is meant and players may say something about it."""
        seen = self._match.seen
        if seen is None or seen.picture is not look.picture or not (self._is_tile_asked or self._reviewing.tellable):
            return None
        return seen.sighting

    def _tell(
        self, read: Read, shown: tuple[Tile | None, ...], tile: Tile | None, seat: int | None, by: str
    ) -> Notice | None:
        """Keep as a word of the players what a tile is, and judge the look in question with it."""
        word = word_for(read, tile, shown, About.DOUBT if read.doubtful else About.MISREAD)
        self._settling.answers.settle(read)
        self._presenter.choice(None)
        return self._keep(word, seat, by)

    def _keep(self, word: Word, seat: int | None, by: str) -> Notice | None:
        seen, was = self._match.seen, self._match.state
        if self._match.state.phase.deals:
            if (refused := self._deal_after(seen, word)) is not None:
                return refused
            seat = seat if by == "page" else self._match.state.current
            return self._match.apply_event(Settled(seat, self._match.time.now(), word, by))
        refused = self._match.apply_event(Settled(seat, self._match.time.now(), word, by))
        if refused is not None or seen is None or self._match.worker.waits:
            return refused
        if was.asked:
            self._match.seen = seen.with_words(self._match.state.words)
            self._presenter.show_look(self._match.seen)
            self._match.judge(self._match.seen, again=True)
        elif by == "page":
            self._reviewing.review()
        if self._match.seen is not None and word.about is About.UNSEEN:
            self._match.worker.note_answers(self._match.seen)
        return None

    def _deal_after(self, seen: Look | None, word: Word) -> Notice | None:
        """Deal, now that players have named the tile set aside; return why that is impossible."""
        told = None if seen is None else seen.with_words((word,))
        if told is None or told.sighting is None:
            return NOTHING_TO_TELL
        return self._starting.deal(self._match.time.now(), told.sighting.table, reads_in_doubt(told))
