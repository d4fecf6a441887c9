"""A round is corrected on the page, whatever match it belongs to; nothing of it disturbs the match at the table."""

import json
import resource
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest
from kept_matches import UNTIMED, one_under_way, page, table, two_matches
from played import short, write

from referee.game.match.phases import Phase
from referee.journal.buffered_store import RETRY_S
from referee.journal.errors import DiskFull
from referee.journal.opening import FILE, open_journal
from referee.journal.scores import read_scores
from referee.journal.store import SqliteStore
from referee.page.access import Policy

BY = {"who": "Eve", "why": "a joker was counted twice", "since": 0}
RIGHT = {"match": 2, "round": 1, "points": [0, 95], "winner": 0, **BY}


@pytest.fixture
def folder(tmp_path):
    return one_under_way(tmp_path / "state")


@pytest.fixture
def room() -> Iterator[Callable[[int | None], None]]:
    """Says how large a file may grow, as a full disk does; None: as large as it likes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)

    def limit(size: int | None) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft if size is None else size, hard))

    yield limit
    limit(None)


def kept(folder, match):
    return next(score for score in read_scores(folder / FILE) if score.match == match)


def traces(folder, match):
    return [(one.correction.who, one.correction.why) for one in kept(folder, match).corrections]


def test_a_round_of_the_match_at_the_table_is_corrected_by_its_loop(folder):
    with table(folder) as there:
        assert there.page.post(**RIGHT) == (200, {"done": True})
        assert there.state.sheet.totals == (95, -95)
        assert traces(folder, 2) == [("Eve", "a joker was counted twice")]
        said = [one.told.key for one in there.page.server.follower.facts.said]
        assert "match.corrected" in said
        assert "Corrected by Eve" in there.page.read("/scores/2")
        assert goes_on(there)
    assert kept(folder, 2).sheet.totals == (95, -95)


def test_a_round_of_another_match_is_corrected_beside_the_one_at_the_table(folder):
    with table(folder) as there:
        before = there.state
        assert there.page.post(**RIGHT | {"match": 1}) == (200, {"done": True})
        assert there.state is before
        assert kept(folder, 1).sheet.totals == (95, -95)
        assert traces(folder, 1) == [("Eve", "a joker was counted twice")]
        assert goes_on(there)
    again = open_journal(folder)
    assert again.notices == ()
    assert again.kept.match == 2
    again.journal.close()


def test_a_match_that_was_over_when_the_referee_began_is_corrected(tmp_path):
    folder = tmp_path / "state"
    journal = open_journal(folder).journal
    write(journal, UNTIMED, short())
    journal.close()
    with table(folder) as there:
        assert there.state.phase is Phase.LOBBY
        assert there.page.post(**RIGHT | {"match": 1})[0] == 200
        there.do(there.evening.press(1))
        there.do(there.evening.press(2))
        there.do(there.evening.start())
        assert there.state.phase is Phase.TURN
    assert [score.sheet.totals for score in read_scores(folder / FILE)] == [(95, -95), (0, 0)]


def test_a_command_that_comes_again_counts_once(folder):
    with table(folder) as there:
        for match in (1, 2):
            for _ in range(3):
                assert there.page.post(**RIGHT | {"match": match, "id": f"the-same-{match}"})[0] == 200
            assert len(traces(folder, match)) == 1


@pytest.mark.parametrize("match", [1, 2])
def test_whoever_comes_late_is_told(folder, match):
    with table(folder) as there:
        assert there.page.post(**RIGHT | {"match": match})[0] == 200
        status, answer = there.page.post(**RIGHT | {"match": match, "points": [0, 50]})
        assert status == 409
        assert answer["told"] == "This match has been corrected in the meantime: look at it again."
        assert there.page.post(**RIGHT | {"match": match, "points": [0, 50], "since": 1})[0] == 200
        assert len(traces(folder, match)) == 2


@pytest.mark.parametrize("match", [1, 2])
@pytest.mark.parametrize(
    ("told", "status", "sentence"),
    [
        ({"points": [0, 128]}, 409, "Nothing has changed"),
        ({"points": [3, 95]}, 422, "The winner cannot have points left in hand"),
        ({"points": [0, 9999]}, 422, "more than the whole box"),
        ({"points": [0, 5], "winner": None}, 200, ""),
        ({"points": [0, 0], "winner": None, "in_one_turn": True}, 422, "say who won"),
        ({"points": [0, 5, 5]}, 422, "the points of 2 hands"),
        ({"winner": 5}, 422, "winner"),
        ({"round": 9}, 422, "Round 9 has not been played"),
    ],
)
def test_what_no_round_can_have_been_is_refused_in_one_sentence(folder, match, told, status, sentence):
    with table(folder) as there:
        found, answer = there.page.post(**RIGHT | {"match": match} | told)
        assert found == status, answer
        assert sentence in answer.get("told", "")
        assert len(traces(folder, match)) == (status == 200)


def test_a_match_that_is_not_there_is_told(folder):
    with table(folder) as there:
        status, answer = there.page.post(**RIGHT | {"match": 77})
        assert (status, answer["told"]) == (404, "There is no such match.")


@pytest.mark.parametrize(
    "told",
    [
        {"points": "0,95"},
        {"points": []},
        {"points": [1] * 99},
        {"points": [0, -5]},
        {"points": [0, 10**9]},
        {"winner": "Ann"},
        {"in_one_turn": "yes"},
        {"who": ""},
        {"who": "   "},
        {"who": "x" * 61},
        {"why": "x" * 201},
        {"why": 7},
        {"why": "\ud800\x00\x1b"},
        {"match": 10**30},
        {"since": -1},
    ],
)
def test_a_malformed_command_is_refused(folder, told):
    with table(folder) as there:
        status, answer = there.page.post(**RIGHT | told)
        assert status == 400
        assert "expected" in answer["error"]
        assert traces(folder, 2) == []


def test_what_cannot_be_shown_is_left_out(folder):
    with table(folder) as there:
        assert there.page.post(**RIGHT | {"who": " Eve\x1b[31m \n", "why": "a\ttab \ud800"})[0] == 200
        assert traces(folder, 2) == [("Eve[31m", "a tab")]


def test_without_a_match_running_nothing_is_written(tmp_path):
    folder = two_matches(tmp_path / "state")
    with page(folder) as served:
        assert served.post(**RIGHT | {"since": 1})[0] == 503
    assert len(traces(folder, 2)) == 1


def test_a_damaged_match_is_not_corrected(folder):
    with table(folder) as there:
        with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as connection:
            connection.execute("DROP TRIGGER never_changed")
            connection.execute("UPDATE events SET t = t + 1 WHERE match = 1 AND number = 2")
        status, answer = there.page.post(**RIGHT | {"match": 1})
        assert status == 503
        assert "not working" in answer["told"]


def goes_on(there) -> bool:
    """Whether the next round begins, as it would have without any correction."""
    there.do(there.evening.start())
    there.do(there.evening.press(1))
    for _ in range(600):  # a slow machine takes the press later
        if there.state.phase is Phase.TURN:
            return True
        there.do(there.evening.wait(0.1))
    return False


@pytest.fixture(params=["full", "failing"])
def disk(request, monkeypatch, room):
    """A disk that can be made full, or fail; with the status and the words that tell it."""

    def full(store, *_):
        raise DiskFull.at(store.path)

    class Disk:
        status, told = {"full": (507, "The memory card is full"), "failing": (503, "memory card")}[request.param]

        def bad(self) -> None:
            if request.param == "failing":
                room(0)
                return
            for name in ("put", "amend", "beat"):
                monkeypatch.setattr(SqliteStore, name, full)

        def good(self) -> None:
            room(None)
            monkeypatch.undo()

    return Disk()


@pytest.mark.parametrize("match", [1, 2])
def test_a_disk_that_takes_nothing_is_told_and_the_match_is_not_disturbed(folder, disk, match):
    with table(folder) as there:
        before = there.state
        disk.bad()
        status, answer = there.page.post(**RIGHT | {"match": match})
        assert status == disk.status
        assert disk.told in answer["told"]
        assert there.state.sheet == before.sheet
        assert goes_on(there)
        disk.good()
        there.do(there.evening.wait(RETRY_S + 1))
        assert there.page.post(**RIGHT | {"match": match})[0] == 200
    assert len(traces(folder, match)) == 1


def test_correcting_takes_the_pin(tmp_path):
    folder = two_matches(tmp_path / "state")
    # Behind a server that forwards nobody sits before this machine.
    with page(folder, policy=Policy(local=False)) as served:
        body = json.dumps({"command": "correct", "id": "12345678", "n": 0, **RIGHT})
        told = {"Content_Type": "application/json", "Origin": served.address}
        assert served.get("/api/command", "POST", body, **told)[0] == 403
        text = served.read("/scores/1/correct/1")
        assert "You need the PIN to correct anything" in text
        assert "<form id=" not in text
        assert "/enter?next=/scores/1/correct/1" in text
