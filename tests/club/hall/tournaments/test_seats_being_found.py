"""Seats are found beside everything else: nobody waits, the best so far can be taken, and later rounds improve.

The search is held where a test wants it, and time is the test's own.
"""

import sqlite3
import threading
from contextlib import closing

import pytest
from kept_hall import KeptHall

from referee.club.tournament.drawing import draws, improved_plan, plan, seating
from referee.club.tournament.seating.schedule import Progress
from referee.i18n import Wording
from referee.pages.hall.tournament_part import PARTS

FEW, MANY = 300, 3_000


class HeldSearch:
    """A planner that tells of a real search; it waits after the first report, and before each of the others."""

    def __init__(self):
        self.goes_on, self.reports, self.ended = threading.Semaphore(0), [], None

    def __call__(self, tournament, watch):
        def held(progress):
            if self.reports:  # the first is told at once, and once more when it is let go on
                self.goes_on.acquire()
                self.reports.append(progress)
                return watch(progress)
            self.reports.append(progress)
            wanted = watch(progress)
            self.goes_on.acquire()
            return wanted and watch(progress)

        found = plan(tournament, FEW, held)
        self.ended = found
        return found

    def let_go(self):
        self.goes_on.release(10_000)


@pytest.fixture
def search():
    return HeldSearch()


@pytest.fixture
def hall(tmp_path, search):
    made = KeptHall(tmp_path, find=search)
    made.opens(17, rounds=6)
    yield made
    search.let_go()
    made.close()


def shown(hall):
    """The part of the page that tells of the search."""
    hall.keeper.change(lambda *_: ()).result()  # what was told before has been taken
    facts = hall.hall
    return PARTS["tournament-search"].render(type(facts)(tournaments=hall.keeper.facts), Wording("en"))


def begins_to_draw(hall, search):
    """Ask for seats, and wait until the search has told of some."""
    assert hall.ask("draw") is None
    hall.until(lambda: search.reports)
    hall.until(lambda: shown(hall)["percent"] == 0 and "pairs" in shown(hall)["told"])


def takes_the_first_seats(folder, search, goes_on):
    """A hall in which the first seats found were taken; their later rounds are improved once `goes_on` is set."""

    def improve(tournament, watch):
        goes_on.wait()
        return improved_plan(tournament, MANY, watch)

    hall = KeptHall(folder, find=search, improve=improve)
    hall.opens(17, rounds=6)
    begins_to_draw(hall, search)
    hall.seconds = 5.0
    search.goes_on.release(1)
    hall.until(lambda: shown(hall)["offered"])
    hall.do("take")
    return hall


def test_no_command_waits_for_the_search(hall, search):
    begins_to_draw(hall, search)
    assert hall.part["drawing"]
    assert hall.part["told"] == "Seats for round 1 are being drawn."
    assert hall.ask("draw") == "director.drawing"
    hall.do("rename", player=1, name="Ann")
    assert hall.keeper.facts.draws
    assert not hall.now.rounds


def test_the_best_seats_so_far_are_offered_within_ten_seconds_and_drawn_once_they_are_taken(hall, search):
    begins_to_draw(hall, search)
    assert not shown(hall)["offered"]
    assert hall.ask("take") == "director.no_seats_yet"
    hall.seconds = 9.9
    search.goes_on.release(1)
    hall.until(lambda: shown(hall)["offered"])
    best = search.reports[0].best
    hall.do("take")
    tables = {frozenset(table.players) for table in hall.drawn.tables}
    assert tables == {frozenset(player + 1 for player in table) for table in best.rounds[0]}
    assert len(hall.now.plan) == 5
    assert not hall.keeper.facts.draws
    search.let_go()
    hall.until(lambda: search.ended is not None)
    hall.look()
    assert len(hall.now.rounds) == 1  # what the search has come to since is nobody's seat


def test_before_the_proof_the_seats_are_offered_at_once(tmp_path):
    """HiGHS tells nothing while it works."""
    held, begun = threading.Event(), threading.Event()

    def proves(tournament, watch):
        best = seating(tournament, 10)
        watch(Progress(0.9, best, proving=True))
        begun.set()
        held.wait()
        return draws(tournament, best)

    hall = KeptHall(tmp_path, find=proves)
    hall.opens(5, rounds=1)
    assert hall.ask("draw") is None
    begun.wait()
    hall.until(lambda: hall.keeper.facts.search.offered)
    hall.do("take")
    assert len(hall.now.rounds) == 1
    held.set()
    hall.close()


