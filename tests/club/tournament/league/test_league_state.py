"""The state of a league: what can be done when, and its events as text."""

from dataclasses import replace

import pytest

from referee.club.tournament.events import OutOfOrder
from referee.club.tournament.league.state import (
    EveningAdded,
    EveningRemoved,
    Founded,
    SeasonEnded,
    SeasonReopened,
    Worth,
    apply_league,
    event_from_text,
    event_to_text,
    found_league,
    replay_league,
)
from referee.errors import BadInput
from referee.game.notice import told_by
from referee.journal.errors import Unknown

FOUNDED = Founded("  Thursday  league ", 2, 1, Worth.PLACE, 5.0, "thursday-league-1")


def refused(league, event):
    with pytest.raises(OutOfOrder) as refusal:
        apply_league(league, event)
    return told_by(refusal.value).key


def test_a_league_gets_its_evenings_and_ends_and_is_reopened():
    league = found_league("thursday-2", FOUNDED)
    assert (league.name, league.after, league.tournaments, league.ended) == (
        "Thursday league",
        "thursday-league-1",
        (),
        False,
    )
    for slug in ("cup-1", "cup-2"):
        league = apply_league(league, EveningAdded(slug, 6.0))
    assert league.tournaments == ("cup-1", "cup-2")
    assert refused(league, EveningAdded("cup-1", 6.0)) == "league.in_it_already"
    assert refused(league, EveningAdded("cup-3", 6.0)) == "league.is_full"
    assert refused(league, EveningRemoved("cup-3", 6.0)) == "league.not_in_it"
    assert refused(league, SeasonReopened(6.0)) == "league.not_ended"
    assert apply_league(league, EveningRemoved("cup-1", 6.0)).tournaments == ("cup-2",)
    over = apply_league(league, SeasonEnded(7.0))
    for event in (EveningAdded("cup-3", 8.0), EveningRemoved("cup-1", 8.0), SeasonEnded(8.0)):
        assert refused(over, event) == "league.is_ended"
    assert apply_league(over, SeasonReopened(8.0)) == league


def test_a_league_is_founded_once_and_first():
    with pytest.raises(OutOfOrder):
        apply_league(found_league("thursday-2", FOUNDED), FOUNDED)
    for events in ((), (SeasonEnded(1.0),)):
        with pytest.raises(BadInput):
            replay_league("thursday-2", events)


@pytest.mark.parametrize(
    "wrong", [{"evenings": 1}, {"evenings": 21}, {"best": 0}, {"best": 3}, {"name": " "}, {"name": "x" * 500}]
)
def test_impossible_rules_are_refused(wrong):
    with pytest.raises(BadInput):
        found_league("thursday-2", replace(FOUNDED, **wrong))


def test_events_are_read_as_they_were_written_and_newer_ones_refused():
    events = [FOUNDED, EveningAdded("cup-1", 6.0), EveningRemoved("cup-1", 6.5), SeasonEnded(7.0), SeasonReopened(8.0)]
    assert [event_from_text(*event_to_text(event)) for event in events] == events
    assert replay_league("thursday-2", events) == found_league("thursday-2", FOUNDED)
    with pytest.raises(Unknown):
        event_from_text("season-frozen", "{}")
