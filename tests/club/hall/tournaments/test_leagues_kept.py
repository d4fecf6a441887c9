"""Leagues are kept in the hall's file: whatever the director does, whoever is killed, whatever cannot be stored."""

import json
import sqlite3
from contextlib import closing

import pytest
from kept_hall import KeptHall
from saved_tables import NOW

from referee.backup.contents import Places
from referee.backup.resetting import reset
from referee.backup.restoring import restore
from referee.club.hall.tournaments.leagues import league_of, table_of
from referee.club.hall.tournaments.notes import LEAGUE

THURSDAY = {"name": "Thursday league", "evenings": 6, "best": 3, "worth": "place"}


@pytest.fixture
def hall(tmp_path):
    made = KeptHall(tmp_path)
    made.do("league-found", **THURSDAY)
    yield made
    made.close()


def plays(hall, *names, league="", ended=True):
    """An evening of these players; the one who is named first is best."""
    hall.do("open", name="Evening", rounds=1, league=league)
    hall.do("enter", names="\n".join(names))
    hall.do("check-in")
    hall.do("draw")
    hall.do("begin")
    for number, table in enumerate(hall.drawn.tables, 1):
        hall.do("result", table=number, points=[-player for player in table.players])
    if ended:
        hall.do("end")
    return hall.keeper.facts.current.slug


def league(hall, at=0):
    return hall.keeper.facts.leagues[at]


def table(hall, at=0):
    return table_of(hall.keeper.facts, league(hall, at))


def rows(hall):
    with closing(sqlite3.connect(hall.path)) as db:
        return [json.loads(body) for (body,) in db.execute("SELECT body FROM notes ORDER BY number")]


def test_a_season_with_the_hall_killed_after_every_step(hall):
    first = plays(hall, "Ann", "Ben", "Cleo", league="thursday-league-1")
    hall.killed()
    assert league(hall).tournaments == (first,)
    second = plays(hall, "Ben", "Ann")
    hall.do("league-add", league="thursday-league-1", tournament=second)
    hall.killed()
    assert [(one.place, one.name, one.total) for one in table(hall).lines] == [
        (1, "Ben", 150), (2, "Ann", 100), (3, "Cleo", 0)
    ]  # fmt: skip
    hall.do("league-end", league="thursday-league-1")
    before = hall.keeper.facts.leagues
    hall.killed()
    assert hall.keeper.facts.leagues == before
    assert not table(hall).provisional
    hall.do("correct", round=1, table=1, points=[-5, 5])
    hall.killed()
    assert [(one.place, one.name, one.total) for one in table(hall).lines] == [
        (1, "Ann", 200), (2, "Ben", 50), (3, "Cleo", 0)
    ]  # fmt: skip
    hall.do("league-reopen", league="thursday-league-1")
    hall.do("league-remove", league="thursday-league-1", tournament=first)
    hall.killed()
    assert league(hall).tournaments == (second,)
    assert hall.keeper.facts.troubles == ()


def test_the_next_season_knows_the_players_of_the_one_before(hall):
    plays(hall, "Ann", "Ben", league="thursday-league-1")
    again = {**THURSDAY, "after": "thursday-league-1"}
    assert hall.ask("league-found", **again) == "league.end_it_first"
    hall.do("league-end", league="thursday-league-1")
    hall.do("league-found", **again)
    assert [one.slug for one in hall.keeper.facts.leagues] == ["thursday-league-1", "thursday-league-2"]
    assert table(hall, 1).awaited == ("Ann", "Ben")
    plays(hall, "ANN", "Cleo", league="thursday-league-2")
    hall.killed()
    assert table(hall, 1).awaited == ("Ben",)
    assert [one.name for one in table(hall, 1).lines] == ["ANN", "Cleo"]


def test_what_is_not_possible_is_refused_with_a_sentence(hall):
    assert hall.ask("open", name="Cup", rounds=1, league="no-such-1") == "league.none"
    assert hall.keeper.facts.all == ()
    assert hall.ask("league-found", **{**THURSDAY, "best": 7}) == "league.best_of"
    assert hall.ask("league-found", **{**THURSDAY, "name": " "}) == "tournament.no_name"
    assert hall.ask("league-found", **{**THURSDAY, "after": "no-such-1"}) == "league.none"
    hall.do("league-found", **{**THURSDAY, "name": "Дом", "evenings": 2, "best": 2})
    assert [one.slug for one in hall.keeper.facts.leagues] == ["thursday-league-1", "league-2"]
    cup = plays(hall, "Ann", "Ben", league="league-2", ended=False)
    assert league_of(hall.keeper.facts, cup).slug == "league-2"
    assert hall.ask("league-add", league="thursday-league-1", tournament=cup) == "league.in_another"
    assert hall.ask("league-add", league="league-2", tournament=cup) == "league.in_it_already"
    assert hall.ask("league-add", league="league-2", tournament="no-such-1") == "league.no_tournament"
    assert hall.ask("league-remove", league="thursday-league-1", tournament=cup) == "league.not_in_it"
    assert hall.ask("league-end", league="league-2") == "league.evening_open"
    assert hall.ask("league-end", league="no-such-1") == "league.none"
    assert hall.ask("league-reopen", league="league-2") == "league.not_ended"
    hall.do("end")
    plays(hall, "Ann", "Ben", league="league-2")
    assert hall.ask("open", name="Cup", rounds=1, league="league-2") == "league.is_full"
    hall.do("league-end", league="league-2")
    assert hall.ask("league-remove", league="league-2", tournament=cup) == "league.is_ended"


