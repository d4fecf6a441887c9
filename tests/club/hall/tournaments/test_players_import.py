"""A file of players at the hall's page: shown first, entered as a whole or not at all, by the director alone."""

import json

import pytest
from guarded_hall import hall_house
from hall_evening import hall_evening
from test_tournament_evening import Director

from referee.i18n import LANGUAGES
from referee.pages.hall.players_import import MOST_BYTES, PATH, WRONG_SHOWN

GOOD = "Name;Verein;Wertung\r\nJörg;Köln;1850\r\nAnn;North;\r\n".encode("cp1252")
BYTES = {"Content_Type": "application/octet-stream"}


@pytest.fixture
def house(tmp_path):
    with hall_house(tmp_path) as made:
        made.session = made.cookie()
        yield made


def opens(house):
    fields = {"command": "tournament-open", "id": "opens-a-tournament", "n": 0, "name": "Spring cup", "rounds": 3}
    assert house.post("/api/command", fields, Cookie=house.session)[0] == 200


def sends(house, data, *, enter=False, **headers):
    headers = {"Cookie": house.session, **BYTES, **headers}
    status, _, body = house.ask(f"{PATH}?enter={int(enter)}", "POST", data, **headers)
    return status, json.loads(body)


def players(house):
    return [(one.name, one.club, one.rating) for one in house.tournaments.facts.current.tournament.players]


def test_what_is_in_a_file_is_shown_and_nobody_is_entered_before_that_is_wanted(house):
    opens(house)
    status, told = sends(house, GOOD)
    assert (status, told["form"], told["entered"], told["wrong"]) == (200, "csv", False, [])
    assert told["players"][0] == {
        "line": 2,
        "name": "Jörg",
        "club": "Köln",
        "team": "",
        "rating": 1850,
        "written": "",
        "known": False,
        "right": True,
    }
    assert told["told"].startswith("New players: 2. Already on the list: 0")
    assert players(house) == []
    status, told = sends(house, GOOD, enter=True)
    assert (status, told["entered"]) == (200, True)
    assert told["told"] == "The list is in. New players: 2. Club and rating updated: 0."
    assert players(house) == [("Jörg", "Köln", 1850), ("Ann", "North", None)]
    assert sends(house, GOOD, enter=True)[1]["told"].startswith("The list is in. New players: 0.")
    assert len(players(house)) == 2


def test_a_file_with_one_wrong_line_enters_nobody(house):
    opens(house)
    bad = b"Name;Rating\nAnn;1500\nBen;strong\n"
    told = sends(house, bad)[1]
    assert [(one["right"], one["written"]) for one in told["players"]] == [(True, ""), (False, "strong")]
    assert len(told["wrong"]) == 1
    status, told = sends(house, bad, enter=True)
    assert status == 409
    assert told["told"].startswith("Nobody was added. Line 3: ")
    assert players(house) == []
    many = sends(house, b"Name;Rating\n" + b"x;y\n" * 150)[1]["wrong"]
    assert len(many) == WRONG_SHOWN + 1
    assert many[-1] == "And 99 more faults."


def test_without_a_tournament_without_the_pin_and_beyond_the_limit_it_is_refused(house):
    assert sends(house, GOOD)[0] == 409
    opens(house)
    assert sends(house, GOOD, Cookie="")[0] == 403
    assert sends(house, b"x" * (MOST_BYTES + 1))[0] == 413
    assert sends(house, b"x\n" * (MOST_BYTES // 2))[0] == 200
    assert players(house) == []


@pytest.mark.page
def test_a_file_that_was_put_right_is_read_again_by_the_same_name(tmp_path, screen):
    file = tmp_path / "players.csv"
    file.write_bytes(b"Name;Rating\nAnn;strong\n")
    (tmp_path / "hall").mkdir()
    with hall_evening(tmp_path / "hall") as evening:
        Director(evening, screen).opens("Dora", rounds="2")
        screen.find("#import summary").click()
        screen.find("#import-file").send_keys(str(file))
        screen.until("#import-wrong", "strong")
        assert screen.run("return document.getElementById('import-file').value").endswith("players.csv")
        screen.until("#import-heading", "players.csv")
        file.write_bytes(b"Name;Rating\nAnn;1500\n")
        screen.run("document.getElementById('import-file').dispatchEvent(new Event('click'))")  # as before each choice
        screen.find("#import-file").send_keys(str(file))
        screen.find("#import-do").click()
        screen.until("#players", "Ann")
        assert screen.complaints() == []


@pytest.mark.page
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_director_sees_what_is_in_the_file_and_enters_it(tmp_path, screen, language):
    good, bad = tmp_path / "players.csv", tmp_path / "bad.csv"
    good.write_bytes(GOOD)
    bad.write_bytes(b"Name;Rating\nAnn;strong\n" + b"W" * 40 + b";1500\n")
    (tmp_path / "hall").mkdir()
    with hall_evening(tmp_path / "hall") as evening:
        director = Director(evening, screen)
        director.opens("Dora", rounds="2")
        screen.narrow("320 px")
        screen.open(f"{evening.address}/tournament/director?lang={language}")
        screen.find("#import summary").click()
        screen.find("#import-file").send_keys(str(bad))
        screen.find("#import-wrong li")
        assert "strong" in screen.text("#import-wrong")
        assert "strong" in screen.text("#import-players")
        assert not screen.all("#import-do")[0].is_displayed()
        close = screen.text("#import-not")  # there is nothing that could be done later
        assert screen.violations_in_both_schemes() == []
        assert (screen.sideways(), screen.cut_off(), screen.small()) == (0, [], [])
        screen.find("#import-file").send_keys(str(good))
        screen.until("#import-players", "Jörg")
        assert screen.text("#import-not") != close
        screen.find("#import-do").click()
        screen.until("#players", "Jörg")
        screen.wait(lambda: screen.run("return document.activeElement.id") == "players-heading", "focus")
        assert screen.complaints() == []
