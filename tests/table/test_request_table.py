"""The table of requests: everything that may be asked of a table has a row, and only its sender gets it."""

import queue
import typing

import numpy as np
import pytest
from page_loop import playing

from referee.game.match.events import Paused, Started
from referee.game.match.phases import Phase
from referee.game.notice import Notice
from referee.game.tiles import Tile
from referee.journal.rows import Row
from referee.table.desk_values import CallDirector, DismissAnnouncement, HearHall, WithdrawCall
from referee.table.input.requests import (
    AddTile,
    Announce,
    AskPresence,
    BeginDraw,
    BeginMatch,
    CalibrateLens,
    ClubTrouble,
    Configure,
    CorrectOther,
    CorrectRound,
    CountAsItLies,
    Decide,
    DiscardMatch,
    EnrolBox,
    EnrolStep,
    GoOn,
    KeepFailure,
    LeavePresence,
    LensStep,
    LogCoach,
    LookAgain,
    LookThrough,
    NameTile,
    NextMatch,
    Pause,
    PendingRequest,
    PlaceTile,
    ReadAgain,
    Request,
    Sender,
    TakePicture,
    TellNews,
    TellTile,
    TryAgain,
    TryPanel,
    Unfinished,
)
from referee.table.looking.look import Look

LOOK, RED_7 = Look(None, np.zeros((2, 2, 3), np.uint8)), Tile.from_name("red-7")
FROM_PAGES = (
    TellTile(LOOK, 0, RED_7),
    PlaceTile(LOOK, (1.0, 1.0), RED_7),
    ReadAgain(LOOK, 0),
    CountAsItLies(LOOK),
    KeepFailure(LOOK),
    CorrectRound(7, 1, (0, 5), 0, "Anna", "miscounted"),
    LogCoach(3),
    TakePicture(lambda _: None),
    CorrectOther((Row(7, 3, 1.0, "", "corrected", "{}"),)),
    Configure({"game.rules": "gin"}),
    TryAgain(),
    Decide(Unfinished.DISCARD),
    LookThrough(),
    TryPanel(""),
    EnrolBox(EnrolStep.BEGIN),
    NameTile(0, 0, RED_7),
    AddTile(0, (1.0, 1.0), RED_7),
    CalibrateLens(LensStep.BEGIN),
    BeginMatch(),
    NextMatch(),
    CallDirector("dispute"),
    WithdrawCall(),
    DismissAnnouncement(1),
    AskPresence(Notice("presence.title"), lambda _: None),
    LeavePresence(lambda _: None),
)
FROM_CLUBS = (
    GoOn(),
    LookAgain(),
    Announce("Tea is ready"),
    BeginDraw(("Anna", "Ben"), "cup-r1-t1"),
    ClubTrouble(Notice("play.slow_disk")),
    HearHall(False),
    Pause(),
)
FROM_MACHINE = (TellNews(Notice("update.on_stick", version="2-abc")),)
BY_SENDER = [
    *((Sender.PAGE, one) for one in FROM_PAGES),
    *((Sender.CLUB, one) for one in FROM_CLUBS),
    *((Sender.MACHINE, one) for one in FROM_MACHINE),
]


@pytest.fixture(scope="module")
def table():
    """A match that pauses, so that no time of a turn is up meanwhile."""
    with playing() as one:
        for event in (Started(("Anna", "Ben"), one.loop.t), Paused(one.loop.t)):
            one.happen(event)
        one.until(lambda: one.state.phase is Phase.PAUSED)
        yield one


def send(table, request, sender):
    answers = queue.Queue()
    table.loop.request(PendingRequest(request, sender, answers.put))
    return answers.get(timeout=30)


def test_nothing_that_can_be_asked_for_is_left_out_here():
    assert {type(request) for _, request in BY_SENDER} | {DiscardMatch} == set(typing.get_args(Request))


@pytest.mark.parametrize(("sender", "request_"), BY_SENDER, ids=lambda value: type(value).__name__)
def test_only_its_own_sender_may_send_a_request(table, sender, request_):
    state, said = table.state, list(table.said)
    for other in set(Sender) - {sender}:
        assert send(table, request_, other) == Notice("play.not_now")
    assert (table.state, table.said) == (state, said)


def test_its_own_sender_is_answered_by_what_handles_it(table):
    answers = {type(request): send(table, request, sender) for sender, request in BY_SENDER}
    keys = {kind.__name__: None if answer is None else answer.key for kind, answer in answers.items()}
    preparations = "Configure TryAgain Decide LookThrough TryPanel EnrolBox NameTile AddTile CalibrateLens BeginMatch"
    assert keys == {
        "TellTile": "play.nothing_to_tell",
        "PlaceTile": "play.nothing_to_tell",
        "ReadAgain": "play.nothing_to_tell",
        "CountAsItLies": "play.nothing_to_agree",
        "KeepFailure": "play.failure_not_kept",
        "CorrectRound": "scores.other_match",
        "CorrectOther": "scores.late",
        "LogCoach": "coach.not_agreed",
        "TakePicture": "puzzle.camera_busy",
        **dict.fromkeys(preparations.split(), "setup.only_before"),
        "NextMatch": "play.not_now",
        "CallDirector": "desk.no_club",
        "WithdrawCall": "desk.not_called",
        "DismissAnnouncement": None,
        "AskPresence": "presence.no_buttons",
        "LeavePresence": None,
        "GoOn": None,
        "LookAgain": "play.not_now",
        "Announce": None,
        "BeginDraw": "club.match_under_way",
        "ClubTrouble": None,
        "HearHall": None,
        "Pause": None,
        "TellNews": "setup.only_before",
    }
    assert table.events[-2:] == ["resumed", "paused"]


def test_a_page_discards_the_match_under_way_and_no_other():
    with playing() as table:
        assert send(table, DiscardMatch(), Sender.PAGE) == Notice("play.not_now")
        table.happen(Started(("Anna", "Ben"), table.loop.t))
        table.until(lambda: table.state.phase is Phase.TURN, "the first turn")
        assert send(table, DiscardMatch(), Sender.CLUB) == Notice("play.not_now")
        assert send(table, DiscardMatch(), Sender.PAGE) is None
        table.until(lambda: table.state.phase is Phase.LOBBY, "the next match")
        assert send(table, DiscardMatch(), Sender.PAGE) == Notice("play.not_now")


def test_news_are_told_between_matches_only():
    news = TellNews(Notice("update.on_stick", version="2-abc"))
    with playing() as table:
        assert send(table, news, Sender.MACHINE) is None
        assert [said for said in table.said if "A new version of the referee is on the USB stick: 2-abc." in said]
        table.happen(Started(("Anna", "Ben"), table.loop.t))
        table.until(lambda: table.state.phase is Phase.TURN, "the first turn")
        assert send(table, news, Sender.MACHINE) == Notice("setup.only_before")