def test_what_cannot_be_stored_is_not_done_and_an_evening_is_stored_with_its_tournament_or_not_at_all(hall):
    with closing(sqlite3.connect(hall.path)) as db:
        db.execute(
            f"CREATE TRIGGER full BEFORE INSERT ON notes WHEN NEW.kind = '{LEAGUE}' "
            "BEGIN SELECT RAISE(ABORT, 'disk full'); END"
        )
        db.commit()
    before = hall.keeper.facts, rows(hall)
    assert hall.ask("league-end", league="thursday-league-1") == "director.not_kept"
    assert hall.ask("league-found", **THURSDAY) == "director.not_kept"
    assert hall.ask("open", name="Cup", rounds=1, league="thursday-league-1") == "director.not_kept"
    assert (hall.keeper.facts, rows(hall)) == before
    hall.do("open", name="Cup", rounds=1)
    hall.killed()
    assert [one.slug for one in hall.keeper.facts.all] == ["cup-1"]
    assert league(hall).tournaments == ()


def test_a_backup_has_the_leagues_and_a_factory_reset_leaves_none(tmp_path):
    box = Places(tmp_path / "state")
    folder = box.state / "hall"
    folder.mkdir(parents=True)
    hall = KeptHall(folder)
    hall.do("league-found", **THURSDAY)
    plays(hall, "Ann", "Ben", league="thursday-league-1")
    before = table(hall)
    hall.close()
    backup = reset(box, NOW)
    assert not folder.exists()
    restore(backup, box, NOW, lambda _: None)
    hall = KeptHall(folder)
    assert table(hall) == before
    hall.close()


def test_a_league_that_only_a_newer_version_can_read_is_told_and_kept(hall):
    with closing(sqlite3.connect(hall.path)) as db:
        newer = json.dumps({"of": "thursday-league-1", "event": "season-frozen", "body": {"t": 1.0}})
        db.execute("INSERT INTO notes (kind, wall, body) VALUES (?, '', ?)", (LEAGUE, newer))
        db.execute("INSERT INTO notes (kind, wall, body) VALUES (?, '', '[]')", (LEAGUE,))
        db.commit()
    kept = rows(hall)
    hall.killed()
    assert hall.keeper.facts.leagues == ()
    keys = [(one.key, dict(one.fields)["slug"]) for one in hall.keeper.facts.troubles]
    assert keys[0] == ("league.unreadable", "thursday-league-1")
    assert keys[1][1].startswith("note-")
    hall.do("league-found", **THURSDAY)
    assert league(hall).slug != "thursday-league-1"
    assert rows(hall)[: len(kept)] == kept


RULES = {"league": "thursday-league-1", "evenings": 5, "best": 1, "worth": "points", "who": "Eve", "why": "Snow."}


def test_rules_are_changed_with_a_trace_and_the_table_is_computed_anew(hall):
    plays(hall, "Ann", "Ben", league="thursday-league-1")
    plays(hall, "Ann", "Ben", league="thursday-league-1")
    assert [(one.name, one.total) for one in table(hall).lines] == [("Ann", 200), ("Ben", 0)]
    before = league(hall)
    hall.do("league-rules", **RULES)
    hall.killed()
    now = league(hall)
    assert (now.evenings, now.best, now.worth.value) == (5, 1, "points")
    assert [(one.name, one.total) for one in table(hall).lines] == [("Ann", 12), ("Ben", 0)]
    (change,) = now.changes
    assert (change.evenings, change.best, change.worth) == (before.evenings, before.best, before.worth)
    assert (change.who, change.why) == ("Eve", "Snow.")
    hall.do("league-rules", **{**RULES, "best": 2, "worth": "place"})
    hall.killed()
    assert [one.best for one in league(hall).changes] == [before.best, 1]
    assert [(one.name, one.total) for one in table(hall).lines] == [("Ann", 200), ("Ben", 0)]


def test_rules_that_are_impossible_the_same_or_without_a_reason_are_refused(hall):
    for _ in range(3):
        plays(hall, "Ann", "Ben", league="thursday-league-1")
    before = hall.keeper.facts.leagues
    for fields, why in (
        ({"best": 6}, "best_of"), ({"evenings": 2}, "is_full"), ({"who": " "}, "who_and_why"),
        ({"why": ""}, "who_and_why"), ({"league": "no-such-1"}, "none"),
        ({"evenings": before[0].evenings, "best": before[0].best, "worth": before[0].worth.value}, "same_rules"),
    ):  # fmt: skip
        assert hall.ask("league-rules", **{**RULES, **fields}) == f"league.{why}"
    assert hall.keeper.facts.leagues == before
    hall.do("league-end", league="thursday-league-1")
    assert hall.ask("league-rules", **RULES) == "league.is_ended"
