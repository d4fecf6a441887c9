"""What looks are compared with: the confirmed table, the bare table, and things over it that are known to stay.

It is updated in the loop's thread while a look may be running in the worker's, so every value is replaced as a whole.

Tiles are remembered from look to look: as they were confirmed, as an earlier look of this turn has read them, and as
players have named them.
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

    It is updated in the loop's thread while a look may run in the worker's, so every value is replaced as a whole.
    """

    def __init__(self) -> None:
        self.words: tuple[Word, ...] = ()
        """What players have said about tiles that lie on the table."""
        self._confirmed: tuple[Read, ...] = ()
        self._confirmed_before: tuple[Read, ...] = ()
        """The reads of the table confirmed one turn earlier; they are valid again if the last turn is taken back."""
        self._seen: tuple[Read, ...] = ()
        """The reads beyond doubt, from pictures alone, of all looks since the last confirmed table."""
        self._rounds = 0

    def confirm(self, sighting: Sighting | None) -> None:
        """Remember the tiles of an accepted table."""
        self._confirmed_before, self._seen = self._confirmed, ()
        self._confirmed = () if sighting is None else sighting.reads

    def take_back(self) -> None:
        """Forget the table that was accepted last; the one before it is valid again."""
        self._confirmed, self._seen = self._confirmed_before, ()

    def clear(self) -> None:
        """Forget all tiles, because a round begins."""
        self._confirmed, self._confirmed_before, self._seen = (), (), ()
        self.words, self._rounds = (), self._rounds + 1

    def settle(self, sighting: Sighting) -> Held:
        """Return the sighting with known doubts settled, and the words that still hold; remember its sure reads."""
        seen, rounds = self._seen, self._rounds
        held = self.hold_known(sighting)
        if rounds == self._rounds:  # else a round has begun meanwhile
            self._seen = _sure_reads(sighting, seen)
        return held

    def hold_known(self, sighting: Sighting) -> Held:
        """Like `settle()`, but remember nothing of this sighting."""
        confirmed, seen = self._confirmed, self._seen
        held = hold(sighting, self.words, confirmed or seen)
        return replace(held, sighting=with_seen(with_confirmed(held.sighting, confirmed), seen))


def _sure_reads(sighting: Sighting, before: tuple[Read, ...]) -> tuple[Read, ...]:
    """Return the reads that are sure in this picture, or were sure in an earlier one and have not been moved since."""
    kept = tuple(
        before[j]
        for i, (j, pushed) in follow(sighting.reads, before).items()
        if sighting.reads[i].doubtful and not pushed
    )
    return (*(read for read in sighting.reads if not read.doubtful), *kept)


def lesson_of(plain: Sighting | None, picture: Image | None, table: Table) -> tuple[Sighting, int] | None:
    """Return what the reader may learn from a look at a confirmed table, with the picture's width; None if nothing.

    Only reads that are beyond doubt from the pictures alone are used. If one of them is missing from the confirmed
    table, players have corrected it, and nothing of this look can be trusted.
    """
    if plain is None or picture is None:
        return None
    sure = Counter(read.tile for read in plain.reads if not read.doubtful and read.tile is not None)
    return None if sure - tiles_on(table) else (plain, picture.shape[1])


class KnownTable:
    """Keeps earlier views of the table, with which later ones are compared."""

    def __init__(self) -> None:
        self._before: TopView | None = None
        """The view for detecting covers: of the confirmed table, or of the table with a cover that may stay."""
        self._known: TopView | None = None
        """The view of the confirmed table."""
        self._bare: Bare | None = None
        self._due: list[TopView] = []
        """The views to be added to `_bare` when nobody waits."""

    @property
    def is_accustomed(self) -> bool:
        """Whether there is a view with which a cover would be detected."""
        return self._before is not None

    @property
    def has_confirmed_view(self) -> bool:
        """Whether there is a view of the confirmed table."""
        return self._known is not None

    def confirm(self, view: TopView) -> None:
        """Remember the view of an accepted table."""
        self._before = self._known = view
        self._due = [*self._due[-1:], view]

    def accustom(self, view: TopView) -> None:
        """Accept whatever lies over the table in this view, so that it is not reported any more."""
        self._before = view
        if self._known is None:
            self._known, self._due = view, [view]

    def recall(self, view: TopView, *, confirmed: bool) -> None:
        """Add a view of this match from before a power cut; `confirmed`: it shows the table that was confirmed last.

        Covers are not detected with it: a thing put on the table since, or different light, would look like a hand.
        """
        if confirmed and self._known is None:
            self._known = view
        self._due = [*self._due, view]
        self.catch_up()

    def clear(self) -> None:
        """Forget the tiles, because a round begins. The bare table is kept: it is still the same."""
        self._before = self._known = None
        self._due = []

    @property
    def has_view(self) -> bool:
        """Whether there is a view of the table below the tiles."""
        return self._bare is not None or bool(self._due)

    def catch_up(self) -> None:
        """Add to the bare table what the views since have shown of it."""
        due, self._due = self._due, []
        for view in due:
            self._bare = Bare.with_view(self._bare, view)

    def covers_in(self, view: TopView) -> tuple[Cover, ...]:
        """Return what lies over the table in a view."""
        self.catch_up()
        before, bare = self._before, self._bare  # another thread may clear them
        return () if before is None else covers(before, view, () if bare is None else bare.layers)

    def without_bare_places(self, sighting: Sighting, view: TopView) -> Sighting:
        """Return the sighting without reads of places that may be bare and look as they did without a tile."""
        self.catch_up()
        return without_bare_places(sighting, view, self._bare)

    def places(self, view: TopView, mean: Floats | None = None) -> tuple[Place, ...]:
        """Return what lies at confirmed tiles that a view does not show; `mean` as for `places()` in `vision`."""
        self.catch_up()
        known, bare = self._known, self._bare
        return () if known is None else places(known, view, bare, mean)
