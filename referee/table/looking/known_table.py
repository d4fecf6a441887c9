"""What a look is compared with: the table as it was confirmed, as it looks bare, and with things that may stay on it.

It is updated in the loop's thread while a look may be running in another, so every value is replaced as a whole.

Tiles are remembered from look to look: as confirmed, as read by an earlier look of this turn, and as players have
said.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from referee.game.match.events import Word
from referee.game.table import Table, tiles_on
from referee.table.looking.told_tiles import Held, hold
from referee.vision.change.absence import Place, places, without_bare_places
from referee.vision.change.bare_table import Bare
from referee.vision.change.occlusion import Cover, TopView, covers
from referee.vision.change.tracking import follow, with_confirmed, with_seen
from referee.vision.sighting import Floats, Image, Read, Sighting


class Memory:
    """Settles doubts of a look with what is known already.

    It is updated in the loop's thread while a look may be running in another, so every value is replaced as a whole.
    """

    def __init__(self) -> None:
        self.words: tuple[Word, ...] = ()
        """What players have said of tiles that lie there."""
        self._confirmed: tuple[Read, ...] = ()
        self._confirmed_before: tuple[Read, ...] = ()
        """The table as it was confirmed one turn earlier; it holds again if the last turn is taken back."""
        self._seen: tuple[Read, ...] = ()
        """What looks since the last confirmed table have read beyond doubt from their pictures alone."""
        self._rounds = 0

    def confirm(self, sighting: Sighting | None) -> None:
        """Remember the tiles of an accepted table."""
        self._confirmed_before, self._seen = self._confirmed, ()
        self._confirmed = () if sighting is None else sighting.reads

    def take_back(self) -> None:
        """Forget the table that was accepted last; the one before it counts again."""
        self._confirmed, self._seen = self._confirmed_before, ()

    def clear(self) -> None:
        """Forget all tiles, as a round begins."""
        self._confirmed, self._confirmed_before, self._seen = (), (), ()
        self.words, self._rounds = (), self._rounds + 1

    def settle(self, sighting: Sighting) -> Held:
        """Return the sighting with known doubts settled and the words that hold; remember its sure reads."""
        seen, rounds = self._seen, self._rounds
        held = self.hold_known(sighting)
        if rounds == self._rounds:  # else a round has begun meanwhile
            self._seen = _sure_reads(sighting, seen)
        return held

    def hold_known(self, sighting: Sighting) -> Held:
        """Return the same as `settle()` without remembering anything of this sighting."""
        confirmed, seen = self._confirmed, self._seen
        held = hold(sighting, self.words, confirmed or seen)
        return replace(held, sighting=with_seen(with_confirmed(held.sighting, confirmed), seen))


def _sure_reads(sighting: Sighting, before: tuple[Read, ...]) -> tuple[Read, ...]:
    """Return the reads that are sure in this picture, or were in an earlier one and have not been moved."""
    kept = tuple(
        before[j]
        for i, (j, pushed) in follow(sighting.reads, before).items()
        if sighting.reads[i].doubtful and not pushed
    )
    return (*(read for read in sighting.reads if not read.doubtful), *kept)


def lesson_of(plain: Sighting | None, picture: Image | None, table: Table) -> tuple[Sighting, int] | None:
    """Return what the reader may learn from a look at a confirmed table, with the picture's width; None for nothing.

    Only reads that the pictures alone showed beyond doubt are used. If the confirmed table lacks one of them, players
    have corrected it, and nothing of the look can be trusted.
    """
    if plain is None or picture is None:
        return None
    sure = Counter(read.tile for read in plain.reads if not read.doubtful and read.tile is not None)
    return None if sure - tiles_on(table) else (plain, picture.shape[1])


class KnownTable:
    """Earlier views of the table, with which later ones are compared."""

    def __init__(self) -> None:
        self._before: TopView | None = None
        """By this one covers are noticed: the table as confirmed, or with what was let stay over it."""
        self._known: TopView | None = None
        """The table as it was confirmed."""
        self._bare: Bare | None = None
        self._due: list[TopView] = []
        """What is to be added to it when nobody waits for it."""

    @property
    def is_accustomed(self) -> bool:
        """Whether there is a view by which a cover would be noticed."""
        return self._before is not None

    @property
    def has_confirmed_view(self) -> bool:
        """Whether it is known how the confirmed table looks."""
        return self._known is not None

    def confirm(self, view: TopView) -> None:
        """Remember the view of an accepted table."""
        self._before = self._known = view
        self._due = [*self._due[-1:], view]

    def accustom(self, view: TopView) -> None:
        """Accept whatever lies over the table in this view."""
        self._before = view
        if self._known is None:
            self._known, self._due = view, [view]

    def recall(self, view: TopView, *, confirmed: bool) -> None:
        """A view of this match from before a power cut; `confirmed`: it shows the table as it was confirmed last.

        Covers are not told by it: what was put on the table since, or another light, is no hand.
        """
        if confirmed and self._known is None:
            self._known = view
        self._due = [*self._due, view]
        self.catch_up()

    def clear(self) -> None:
        """Forget the tiles, as a round begins; the bare table is still the same."""
        self._before = self._known = None
        self._due = []

    @property
    def has_view(self) -> bool:
        """Whether anything is known of the table below the tiles."""
        return self._bare is not None or bool(self._due)

    def catch_up(self) -> None:
        """Add to the bare table what later views have shown of it."""
        due, self._due = self._due, []
        for view in due:
            self._bare = Bare.with_view(self._bare, view)

    def covers_in(self, view: TopView) -> tuple[Cover, ...]:
        """What lies over the table in a view."""
        self.catch_up()
        before, bare = self._before, self._bare  # another thread may clear them
        return () if before is None else covers(before, view, () if bare is None else bare.layers)

    def without_bare_places(self, sighting: Sighting, view: TopView) -> Sighting:
        """Return the sighting without reads of places that may be bare, and look as they did without any tile."""
        self.catch_up()
        return without_bare_places(sighting, view, self._bare)

    def places(self, view: TopView, mean: Floats | None = None) -> tuple[Place, ...]:
        """What is where tiles of the confirmed table are not found in a view; `mean` as for vision.places."""
        self.catch_up()
        known, bare = self._known, self._bare
        return () if known is None else places(known, view, bare, mean)
