"""Results of a tournament out of the tables' matches: by the draw's name and without, corrected, in doubt."""

import pytest
from hosting import Hosting, minute, views

from referee.club.hall.tournaments.round_results import found_in
from referee.club.hall.tournaments.state import (
    Placed,
    SetOut,
    Taken,
    event_from_text,
    event_to_text,
    replay_tournament,
)
from referee.club.tournament import standings
from referee.club.tournament.events import DrawWithdrawn, Renamed, ResultCorrected, ResultTold, Swapped
from referee.club.tournament.state import Correction


@pytest.fixture
def five():
    """A round of three and two players that has begun at table-1 and table-2."""
    made = Hosting(players=5)
    made.draw()
    made.begin()
    return made


def told(events):
    return [type(event).__name__ for event in events]


def test_a_match_of_the_draw_is_taken_once(five):
    five.play(1, (30, -10, -20))
    assert told(five.look()) == ["ResultTold", "Taken"]
    assert five.drawn.tables[0].points == (30, -10, -20)
    assert five.look() == ()


def test_it_is_taken_once_it_is_over(five):
    five.play(1, (30, -10, -20), planned=2)
    assert five.look() == ()
    assert five.found()[0].match is not None


def test_a_match_of_another_draw_is_none_of_this_round(five):
    five.match("table-1", minute(30), five.names(1), [(1, 2, 3)], draw="autumn-cup-2-r1-t1")
    assert five.look() == ()


def test_a_match_at_another_table_does_not_count_whatever_it_says(five):
    five.match("table-4", minute(30), five.names(1), [(1, 2, 3)], draw=five.now.draw_id(1, 1))
    assert five.look() == ()


def test_without_a_draw_the_first_match_that_began_since_counts():
    hosting = Hosting(players=5)
    hosting.match("table-1", minute(5), (None, None, None), [(9, 9, 9)], number=1)
    hosting.draw()
    hosting.begin()
    assert hosting.look() == ()
    hosting.match("table-1", minute(40), (None, None, None), [(7, 7, 7)], number=3)
    hosting.match("table-1", minute(30), (None, None, None), [(1, 2, 3)], number=2)
    hosting.look()
    assert hosting.drawn.tables[0].points == (1, 2, 3)


def test_a_journal_made_anew_tells_the_same_match_again_and_it_stays_the_one(five):
    five.play(1, (30, -10, -20), draw=False)
    five.look()
    five.match("table-1", minute(30), five.names(1), [(30, -10, -20)], epoch="4567cdef", number=1)
    assert five.look() == ()


def test_a_match_from_before_that_a_new_journal_tells_again_is_still_from_before():
    hosting = Hosting(players=5)
    hosting.match("table-1", minute(5), (None, None, None), number=1)
    hosting.draw()
    hosting.begin()
    hosting.match("table-1", minute(5), (None, None, None), [(9, 9, 9)], epoch="4567cdef")
    assert hosting.look() == ()


def test_of_two_tellings_the_one_that_goes_further_counts(five):
    five.match("table-1", minute(30), five.names(1), [(1, 2, 3)], planned=2)
    five.match("table-1", minute(30), five.names(1), [(1, 2, 3), (4, 5, 6)], planned=2, epoch="4567cdef")
    five.match("table-1", minute(30), five.names(1), [], planned=2, epoch="0000cdef")
    five.look()
    assert five.drawn.tables[0].points == (5, 7, 9)


def test_a_match_long_before_the_round_that_is_told_late_does_not_count(five):
    five.do(SetOut((), (("table-1", 1_795_200_000.0),), 3.0))  # some time after 18:30 of that day
    five.play(1, (1, 2, 3), draw=False)
    assert five.look() == ()


@pytest.mark.parametrize("begun", ["2026-13-45T99:00:00Z"])
def test_a_day_of_no_calendar_harms_nobody(five, begun):
    five.do(SetOut((), (("table-1", 0.0),), 3.0))
    five.match("table-1", begun, five.names(1), [(1, 2, 3)])
    five.look()
    assert five.drawn.tables[0].points == (1, 2, 3)


def test_points_go_by_names_where_the_table_was_seated_otherwise(five):
    one, two, three = five.names(1)
    five.match("table-1", minute(30), (three, one.upper(), f" {two}"), [(3, 1, 2)], draw=five.now.draw_id(1, 1))
    five.look()
    assert five.drawn.tables[0].points == (1, 2, 3)


def test_without_names_points_go_by_seats(five):
    five.play(1, (3, 1, 2), named=False)
    five.look()
    assert five.drawn.tables[0].points == (3, 1, 2)


def test_a_name_that_was_spelt_wrongly_is_still_known(five):
    five.play(1, (3, 1, 2))
    five.do(Renamed(five.drawn.tables[0].players[0], "Zoë", 3.5))
    five.look()
    assert five.drawn.tables[0].points == (3, 1, 2)


def test_other_players_are_told_and_not_taken(five):
    five.match("table-1", minute(30), ("Zoë", *five.names(1)[1:]), [(1, 2, 3)])
    assert (five.look(), five.troubles()) == ((), ["other_names"])


