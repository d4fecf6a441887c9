"""A player's own page: what it says at every moment of a tournament, to whom, and how it keeps itself up to date."""

import re

import pytest
from browser import NARROW
from guarded_hall import hall_house, with_another_end
from hall_evening import hall_evening
from hall_pages import SECRET, hall_pages, tournament
from hosting import Hosting
from test_tournament_evening import Director

from referee.club.hall.tournaments.player_tokens import token_of
from referee.club.tournament.events import CheckedIn, Ended, Entered, Left, Renamed, ResultCorrected, ResultTold
from referee.i18n import LANGUAGES
from referee.letters import NAME_LETTERS
from referee.pages.hall.player_tokens import PlayerTokens
from referee.pages.hall.table_cards import table_token


@pytest.fixture(scope="module")
def pages():
    with hall_pages() as made:
        yield made


def there(screen, pages, hosting, number, language="en"):
    pages.show_own_pages(hosting)
    screen.open(f"{pages.address}/player/{token_of(SECRET, 'spring-cup-1', number)}?lang={language}")
    return screen


def seat_of(hosting, number):
    table = hosting.drawn.table_of(number)
    return table, hosting.drawn.tables[table - 1].players.index(number) + 1


def test_a_token_is_of_one_player_and_cannot_be_told_from_another():
    hosting = Hosting(60)
    tokens = [token_of(SECRET, "spring-cup-1", number) for number in range(1, 61)]
    assert len(set(tokens)) == 60
    assert all(re.fullmatch("[a-z2-7]{24}", one) for one in tokens)
    known = PlayerTokens()
    assert [known.find(one, SECRET, [hosting.now])[1] for one in tokens] == list(range(1, 61))
    assert known.find(tokens[0], b"another", [hosting.now]) is None
    assert known.find(token_of(b"", "spring-cup-1", 1), b"", [hosting.now]) is None
    hosting.do(Entered("Late", 2.0))
    assert known.find(token_of(SECRET, "spring-cup-1", 61), SECRET, [hosting.now]) == ("spring-cup-1", 61)
    assert known.find(token_of(SECRET, "spring-cup-1", 62), SECRET, [hosting.now]) is None


@pytest.mark.page
def test_it_says_where_to_sit_who_starts_and_what_comes_next(pages, screen):
    hosting = Hosting(7, rounds=2)
    there(screen, pages, hosting, 1)
    screen.until("#player-now", "Next: round 1. Your seat will be shown here once it is drawn.")
    hosting.draw()
    there(screen, pages, hosting, 1)
    table, seat = seat_of(hosting, 1)
    assert screen.text(".my-table") == f"Table {table} table-{table}"
    assert screen.text(".my-seat").startswith(f"Seat {seat}")
    assert ("You start" in screen.text(".my-seat")) == (seat == 1)
    assert "Sit down" in screen.text(".my-state")
    assert len(screen.all(".seated li")) == len(hosting.drawn.tables[table - 1].players)
    assert "(you)" in screen.text(".seated .me")
    hosting.begin()
    there(screen, pages, hosting, 1)
    screen.until(".my-state", "The round has begun.")
    size = len(hosting.drawn.tables[table - 1].players)
    hosting.do(ResultTold(table, tuple(range(size)), 4.0))
    there(screen, pages, hosting, 1)
    screen.until(".my-state", f"Your table has finished. Still playing: table {3 - table}.")
    assert f"Table {table}" in screen.text(".my-rounds")
    hosting.do(ResultTold(3 - table, tuple(range(7 - size)), 4.0))
    there(screen, pages, hosting, 1)
    screen.until(".my-state", "Next: round 2.")
    assert re.fullmatch(r"Place \d of 7", screen.text(".my-place"))
    hosting.do(Ended(5.0))
    there(screen, pages, hosting, 1)
    screen.until(".my-state", "The tournament is over.")
    assert screen.complaints() == []


