"""Pages of a hall as screenshots: a tournament under way and one that has ended, for players, directors and clubs."""

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from browser import Browser
from hall_pages import SECRET, HallPages, groups_and_teams, hall_pages, tournament
from league_states import FORMER, NOW, long_season

from referee.club.hall.desk.announcements import SentAnnouncement
from referee.club.hall.desk.keeper import Announced, DeskFacts
from referee.club.hall.desk.state import DeskState, OpenCall, RoundClock
from referee.club.hall.tournaments.player_tokens import token_of
from referee.club.protocol import Reason
from referee.club.tournament.events import Described, Ended

OLD = "autumn-cup-2"
YEAR_S = 365 * 86400.0
SHOWN_LAST = {"hall-desk": "#calls", "hall-tables": "#calling", "hall-wall": "#calling"}
"""Where a page shows the last call, once it shows all parts."""


def desk_with_calls() -> DeskFacts:
    """A round that is over soon, two tables that wait for the director, and one where somebody is on the way."""
    zero = time.time() - time.monotonic()
    calls = (
        OpenCall("1", "table-2", time.time() - 420, Reason.DISPUTE, "A tile was moved", stopped=True, coming=True,
                 who="Maximiliane"),
        OpenCall("2", "table-1", time.time() - 180, Reason.RULES),
        OpenCall("3", "table-17", time.time() - 60, None, "", stopped=True),
    )  # fmt: skip
    text, now = "The buffet is open until nine.", time.monotonic()
    sent = (
        SentAnnouncement("b", "Round two begins at eight.", time.time() - 3600, 2, until=time.time() - 3000),
        SentAnnouncement("a", text, time.time(), 2, until=time.time() + 600),
    )
    state = DeskState(RoundClock(1, 252.0, None, 300.0, started=True), 1, calls, sent=sent)
    return DeskFacts(state, zero, (Announced("a", text, now, ("table-1", "table-2"), now + 600),))


def write_hall(
    out: Path, screen: Browser, sizes: dict[str, tuple[int, int]], chosen: Sequence[str], language: str
) -> None:
    """Write a screenshot of each page of a hall's tournaments in the chosen sizes."""
    now, old = tournament(13, "playing"), tournament(13, "between")
    old.now = replace(old.now, slug=OLD, t=YEAR_S)
    for one in (now, old):
        one.do(Described(1, 9.0, "Rummy club North", 1850))
    old.do(Ended(10.0))
    seated = now.drawn.tables[0].players[0]
    pages = {
        "hall-tournament": "/tournament",
        "hall-player": f"/player/{token_of(SECRET, now.now.slug, seated)}",
        "hall-player-over": f"/player/{token_of(SECRET, OLD, seated)}",
        "hall-slips": "/tournament/slips",
        "hall-certificates": f"/tournament/certificates?of={OLD}",
        "hall-ratings": "/ratings",
        "hall-rating-history": "/ratings/player?name=ann",
        "hall-director": "/tournament/director",
        "hall-desk": "/director",
        "hall-tables": "/",
        "hall-wall": "/tournament/wall#tables",
    }
    with hall_pages() as there:
        facts = now.facts
        known = replace(facts.tournaments, all=(old.now, now.now), secret=SECRET)
        there.tell(replace(facts, tournaments=known, desk=desk_with_calls()))
        for size in chosen:
            screen.resize(*sizes[size])
            for page, path in pages.items():
                screen.open(f"{there.address}{path}{'&' if '?' in path else '?'}lang={language}")
                screen.find("h1")
                if page in ("hall-tournament", "hall-director"):
                    screen.until("#name", "Spring cup")
                if page in SHOWN_LAST:
                    screen.until(SHOWN_LAST[page], "table-17")
                (out / f"{page}-{size}.png").write_bytes(screen.driver.get_screenshot_as_png())
        there.tell(long_season())
        leagues = {
            "hall-leagues": "/leagues", "hall-league": f"/league/{NOW}", "hall-league-over": f"/league/{FORMER}",
        }  # fmt: skip
        for size in chosen:
            screen.resize(*sizes[size])
            for page, path in leagues.items():
                screen.open(f"{there.address}{path}?lang={language}")
                screen.find("h1")
                (out / f"{page}-{size}.png").write_bytes(screen.driver.get_screenshot_as_png())
        _write_groups(out, screen, sizes, chosen, language, there)


def _write_groups(
    out: Path,
    screen: Browser,
    sizes: dict[str, tuple[int, int]],
    chosen: Sequence[str],
    language: str,
    there: HallPages,
) -> None:
    """Write screenshots of groups and teams, and of what the director is asked about them."""
    states = {
        "hall-groups": ("/tournament", "#groups-section"),
        "hall-groups-teams": ("/tournament", "#teams-section"),
        "hall-director-final": ("/tournament/director", "#final-open"),
        "hall-director-open-groups": ("/tournament/director", "#open-section"),
    }
    for size in chosen:
        screen.resize(*sizes[size])
        for page, (path, section) in states.items():
            there.show(None if page == "hall-director-open-groups" else groups_and_teams())
            screen.open(f"{there.address}{path}?lang={language}")
            screen.wait(
                lambda shown=section: not screen.run("return document.querySelector(arguments[0]).hidden", shown)
            )
            if page == "hall-director-open-groups":
                screen.run(
                    "const how = document.getElementById('open-drawing'); how.value = 'groups';"
                    "how.dispatchEvent(new Event('change'));"
                )
            screen.run("document.querySelector(arguments[0]).scrollIntoView()", section)
            (out / f"{page}-{size}.png").write_bytes(screen.driver.get_screenshot_as_png())
