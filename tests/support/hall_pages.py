"""The hall's page, served for real without a broker: before facts that a test makes up."""

import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from hosting import Hosting, views

from referee.club.hall.reader import HallFacts
from referee.club.hall.tournaments.round_results import SeatSearch
from referee.club.tournament.events import CheckedIn, Entered, ResultCorrected, ResultTold, Swapped, TeamGiven
from referee.club.tournament.rules import Drawing, GroupStage
from referee.i18n import Wording
from referee.page.access import Access, Policy
from referee.page.broadcast import Broadcast
from referee.page.thread import Listener, ServerThread
from referee.pages.hall.app import application, parts_of

TABLES = 20
"""Of the hall: those that a page was told of stay, connected or not."""
NAMES = (
    "Ann", "Beatrice", "Çelik", "Dora", "Émile", "Fay", "Gus", "Hana", "Ivo", "Jana", "Karl", "Lou",
    "Maximiliane-Katharina", "Nils", "Ole", "Pia", "Quentin", "Rosa", "Sven", "Tom", "Uma", "Vera", "Willi", "Xaver",
    "Yvonne", "Özlem",
)  # fmt: skip


def hall(connected: int) -> dict:
    names = [f"table-{number}" for number in range(1, max(TABLES, connected) + 1)]
    return views(*names[:connected], away=names[connected:])


SECRET = b"0123456789abcdef0123456789abcdef"
"""From which the addresses of players' and tables' own pages follow; see `HallPages.show_own_pages`."""
EMPTY = HallFacts(hall(0), connected=True, trouble=None)


class HallPages:
    """The page of a hall; `show` and `tell` give it other facts."""

    def __init__(self, policy: Policy = Policy()) -> None:  # noqa: B008 - frozen
        self._facts = EMPTY
        broadcast = Broadcast(secrets.token_hex(4), time.monotonic, 1 << 20, parts=parts_of, facts=self._facts)
        self.access = Access(policy)
        app = application(broadcast, {}, "en", self.access)
        self._listener = Listener("localhost", 0, None)
        self._thread = ServerThread(self._listener, app, broadcast, lambda: self._facts, policy.limits, Wording("en"))
        self._thread.start()

    @property
    def address(self) -> str:
        return f"http://localhost:{self._listener.port}"

    def show(self, hosting: Hosting | None, search: SeatSearch | None = None) -> None:
        facts = EMPTY if hosting is None else hosting.facts
        known = facts.tournaments
        self.tell(facts if known is None else replace(facts, tournaments=replace(known, search=search)))

    def show_own_pages(self, hosting: Hosting) -> None:
        """Show a tournament whose players and tables have pages of their own."""
        facts = hosting.facts
        self.tell(replace(facts, tournaments=replace(facts.tournaments, secret=SECRET)))

    def tell(self, facts: HallFacts) -> None:
        """These are the facts now."""
        self._facts = facts
        self._thread.news()

    def close(self) -> None:
        self._thread.close()


@contextmanager
def hall_pages(policy: Policy = Policy()) -> Iterator[HallPages]:  # noqa: B008 - frozen
    made = HallPages(policy)
    try:
        yield made
    finally:
        made.close()


def named(count: int) -> list[str]:
    """Names of players, the same at every call; there are no two alike."""
    return [
        NAMES[at % len(NAMES)] + ("" if at < len(NAMES) else f" {'XYZTUVW'[at // len(NAMES) - 1]}.")
        for at in range(count)
    ]


def tournament(players: int, stage: str, rounds: int = 2, **rules) -> Hosting:
    """A tournament that has come to this stage of its last round but one, with everything that can be seen of it.

    The last player but one has not come. Not all tables of the hall are connected, and there are not always enough.
    """
    hosting = Hosting(0, rounds=rounds + 1, **rules)
    hosting.views = hall(max(1, players // 4))
    for number, name in enumerate(named(players), 1):
        hosting.do(Entered(name, 1.0))
        if number != players - 1:
            hosting.do(CheckedIn(number, 1.0))
    if stage == "entering":
        return hosting
    for number in range(1, rounds + 1):
        hosting.draw()
        if number < rounds:
            play(hosting, range(1, len(hosting.drawn.tables) + 1))
    one, other = hosting.drawn.tables[0].players[0], hosting.drawn.tables[-1].players[-1]
    hosting.do(Swapped(one, other, 5.0, why="They came together in one car"))
    if rounds > 1:
        hosting.do(
            ResultCorrected(
                1,
                1,
                tuple(range(len(hosting.now.tournament.rounds[0].tables[0].players))),
                5.0,
                "Eve",
                "A joker was counted twice",
            )
        )
    if stage == "playing":
        play(hosting, range(2, len(hosting.drawn.tables) + 1, 2))
    if stage == "between":
        play(hosting, range(1, len(hosting.drawn.tables) + 1))
    return hosting


def groups_and_teams() -> Hosting:
    """Two groups with three teams after all rounds in groups: the final is next."""
    hosting = tournament(8, "between", rounds=3, largest=2, drawing=Drawing.GROUPS, groups=GroupStage(4, 2))
    for player, team in enumerate(("Red Foxes", "Red Foxes", "Blue Jays", "Blue Jays", "Green Frogs", "Blue Jays"), 1):
        hosting.do(TeamGiven(player, team, 6.0))
    return hosting


def play(hosting: Hosting, tables) -> None:
    """Begin the round, and let these tables come to a result."""
    hosting.begin()
    for table in tables:
        seats = len(hosting.drawn.tables[table - 1].players)
        hosting.do(ResultTold(table, tuple(7 * (seat + table) - 20 for seat in range(seats)), 4.0))