def test_more_players_than_were_drawn_are_told_and_not_taken(five):
    five.match("table-1", minute(30), (None,) * 4, [(1, 2, 3, 4)])
    assert (five.look(), five.troubles()) == ((), ["other_players"])


def test_rounds_that_lack_a_seat_are_told_and_not_taken(five):
    five.match("table-1", minute(30), (None,) * 3, [(1, 2)])
    assert (five.look(), five.troubles()) == ((), ["other_players"])


def test_a_book_that_counts_the_other_way_is_told_and_not_taken():
    hosting = Hosting(players=5, highest_wins=False)
    hosting.draw()
    hosting.begin()
    hosting.play(1, (1, 2, 3))
    assert (hosting.look(), hosting.troubles()) == ((), ["other_book"])


def test_more_points_than_there_can_be_are_told_and_not_taken(five):
    five.match("table-1", minute(30), (None,) * 3, [(10**6, 1, 2), (10**6, 3, 4)], planned=2)
    assert (five.look(), five.troubles()) == ((), ["too_much"])


def test_a_match_that_was_given_up_is_told_until_another_one_begins(five):
    five.play(1, (1, 2, 3), planned=2, given_up=True)
    assert (five.look(), five.troubles()) == ((), ["given_up"])
    five.play(1, (4, 5, 6), begun=50)
    five.look()
    assert (five.drawn.tables[0].points, five.troubles()) == ((4, 5, 6), [])


def test_what_was_written_by_hand_is_no_trouble_any_more(five):
    five.play(1, (1, 2, 3), planned=2, given_up=True)
    five.match("table-2", minute(30), (None,) * 4, [(1, 2, 3, 4)])
    assert five.troubles() == ["given_up", "other_players"]
    five.do(ResultTold(1, (1, 2, 3), 3.5), ResultTold(2, (1, 2), 3.5))
    assert (five.look(), five.troubles()) == ((), [])


def test_of_matches_without_a_draw_the_first_that_fits_counts(five):
    five.match("table-1", minute(30), ("Zoë", "Yann"), [(1, 2)], number=1)
    assert five.troubles() == ["other_players"]
    five.match("table-1", minute(40), five.names(1), [(1, 2, 3)], number=2)
    five.look()
    assert (five.drawn.tables[0].points, five.troubles()) == ((1, 2, 3), [])


def test_where_tables_were_told_no_names_theirs_mean_nothing():
    hosting = Hosting(players=3)
    hosting.draw()
    hosting.begin(named=False)
    seats = ("Spieler 1", "Spieler 2", "Spieler 3")
    hosting.match("table-1", minute(30), seats, [(1, 2, 3)], draw=hosting.now.draw_id(1, 1))
    hosting.look()
    assert (hosting.drawn.tables[0].points, hosting.troubles()) == ((1, 2, 3), [])


def test_a_table_that_corrects_a_round_corrects_the_result_with_a_trace(five):
    five.play(1, (30, -10, -20))
    five.look()
    five.play(1, (20, -10, -10))
    assert told(five.look()) == ["ResultCorrected", "Taken"]
    (trace,) = five.now.tournament.traces
    assert (trace.before, trace.after, trace.who) == ((30, -10, -20), (20, -10, -10), "table-1")
    assert five.look() == ()


def test_a_round_that_is_over_is_corrected_as_well(five):
    five.play(1, (30, -10, -20))
    five.play(2, (5, -5))
    five.look()
    key, match = next((key, one) for key, one in five.matches.items() if one.key.table == "table-2")
    five.draw()
    five.match(key.table, match.begun, match.players, [(-5, 5)], number=key.match, draw=match.draw)
    five.look()
    assert five.now.tournament.rounds[0].tables[1].points == (-5, 5)


def test_a_match_that_a_correction_opens_again_is_told_and_its_result_stays(five):
    five.play(1, (30, -10, -20))
    five.look()
    five.play(1, (20, -10, -10), over=False)
    assert (five.look(), five.troubles()) == ((), ["goes_on"])
    assert five.drawn.tables[0].points == (30, -10, -20)


def test_what_the_director_has_written_stays_and_the_contradiction_is_told(five):
    five.do(ResultTold(1, (1, 2, 3), 3.5))
    five.play(1, (3, 2, 1))
    assert (five.look(), five.troubles()) == ((), ["contradicts"])
    assert five.drawn.tables[0].points == (1, 2, 3)


def test_what_the_director_has_written_and_the_table_tells_too_is_no_contradiction(five):
    five.do(ResultTold(1, (1, 2, 3), 3.5))
    five.play(1, (1, 2, 3))
    assert (told(five.look()), five.troubles()) == (["Taken"], [])
    five.play(1, (3, 2, 1))
    assert told(five.look()) == ["ResultCorrected", "Taken"]


def test_a_director_who_corrects_what_a_table_told_is_right(five):
    five.play(1, (1, 2, 3))
    five.look()
    five.do(ResultCorrected(1, 1, (4, 5, 6), 5.0, "Ann", "A slip"))
    assert (five.look(), five.troubles()) == ((), [])


