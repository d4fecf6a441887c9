"""What is remembered of tiles from look to look: as confirmed, as an earlier look of this turn saw them, as told."""

from __future__ import annotations

from dataclasses import replace

from referee.game.match.events import Word
from referee.table.looking.told_tiles import Held, hold
from referee.vision.change.tracking import follow
from referee.vision.reading.prior import with_confirmed, with_seen
from referee.vision.sighting import Read, Sighting


class Memory:
    """Settles doubts of a look with what is known already.

    Confirmed and told from the loop's thread while a look may be under way in another: every value is replaced whole.
    """

    def __init__(self) -> None:
        self.words: tuple[Word, ...] = ()
        """What players have said of tiles that lie there."""
        self._confirmed: tuple[Read, ...] = ()
        self._seen: tuple[Read, ...] = ()
        """What looks since the last confirmed table have read beyond doubt from their pictures alone."""
        self._rounds = 0

    def confirm(self, sighting: Sighting | None) -> None:
        """The table of this sighting was accepted."""
        self._confirmed, self._seen = () if sighting is None else sighting.reads, ()

    def clear(self) -> None:
        """A round begins, and nothing of the last one lies where it lay."""
        self._confirmed, self._seen, self.words, self._rounds = (), (), (), self._rounds + 1

    def settle(self, sighting: Sighting) -> Held:
        """The sighting without the doubts that are settled already, and the words that hold."""
        seen, rounds = self._seen, self._rounds
        held = self.held(sighting)
        if rounds == self._rounds:  # else a round has begun meanwhile
            self._seen = _sure_reads(sighting, seen)
        return held

    def held(self, sighting: Sighting) -> Held:
        """The same, while nothing of this sighting is remembered."""
        confirmed, seen = self._confirmed, self._seen
        held = hold(sighting, self.words, confirmed or seen)
        return replace(held, sighting=with_seen(with_confirmed(held.sighting, confirmed), seen))


def _sure_reads(sighting: Sighting, before: tuple[Read, ...]) -> tuple[Read, ...]:
    """What is sure by this picture, or was by an earlier one and has not been moved."""
    kept = tuple(
        before[j]
        for i, (j, pushed) in follow(sighting.reads, before).items()
        if sighting.reads[i].doubtful and not pushed
    )
    return (*(read for read in sighting.reads if not read.doubtful), *kept)