@pytest.mark.page
def test_rounds_played_have_the_totals_of_the_match_and_a_line_for_each_correction(pages, screen):
    hosting = Hosting(3, rounds=2)
    hosting.draw()
    hosting.begin()
    hosting.do(ResultTold(1, (30, -10, -20), 4.0))
    hosting.do(ResultCorrected(1, 1, (35, -10, -25), 5.0, "Eve", "Counted twice"))
    hosting.do(ResultCorrected(1, 1, (40, -10, -30), 6.0, "Eve", "A joker"))
    there(screen, pages, hosting, hosting.drawn.tables[0].players[1])
    first, second, third = hosting.names(1)
    line = f"Totals of the match: {first} +40, {second} \N{MINUS SIGN}10, {third} \N{MINUS SIGN}30"
    assert line in screen.text(".my-rounds")
    changes = [one.text for one in screen.all(".my-rounds .my-changes li")]
    assert [("Counted twice" in one, "A joker" in one) for one in changes] == [(True, False), (False, True)]


@pytest.mark.page
@pytest.mark.parametrize(
    ("totals", "told"),
    [
        ((0, 0, 0), "equal totals for all at the table, nobody won, tournament points: 6"),
        ((5, 5, 0), "place 1 at the table, shared, tournament points: 9"),
        ((5, 3, 0), "place 1 at the table, tournament points: 12"),
    ],
)
def test_a_shared_place_at_the_table_is_called_so(pages, screen, totals, told):
    hosting = Hosting(3, rounds=2)
    hosting.draw()
    hosting.begin()
    hosting.do(ResultTold(1, totals, 4.0))
    there(screen, pages, hosting, hosting.drawn.tables[0].players[0])
    assert told in screen.text(".my-rounds")


@pytest.mark.page
def test_it_says_who_has_a_bye_who_is_not_here_and_who_came_too_late(pages, screen):
    hosting = Hosting(5, rounds=2, smallest=2, largest=2)
    hosting.draw()
    there(screen, pages, hosting, hosting.drawn.byes[0])
    screen.until(".my-state", "You have a bye in this round. Still playing: tables 1 and 2.")
    hosting.do(Entered("Late", 2.0))
    there(screen, pages, hosting, 6)
    screen.until(".my-state", "You are not checked in.")
    hosting.do(CheckedIn(6, 2.0))
    there(screen, pages, hosting, 6)
    screen.until(".my-state", "You have no seat in round 1.")
    hosting.do(Left(6, 3.0))
    there(screen, pages, hosting, 6)
    screen.until(".my-state", "You are not checked in.")


@pytest.mark.page
@pytest.mark.parametrize("language", LANGUAGES)
def test_it_can_be_read_by_everybody_on_any_phone(pages, screen, language):
    for stage in ("entering", "drawn", "playing", "between"):
        hosting = tournament(7, stage)
        hosting.do(Renamed(1, "W" * NAME_LETTERS, 9.0))
        for size in (*NARROW, "phone"):
            screen.resize(360, 640) if size == "phone" else screen.narrow(size)
            there(screen, pages, hosting, 1, language)
            assert screen.run("return document.documentElement.lang") == language
            for scheme in ("light", "dark"):
                screen.prefers(scheme=scheme)
                assert screen.violations() == [], (stage, scheme)
            assert (screen.sideways(), screen.cut_off(), screen.small()) == (0, [], []), (stage, size)
    assert screen.complaints() == []


@pytest.mark.page
@pytest.mark.parametrize("page", ["player", "at"])
def test_another_language_is_chosen_on_the_page_and_stays(pages, screen, page):
    hosting = tournament(7, "begun")
    pages.show_own_pages(hosting)
    token = token_of(SECRET, "spring-cup-1", 1) if page == "player" else table_token(SECRET, hosting.now, 1)
    screen.open(f"{pages.address}/{page}/{token}")
    screen.find("#language option[value=fr]").click()
    screen.wait(lambda: screen.run("return document.documentElement.lang") == "fr", "the page in French")
    screen.driver.refresh()
    assert screen.run("return document.documentElement.lang") == "fr"
    assert not any(button.is_displayed() for button in screen.all(".languages button"))  # the choice is enough
    assert screen.complaints() == []


