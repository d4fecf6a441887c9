"""More pages of a hall as screenshots: results entered by phone, cards and slips, rulings, and 4, 12 and 40 tables."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from browser import Browser
from hall_pages import SECRET, HallPages, hall, hall_pages, tournament
from hosting import Hosting
from kept_hall import snapshot

from referee.club.hall.desk.keeper import Announced, DeskFacts
from referee.club.hall.desk.state import Caller, DeskState, OpenCall, RoundClock
from referee.club.hall.tournaments.player_tokens import token_of
from referee.club.hall.tournaments.state import Placed
from referee.club.protocol.documents import Clock, Reason
from referee.club.tournament.events import Ended, ReportDisputed, ReportRejected, ResultReported, RulingMade
from referee.game.match.phases import Phase
from referee.pages.hall.table_cards import table_token

SLUG = "spring-cup-1"
PLAYERS = {4: 15, 12: 47, 40: 159}
"""Players for so many tables: the last but one of them has not come."""
VIEWS = ("names", "tables", "standings")


def without_referees() -> Hosting:
    """A round under way at tables without a referee; at the second one a result was entered, at the third disputed."""
    hosting = tournament(13, "drawn")
    hosting.views = {}
    hosting.do(Placed((None,) * len(hosting.drawn.tables), 5.0))
    hosting.begin()
    for table in (2, 3):
        players = hosting.drawn.tables[table - 1].players
        hosting.do(ResultReported(table, (87, -12, -75, 0)[: len(players)], players[0], 9.0))
    players = hosting.drawn.tables[2].players
    hosting.do(ReportDisputed(3, players[1], 9.0, (87, -75, -12, 0)[: len(players)]))
    hosting.do(RulingMade(players[0], -2, 9.0, "Eve", "Came late to round 1"))
    hosting.do(RulingMade(players[1], 0, 9.0, "Eve", "Phone at the table"))
    return hosting


def with_desk(hosting: Hosting) -> DeskFacts:
    """The desk of a hall without boxes: the time is nearly over, something is announced, and two tables call."""
    zero, places = time.time() - time.monotonic(), hosting.drawn.tables
    calls = []
    for number, coming in ((2, True), (1, False)):
        player = places[number - 1].players[0]
        name = hosting.now.tournament.players[player - 1].name
        caller = Caller(SLUG, len(hosting.now.rounds), number, player, name)
        calls.append(OpenCall(
            f"call-{number}", f"{SLUG}#{number}", time.time() - 60 * number, Reason.RULES, "May a joker be taken?",
            coming=coming, who="Eve" if coming else "", caller=caller, by_box=False,
        ))  # fmt: skip
    clock = RoundClock(1, 252.0, time.monotonic(), 300.0, started=True)
    told = Announced("a", "The buffet is open until nine.", time.monotonic(), (), time.monotonic() + 600, for_all=True)
    return DeskFacts(DeskState(clock, 1, tuple(calls)), zero, (told,))


def with_rejection() -> Hosting:
    """A round under way in which the director has rejected what was entered at the second table."""
    hosting = without_referees()
    hosting.do(ReportRejected(2, 10.0, "Eve", "The sheet says otherwise"))
    return hosting


def with_referees(tables: int) -> Hosting:
    """A round under way at so many tables; the clocks run, and at the third one somebody is needed."""
    hosting = tournament(PLAYERS[tables], "playing")
    hosting.views = hall(tables)
    for number, at in enumerate(hosting.now.current.places, 1):
        if at is not None:
            state = snapshot(phase=Phase.TURN, clock=Clock(59.0 - number, running=True), cut=number == 3)
            hosting.views[at] = replace(hosting.views[at], snapshot=state, told=time.monotonic())
    return hosting


def write_day(
    out: Path, screen: Browser, sizes: dict[str, tuple[int, int]], chosen: Sequence[str], language: str
) -> None:
    """Write a screenshot of each of these pages in the chosen sizes."""
    with hall_pages() as there:
        for hosting, page, path in _states():
            _tell(there, hosting, with_desk(hosting) if page.startswith("hall-desk-") else None)
            for size in chosen:
                screen.resize(*sizes[size])
                name, _, view = path.partition("#")
                screen.open(f"{there.address}{name}?lang={language}{'#' * bool(view)}{view}")
                screen.find("h1")
                if name in ("/tournament", "/tournament/wall", "/tournament/director"):
                    screen.until("#name", "Spring cup")
                elif name == "/director":
                    screen.until("#calls", "Table 1")
                (out / f"{page}-{size}.png").write_bytes(screen.driver.get_screenshot_as_png())


def _states() -> Iterator[tuple[Hosting, str, str]]:
    alone = without_referees()
    tables = alone.drawn.tables
    for page, player in (
        ("enters", tables[0].players[1]),
        ("waits", tables[1].players[0]),
        ("confirms", tables[1].players[1]),
        ("disputed", tables[2].players[0]),
    ):
        yield alone, f"hall-player-{page}", f"/player/{token_of(SECRET, SLUG, player)}"
    yield alone, "hall-table", f"/at/{table_token(SECRET, alone.now, 2)}"
    yield alone, "hall-table-cards", "/tournament/table-cards"
    yield alone, "hall-result-slips", "/tournament/result-slips"
    yield alone, "hall-disputed", "/tournament/director"
    yield alone, "hall-rulings", "/tournament"
    for number in PLAYERS:
        crowd = with_referees(number)
        yield crowd, f"hall-director-{number}", "/tournament/director"
        for view in VIEWS:
            yield crowd, f"hall-wall-{number}-{view}", f"/tournament/wall#{view}"
    yield alone, "hall-desk-calls", f"/player/{token_of(SECRET, SLUG, tables[0].players[0])}"
    yield alone, "hall-desk-other", f"/player/{token_of(SECRET, SLUG, tables[1].players[1])}"
    yield alone, "hall-desk-free", f"/player/{token_of(SECRET, SLUG, tables[2].players[1])}"
    yield alone, "hall-desk-card", f"/at/{table_token(SECRET, alone.now, 2)}"
    yield alone, "hall-desk-director", "/director"
    yield alone, "hall-desk-round", "/tournament/director"
    yield alone, "hall-desk-wall", "/tournament/wall#tables"
    yield with_rejection(), "hall-player-rejected", f"/player/{token_of(SECRET, SLUG, tables[1].players[1])}"
    ended = tournament(13, "between")
    ended.do(Ended(10.0))
    yield ended, "hall-ended", "/tournament/director"


def _tell(there: HallPages, hosting: Hosting, desk: DeskFacts | None) -> None:
    facts = hosting.facts
    there.tell(replace(facts, tournaments=replace(facts.tournaments, secret=SECRET), desk=desk))