def test_a_search_that_comes_to_its_end_draws_by_itself(hall, search):
    begins_to_draw(hall, search)
    search.let_go()
    hall.until(lambda: not hall.keeper.facts.draws)
    assert len(hall.now.rounds) == 1
    assert shown(hall) is None


@pytest.mark.parametrize(
    ("command", "values"),
    [("leave", {"player": 3}), ("rounds", {"rounds": 5}), ("end", {})],
)
def test_what_is_changed_meanwhile_makes_the_seats_void_and_that_is_told(hall, search, command, values):
    begins_to_draw(hall, search)
    hall.do(command, **values)
    assert shown(hall) is None
    assert hall.part["troubles"] == ["Something changed while seats were being drawn: draw again."]
    search.let_go()
    if command != "end":
        hall.do("draw")
        assert hall.part["troubles"] == []
        assert len(hall.now.rounds) == 1


def test_later_rounds_are_improved_while_people_sit_down_and_nobody_moves(tmp_path, search):
    improving = threading.Event()
    hall = takes_the_first_seats(tmp_path, search, improving)
    seated, planned = hall.drawn.tables, hall.now.plan
    assert shown(hall)["later"]
    assert "Nobody changes seats in this round." in shown(hall)["told"]
    hall.do("begin")
    published = []
    hall.keeper.news = lambda: published.append(hall.keeper.facts)
    improving.set()
    search.let_go()
    hall.until(lambda: shown(hall) is None)
    over = next(facts for facts in published if facts.search is None)
    assert over.current.tournament.plan == hall.now.plan  # whoever sees that the search is over sees what it found
    assert hall.drawn.tables == seated
    assert repeats_of(hall, hall.now.plan) < repeats_of(hall, planned)
    before = hall.keeper.facts.current
    hall.killed()
    assert hall.keeper.facts.current == before
    hall.close()


def test_a_better_plan_that_the_disk_does_not_take_leaves_the_one_before_and_is_told(tmp_path, search):
    improving = threading.Event()
    hall = takes_the_first_seats(tmp_path, search, improving)
    planned = hall.now.plan
    with closing(sqlite3.connect(hall.path)) as db, db:
        db.execute("CREATE TRIGGER full BEFORE INSERT ON notes BEGIN SELECT RAISE(ABORT, 'disk full'); END")
    improving.set()
    search.let_go()
    hall.until(lambda: shown(hall) is None)
    assert hall.now.plan == planned
    assert "disk full" in hall.part["troubles"][0]
    hall.close()


def repeats_of(hall, planned):
    """How often pairs meet again in the round that is drawn and those of a plan."""
    met = {}
    for tables in ([table.players for table in hall.drawn.tables], *(draw.tables for draw in planned)):
        for table in tables:
            for one in table:
                for other in table:
                    if one < other:
                        met[one, other] = met.get((one, other), 0) + 1
    return sum(times * (times - 1) // 2 for times in met.values())


def test_improving_is_over_where_the_next_round_is_drawn_or_somebody_leaves(tmp_path, search):
    held = threading.Event()
    hall = takes_the_first_seats(tmp_path, search, held)
    hall.do("leave", player=2)
    assert shown(hall) is None
    assert hall.part["troubles"] == []
    held.set()
    search.let_go()
    hall.close()
    assert hall.now.plan == ()


def test_an_error_of_the_search_is_told(tmp_path, capsys):
    hall = KeptHall(tmp_path, find=lambda *_: 1 / 0)
    hall.opens(3)
    hall.do("draw")
    hall.until(lambda: hall.keeper.facts.not_drawn is not None)
    assert "ZeroDivisionError" in hall.part["troubles"][0]
    assert "ZeroDivisionError" in capsys.readouterr().err
    hall.close()


def test_too_few_players_are_refused_at_once(tmp_path):
    hall = KeptHall(tmp_path)
    hall.opens(1)
    assert hall.ask("draw") == "tournament.too_few"
    hall.close()


def test_whoever_watches_a_search_changes_nothing_of_what_it_finds(hall):
    shares = []

    def watch(progress):
        shares.append(progress.share)
        return True

    assert plan(hall.now, FEW, watch) == plan(hall.now, FEW)
    assert shares == sorted(shares)
    assert 0.0 <= shares[0] < shares[-1] <= 1.0


def test_a_search_that_is_ended_early_has_seats_for_everybody_in_every_round(hall):
    found = plan(hall.now, MANY, lambda _: False)
    assert len(found) == 6
    assert all(sorted(one for table in draw.tables for one in table) == list(hall.now.here) for draw in found)