@pytest.mark.page
def test_it_keeps_itself_up_to_date(pages, screen):
    hosting = Hosting(4, rounds=2)
    there(screen, pages, hosting, 2)
    screen.until(".my-state", "Next: round 1.")
    screen.run("window.stays = true;")
    hosting.draw()
    pages.show_own_pages(hosting)
    screen.until(".my-table", "Table 1")  # after the first few seconds
    assert screen.run("return window.stays")


def test_without_the_pin_only_the_own_page_is_seen_and_only_with_its_address(tmp_path):
    with hall_house(tmp_path, reading="pin") as house:
        keeper, session = house.tournaments, {"Cookie": house.cookie()}
        fields = {"command": "tournament-open", "id": "opens-a-tournament", "n": 0, "name": "Cup", "rounds": 3}
        assert house.post("/api/command", fields, **session)[0] == 200
        enter = {"command": "tournament-enter", "id": "enters-players", "n": 0, "names": "Ann\nBen"}
        assert house.post("/api/command", enter, **session)[0] == 200
        for path in ("/tournament/slips", "/tournament/slip/1.svg"):
            assert house.ask(path)[0] == 401
            assert house.ask(path, **session)[0] == 200
        assert house.ask("/tournament/slip/3.svg", **session)[0] == 404
        slips = house.ask("/tournament/slips", **session)[2]
        found = re.findall(r"http://[^/]+(/player/[a-z2-7]{24})<", slips)
        assert len(found) == 2
        token = token_of(keeper.facts.secret, keeper.facts.current.slug, 1)
        assert found[0] == f"/player/{token}"
        status, headers, body = house.ask(f"/player/{token}")
        assert (status, "Ann" in body, "Ben" in body) == (200, True, False)
        assert "/tournament" not in re.findall(r'href="(/[^s][^"]*)"', body)
        assert house.ask(f"/player/{token}", If_None_Match=headers["etag"])[0] == 304
        assert house.ask(f"/player/{token}?lang=de", If_None_Match=headers["etag"])[0] == 200
        for wrong in (with_another_end(token), "", "1"):
            assert house.ask(f"/player/{wrong}")[0] == 404, wrong
        assert house.ask(f"/player/{token}", "POST", "{}", Content_Type="application/json")[0] == 405
        assert house.ask("/tournament")[0] == 401
        assert keeper.facts.secret.hex() not in house.ask("/tournament.json", **session)[2]
        secret = keeper.facts.secret
    assert secret
    with hall_house(tmp_path, reading="open") as house:
        assert house.ask("/tournament/slips")[0] == 403


def test_the_secret_stays_over_restarts(tmp_path):
    from kept_hall import KeptHall

    hall = KeptHall(tmp_path)
    secret = hall.keeper.facts.secret
    hall.killed()
    assert hall.keeper.facts.secret == secret
    assert len(secret) == 32
    assert secret.hex() not in repr(hall.keeper.facts)
    hall.close()


@pytest.mark.page
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_director_shows_a_code_and_prints_slips(tmp_path, screen, language):
    with hall_evening(tmp_path) as evening:
        Director(evening, screen).opens("Ann\nBen\n" + "W" * NAME_LETTERS)
        screen.narrow("320 px")
        screen.open(f"{evening.address}/tournament/director?lang={language}")
        screen.find("#code-1").click()
        picture = screen.find(".player-code img")
        screen.wait(
            lambda: screen.run("return document.querySelector('.player-code img').naturalWidth") > 0, "the code"
        )
        assert "Ann" in picture.get_attribute("alt")
        assert screen.violations() == []
        assert (screen.sideways(), screen.cut_off(), screen.small()) == (0, [], [])
        screen.find("#code-text-1").click()
        screen.wait(lambda: screen.run("return document.activeElement.id") == "code-1", "focus")
        screen.open(f"{evening.address}/tournament/slips?lang={language}")
        assert len(screen.all(".slip img")) == 3
        assert screen.violations_in_both_schemes() == []
        assert (screen.sideways(), screen.cut_off(), screen.small()) == (0, [], [])
        screen.prefers(media="print")
        assert screen.paper() == 1
        assert screen.complaints() == []