def test_a_table_that_corrects_what_the_director_has_corrected_is_told(five):
    five.play(1, (1, 2, 3))
    five.look()
    five.do(ResultCorrected(1, 1, (4, 5, 6), 5.0, "Ann", "A slip"))
    five.play(1, (7, 8, 9))
    assert (five.look(), five.troubles()) == ((), ["contradicts"])
    five.do(ResultCorrected(1, 1, (7, 8, 9), 6.0, "Ann", "The table is right"))
    assert (told(five.look()), five.troubles()) == (["Taken"], [])


def test_both_may_come_to_the_same_correction(five):
    five.play(1, (1, 2, 3))
    five.look()
    five.do(ResultCorrected(1, 1, (4, 5, 6), 5.0, "Ann"))
    five.play(1, (4, 5, 6))
    assert told(five.look()) == ["Taken"]
    assert len(five.now.tournament.traces) == 1


def test_two_players_who_were_swapped_are_taken_where_they_play(five):
    one, other = five.drawn.tables[0].players[0], five.drawn.tables[1].players[0]
    five.do(Swapped(one, other, 3.5))
    five.play(1, (1, 2, 3))
    five.play(2, (4, 5))
    five.look()
    assert [table.points for table in five.drawn.tables] == [(1, 2, 3), (4, 5)]


def test_players_who_were_swapped_after_the_match_began_are_told(five):
    five.play(1, (1, 2, 3))
    one, other = five.drawn.tables[0].players[0], five.drawn.tables[1].players[0]
    five.do(Swapped(one, other, 3.5))
    assert (five.look(), five.troubles()) == ((), ["other_names"])


def test_two_tables_that_changed_places_before_the_round_began():
    hosting = Hosting(players=6)
    hosting.draw()
    hosting.do(Placed(("table-2", "table-1"), 2.5))
    hosting.begin()
    hosting.play(1, (1, 2, 3))
    hosting.play(2, (4, 5, 6))
    hosting.look()
    assert [table.points for table in hosting.drawn.tables] == [(1, 2, 3), (4, 5, 6)]
    assert {(one.table, one.at) for one in hosting.now.current.taken} == {(1, "table-2"), (2, "table-1")}


def test_two_tables_that_changed_places_after_the_round_began():
    """All sat down at the wrong one of two tables, and played: the director says so, and the results are right."""
    hosting = Hosting(players=6)
    hosting.draw()
    hosting.begin()
    hosting.play(1, (1, 2, 3), named=False, planned=2)
    hosting.play(2, (4, 5, 6), named=False, planned=2)
    hosting.do(Placed(("table-2", "table-1"), 3.5))
    matches = list(hosting.matches.values())
    for match in matches:
        points = [one.points for one in match.rounds] * 2
        hosting.match(match.key.table, match.begun, match.players, points, planned=2, draw=match.draw, number=30)
    hosting.look()
    assert [table.points for table in hosting.drawn.tables] == [(8, 10, 12), (2, 4, 6)]


def test_a_table_that_was_moved_goes_on_where_it_is_now(five):
    five.play(1, (1, 2, 3), planned=2)
    five.do(Placed(("table-5", "table-2"), 3.5))
    assert five.found()[0].match is None
    five.play(1, (4, 5, 6), begun=50)
    five.look()
    assert five.drawn.tables[0].points == (4, 5, 6)


def test_a_draw_that_was_drawn_anew_has_another_name(five):
    first = five.now.draw_id(1, 1)
    five.play(1, (1, 2, 3), over=False)
    five.do(DrawWithdrawn(3.5))
    assert five.now.rounds == ()
    five.draw()
    five.begin()
    assert five.now.draw_id(1, 1) != first
    assert five.look() == ()
    assert all(one.match is None for one in five.found())


def test_all_of_it_is_replayed_from_text(five):
    five.play(1, (1, 2, 3))
    five.look()
    again = replay_tournament("spring-cup-1", [event_from_text(*event_to_text(event)) for event in five.events])
    assert again == five.now
    assert any(isinstance(event, Taken) for event in five.events)
    assert found_in(again, five.matches) == five.found()
    assert not any(isinstance(trace, Correction) for trace in again.tournament.traces)


@pytest.mark.parametrize("players", [3, 5, 7, 13])
def test_a_whole_tournament_comes_in_by_itself(players):
    hosting = Hosting(players=players, rounds=3)
    begun = 30
    for _ in range(3):
        hosting.draw()
        hosting.begin()
        for table, one in enumerate(hosting.drawn.tables, 1):
            begun += 1
            points = tuple(100 - player for player in one.players)
            hosting.play(table, points, begun, draw=table % 2 == 0, named=table % 3 != 0)
            hosting.look()
        assert not hosting.drawn.missing_tables
    assert hosting.troubles() == []
    assert {line.player: line.points for line in standings(hosting.now.tournament)}[1] == 36


def test_places_are_the_connected_tables_in_the_order_of_their_names():
    hosting = Hosting(players=13)
    hosting.views = views("table-10", "table-9", "oak", away=("table-1",))
    hosting.draw()
    assert hosting.now.current.places == ("oak", "table-9", "table-10", None)
