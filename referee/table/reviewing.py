"""What players may do about a refused turn: say that it was misread, or agree that it counts as it lies.

1. Both are possible only for the last look that was judged. What was misread can also be told of an accepted turn,
   once its player has taken it back; it counts from the next press on.
2. Both need the table as that look showed it. A new picture must show just that. If anything has moved since, the
   table is read once more, and judged only if it has the same sets. Otherwise players must press again once the
   table lies right.
3. A turn counts by agreement only if that was requested twice and every tile of the table was read. If a tile is
   missing, two players must have requested it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from referee.game.match.agreement import may_agree, may_review, may_tell, takes_two
from referee.game.match.events import Agreed, Reviewed
from referee.game.match.phases import Phase
from referee.game.notice import Notice
from referee.game.table import Table, in_order
from referee.table.input.requests import CountAsItLies, KeepFailure, ReadAgain
from referee.table.looking.look import Look, Reread, failure_of
from referee.table.output.audience import Offers
from referee.table.running_match import MatchObserver, RunningMatch

BOTH = 2
"""How many players must agree if a tile is missing."""
PRESS_AGAIN = Notice("play.told_press_again")
_REFUSED_IN = (Phase.TURN, Phase.PUTTING_RIGHT, Phase.SHOWING)
_Then = Callable[[Look], None]


class Reviewing(MatchObserver):
    """Applies what players say about the last verdict to the match."""

    def __init__(self, match: RunningMatch) -> None:
        self._match, self._presenter, self._worker = match, match.presenter, match.worker
        self._time, self._out = match.time, match.out
        self._offers = Offers()
        self._agree: frozenset[int] = frozenset()
        """The seats of the players who have said that the turn shall count as it lies."""
        self._rereads: dict[int, Reread] = {}
        """The results for tiles of the last look that were read once more, by the index of the read."""
        self._then: tuple[Look, Table, _Then] | None = None
        """A look, its table, and what to do once that table was seen again."""

    @property
    def possible(self) -> bool:
        """Whether the last look can be judged again at the moment."""
        return may_review(self._match.state, self._time.now())

    @property
    def tellable(self) -> bool:
        """Whether players may say what was misread in the last look, although nothing is asked."""
        return may_tell(self._match.state) or self._offers.taken_back

    def take_turn_back(self) -> None:
        """Allow players to say what was misread in the turn that was taken back and goes on."""
        self._offer(Offers(taken_back=True))

    # What was misread ------------------------------------------------------------------------------------------------

    def read_again(self, request: ReadAgain) -> Notice | None:
        """Read a tile of the last look once more; return why that is impossible."""
        seen = self._last(request.look)
        if seen is None or seen.sighting is None or not 0 <= request.read < len(seen.sighting.reads):
            return Notice("play.nothing_to_tell")
        if not self.tellable:
            return Notice("play.nothing_to_tell")
        known = self._rereads.get(request.read)
        if known is not None and known.look.picture is seen.picture:
            self._offer(replace(self._offers, reread=known))
            return None
        if self._worker.busy:
            return Notice("play.looks_already")
        self._worker.reread(seen, request.read)
        return None

    def offer_reread(self, reread: Reread) -> None:
        """Offer the alternatives for a tile that was read once more, and keep them for another request."""
        if self._last(reread.look) is not None:
            self._rereads[reread.read] = reread
            self._offer(replace(self._offers, reread=reread))

    def review(self) -> None:
        """Judge the last look again after players have said what was misread, if the table still lies as it did."""
        seen = self._match.seen
        if seen is not None:
            self._match.seen = seen = seen.with_words(self._match.state.words)
            self._presenter.show_look(seen)
        if seen is None or seen.sighting is None or not self.possible:
            self._presenter.say(PRESS_AGAIN)
        else:
            self._if_same(seen, seen.sighting.table, self._judge_anew)

    def _judge_anew(self, look: Look) -> None:
        state = self._match.state
        if self.possible and self._match.apply_event(Reviewed(state.current, self._time.now())) is None:
            self._match.judge(look, again=True)

    # Agreement -------------------------------------------------------------------------------------------------------

    def agree(self, request: CountAsItLies) -> Notice | None:
        """Handle a request that the refused turn count as it lies; the second one makes it count.

        Returns why that is impossible.
        """
        seen, state = self._last(request.look), self._match.state
        if seen is None or seen.sighting is None or not may_agree(state):
            return Notice("play.nothing_to_agree")
        if seen.sighting.doubts:
            return Notice("play.tell_first")
        first, named = self._offers.agreement, frozenset(() if request.player is None else (request.player,))
        if first is None or first.picture is not seen.picture:
            self._agree = named
            self._offer(replace(self._offers, agreement=seen))
            return None
        self._agree |= named
        if len(self._agree) < BOTH and takes_two(state, seen.sighting.table):
            return Notice("play.agree_by_two")
        by = tuple(sorted(self._agree))
        self._if_same(seen, seen.sighting.table, lambda look: self._accept_by_agreement(look, by))
        return None

    def _accept_by_agreement(self, look: Look, by: tuple[int, ...]) -> None:
        self._offer(Offers())
        if look.sighting is not None:
            self._match.apply_event(Agreed(look.sighting.table, self._time.now(), by))

    # Failures --------------------------------------------------------------------------------------------------------

    def keep_failure(self, request: KeepFailure) -> Notice | None:
        """Keep the last look for training; return why that is impossible."""
        seen = self._last(request.look)
        failure = None if seen is None else failure_of(seen, self._match.state.rules.name)
        if failure is None or self._out.keep_failure is None:
            return Notice("play.failure_not_kept")
        self._out.keep_failure(failure)
        return None

    # The table -------------------------------------------------------------------------------------------------------

    def handle_look(self, answer: Look) -> bool:
        """Continue with what waited for this look; return False if nothing did.

        Such a look is taken only to check that the table still lies as it did.
        """
        waiting, self._then = self._then, None
        if waiting is None or self._match.state.phase not in _REFUSED_IN:
            return False
        known, table, then = waiting
        seen, unmoved = answer.sighting, answer.picture is known.picture
        if seen is None or not (unmoved or (not seen.doubts and _is_same_table(seen.table, table))):
            self._offer(Offers())
            self._presenter.say(PRESS_AGAIN)
            return True
        self._match.seen = answer
        self._presenter.show_look(answer)
        then(answer)
        return True

    def _if_same(self, seen: Look, table: Table, then: _Then) -> None:
        self._then = seen, table, then
        self._worker.want(self._out.monotonic(), seen)

    def begin_round(self) -> None:
        """Withdraw the offers about the last round."""
        self.forget_look()

    def forget_look(self) -> None:
        """Withdraw the offers about the last look."""
        self._then, self._agree = None, frozenset()
        self._rereads.clear()
        if self._offers != Offers():
            self._offer(Offers())

    def _last(self, look: Look) -> Look | None:
        """Return the last look if it is the one that is meant; otherwise None."""
        seen = self._match.seen
        return seen if seen is not None and seen.picture is look.picture else None

    def _offer(self, offers: Offers) -> None:
        self._offers = offers
        self._presenter.show_offers(offers)


def _is_same_table(one: Table, other: Table) -> bool:
    """Return whether both tables have the same sets."""
    return Counter(map(in_order, one)) == Counter(map(in_order, other))
