import json
import typing

import pytest
from tournaments import Log

from referee.club.tournament import events
from referee.club.tournament.events import EVENTS, Draw, Drawn, Opened, event_from_text, event_to_text
from referee.club.tournament.rules import Rules, Scheme, TieBreak
from referee.journal.errors import Unknown


def test_every_event_has_a_name():
    assert set(EVENTS.values()) == set(typing.get_args(events.Event))


@pytest.mark.parametrize(
    "event",
    [
        Opened("Cup", Rules(3, 5, 2, 3, False, Scheme((3, 1), bye=2), (TieBreak.DIRECT,)), 1.5),
        Drawn(Draw(((1, 2), (3, 4)), (5,)), 2.0),
    ],
)
def test_what_is_written_is_read_again(event):
    kind, body = event_to_text(event)
    assert "\n" not in body
    assert event_from_text(kind, body) == event


def test_a_tournament_from_before_books_were_kept_is_read():
    kind, body = event_to_text(Opened("Cup", Rules(3), 1.5))
    fields = json.loads(body)
    for name in ("book", "match_rounds", "groups", "team_counts"):
        del fields["rules"][name]
    assert event_from_text(kind, json.dumps(fields)) == Opened("Cup", Rules(3), 1.5)


def test_a_whole_tournament_is_read_again():
    log = Log(players=6)
    log.play()
    assert [event_from_text(*event_to_text(event)) for event in log.events] == log.events


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("postponed", "{}"),
        ("entered", '{"name": "A", "t": 1.0, "team": "B"}'),
        ("entered", '{"name": 3, "t": 1.0}'),
        ("entered", "[]"),
        ("entered", "not JSON"),
        ("drawn", '{"draw": {"tables": [["1"]], "byes": []}, "t": 1.0}'),
        ("opened", '{"name": "A", "rules": {"rounds": 0}, "t": 1.0}'),
    ],
)
def test_what_nobody_wrote_is_refused(kind, body):
    with pytest.raises(Unknown):
        event_from_text(kind, body)
