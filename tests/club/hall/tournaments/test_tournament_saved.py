"""A whole tournament in one file: restored at another hall as it was, or refused as a whole."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest
from guarded_hall import hall_house
from hall_evening import hall_evening
from hypothesis import given
from hypothesis import strategies as st
from kept_hall import KeptHall
from test_tournament_evening import Director

from referee.club.hall.tournaments.player_tokens import tokens_for
from referee.club.hall.tournaments.saved import read_tournament, save_tournament
from referee.errors import BadInput
from referee.i18n import LANGUAGES
from referee.pages.hall.player_tokens import PlayerTokens
from referee.pages.hall.tournament_saving import RESTORE, SAVED

PLAYERS, ROUNDS = 256, 30
BYTES = {"Content_Type": "application/octet-stream"}


@pytest.fixture
def halls(tmp_path):
    made = []
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
        made.append(KeptHall(tmp_path / name))
    yield made
    for one in made:
        one.close()


def play_round(hall, minutes=30):
    hall.do("draw")
    hall.do("begin")
    for table, asked in enumerate(list(hall.begun[-len(hall.drawn.tables) :])):
        hall.starts(asked, match=minutes, minutes=minutes)
        hall.ends(
            asked.at,
            tuple(10 * (table + 1) + seat for seat in range(len(asked.players))),
            minutes,
            minutes + 20,
            minutes,
        )


def saved(hall):
    return hall.keeper.save(hall.keeper.facts.current.slug).result()


def read(data):
    return read_tournament(data, PLAYERS, ROUNDS)


def why(data):
    with pytest.raises(BadInput) as refused:
        read(data)
    return refused.value.args[0].key.partition(".")[2]


def test_a_tournament_goes_on_at_another_hall_as_it_was(halls):
    here, there = halls
    here.opens(9, rounds=3)
    play_round(here)
    here.do("leave", player=9, why="ill")
    data = saved(here)
    assert there.keeper.restore(read(data)).result() == here.keeper.facts.current.slug
    restored = there.keeper.facts.current
    assert replace(restored, tokens=()) == here.keeper.facts.current
    there.killed()
    assert there.keeper.facts.current == restored
    play_round(there, 100)
    assert len(there.now.rounds) == 2
    assert not there.drawn.missing_tables
    assert len(here.now.rounds) == 1


def test_while_one_is_under_way_and_twice_nothing_is_restored(halls):
    here, there = halls
    here.opens(4)
    data = saved(here)
    there.opens(4)
    for hall, key in ((there, "director.still_open"), (here, "director.still_open")):
        with pytest.raises(BadInput) as refused:
            hall.keeper.restore(read(data)).result()
        assert refused.value.args[0].key == key
    play_round(here)
    here.do("end")
    with pytest.raises(BadInput) as refused:
        here.keeper.restore(read(saved(here))).result()
    assert refused.value.args[0].key == "ranks.saved_here"
    assert [len(hall.keeper.facts.all) for hall in halls] == [1, 1]


def test_two_tournaments_of_one_id_get_different_ones(halls):
    here, there = halls
    for hall in halls:
        hall.opens(4)
        play_round(hall)
        hall.t += 1000
        hall.do("end")
    there.t += 5000
    there.do("open", name="Spring cup", rounds=2)
    there.do("enter", names="Ann\nBen")
    there.do("check-in")
    play_round(there, minutes=200)
    there.do("end")
    assert here.keeper.facts.all[0].slug == there.keeper.facts.all[0].slug
    slug = here.keeper.restore(read(saved(there))).result()
    assert slug == there.keeper.facts.current.slug != here.keeper.facts.all[0].slug


def test_nothing_is_half_done_where_the_disk_fails(halls):
    here, there = halls
    here.opens(4)
    play_round(here)
    document = read(saved(here))
    with closing(sqlite3.connect(there.path)) as db:
        full = "BEGIN SELECT RAISE(ABORT, 'full'); END"
        db.execute(f"CREATE TRIGGER full AFTER INSERT ON notes WHEN NEW.number > 5 {full}")
        db.commit()
    with pytest.raises(BadInput):
        there.keeper.restore(document).result()
    assert there.keeper.facts.all == ()
    there.killed()
    assert there.keeper.facts.all == ()


def test_what_is_damaged_foreign_newer_or_impossible_is_refused(halls):
    here = halls[0]
    here.opens(4)
    play_round(here)
    data = saved(here)
    told = json.loads(data)
    assert why(b"") == why(b"PK\x03\x04") == why(b"{}") == why(b"[1]") == why(b"\xff") == "saved_foreign"
    assert why(b"[" * 100_000) == "saved_foreign"
    assert why(data[:-10]) == "saved_damaged"
    assert why(data.replace(b"Player 1", b"Player X", 1)) == "saved_damaged"
    assert why(json.dumps({**told, "version": 2}).encode()) == "saved_newer"
    assert why(json.dumps({**told, "events": 3}).encode()) == "saved_damaged"
    events = read(data).events
    assert why(save_tournament("a-1", "a", events[1:])) == "saved_impossible"
    assert why(save_tournament("a-1", "a", (*events, events[-1], events[0]))) == "saved_impossible"
    with pytest.raises(BadInput):
        read_tournament(data, 3, ROUNDS)
    with pytest.raises(BadInput):
        read_tournament(data, PLAYERS, 2)


@given(st.integers(0), st.integers(0, 255))
def test_a_file_with_any_byte_changed_is_refused_or_the_same(at, byte):
    data = SMALL[: at % len(SMALL)] + bytes([byte]) + SMALL[at % len(SMALL) + 1 :]
    try:
        found = read(data).events
    except BadInput as error:
        found = error.args[0].key
    assert found == read(SMALL).events or str(found).startswith("ranks.saved_")


def test_the_addresses_of_the_players_stay_when_it_is_restored(halls):
    here, there = halls
    here.opens(6)
    play_round(here)

    def tokens(hall):
        return tokens_for(hall.keeper.facts.secret, hall.keeper.facts.current)

    before = tokens(here)
    there.keeper.restore(read(saved(here))).result()
    assert there.keeper.facts.secret != here.keeper.facts.secret
    assert tokens(there) == before
    there.killed()
    assert tokens(there) == before
    # Whoever comes later gets an address of the new hall, and all of them go on to the next one.
    there.do("enter", names="Late")
    later = tokens(there)
    assert (later[:6], len(set(later))) == (before, 7)
    # Beside the tournament that it was saved from, the restored one has the addresses.
    here.do("end")
    slug = here.keeper.restore(read(saved(there))).result()
    known = PlayerTokens()
    assert [known.find(one, here.keeper.facts.secret, here.keeper.facts.all) for one in later] == [
        (slug, number) for number in range(1, 8)
    ]


def test_a_file_of_an_earlier_version_has_no_addresses(halls):
    here, there = halls
    here.opens(3)
    document = json.loads(saved(here))
    del document["tokens"], document["tokens_sha256"]
    there.keeper.restore(read(json.dumps(document).encode())).result()
    assert there.keeper.facts.current.tokens == ()


@pytest.mark.parametrize("wrong", ["x", ["x"], [3], ["a" * 24, "a" * 24], ["a" * 24]])
def test_damaged_addresses_are_refused(halls, wrong):
    here, _ = halls
    here.opens(3)
    document = json.loads(saved(here)) | {"tokens": wrong}
    assert why(json.dumps(document).encode()) == "saved_damaged"


def _small():
    from tournaments import Log

    log = Log(players=3)
    log.play()
    return save_tournament("spring-cup-1", "Spring cup", log.events)


SMALL = _small()


def test_only_directors_get_the_file_and_restore_one(tmp_path):
    with hall_house(tmp_path) as house:
        session = {"Cookie": house.cookie()}
        assert house.ask(SAVED, **session)[0] == 404
        assert house.ask(RESTORE, "POST", SMALL, **BYTES)[0] == 403
        status, _, body = house.ask(RESTORE, "POST", SMALL[:-1], **BYTES, **session)
        assert (status, "damaged" in body) == (409, True)
        status, _, body = house.ask(RESTORE, "POST", SMALL, **BYTES, **session)
        assert (status, json.loads(body)["id"]) == (200, "spring-cup-1")
        assert house.ask(SAVED)[0] == 403
        status, headers, body = house.ask(SAVED, **session)
        assert status == 200
        assert headers["content-disposition"] == 'attachment; filename="spring-cup-1.tournament.json"'
        assert read(body.encode()).events[:-1] == read(SMALL).events  # the last one has the players' addresses


@pytest.mark.page
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_director_restores_a_tournament_on_the_page(tmp_path, screen, language):
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_bytes(SMALL)
    bad.write_bytes(SMALL[:-9])
    (tmp_path / "hall").mkdir()
    with hall_evening(tmp_path / "hall") as evening:
        Director(evening, screen)
        screen.narrow("320 px")
        screen.open(f"{evening.address}/tournament/director?lang={language}")
        screen.find("#saving-file").send_keys(str(bad))
        screen.find("#saving-do").click()
        screen.find("#answer.refused button").click()
        screen.find("#saving-file").send_keys(str(good))
        screen.find("#saving-do").click()
        screen.until("#name", "Spring cup")
        screen.wait(lambda: not screen.all("#saving-restore")[0].is_displayed(), "the end of restoring")
        screen.find("#saving-heading button").click()
        screen.find("#saving-save")
        assert screen.violations() == []
        assert (screen.sideways(), screen.cut_off(), screen.small()) == (0, [], [])
        assert [one for one in screen.complaints() if "409" not in one] == []
