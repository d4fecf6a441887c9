"""What is found in the loop's queue at once, in the order in which it happened."""

from referee.table.event_loop import in_order
from referee.table.input.answers import Answer
from referee.table.input.requests import PendingTouch
from referee.table.input.touches import Edge, Stroke, Touch


def touched(came, finger="a finger"):
    return PendingTouch(Touch("turn 1", Stroke.DOWN, finger, came - 0.3, came), print)


def test_edges_come_in_the_order_of_their_time():
    late, early = Edge("turn 1", False, 2.0), Edge("turn 1", True, 1.0)
    assert in_order([late, early]) == [early, late]


def test_a_finger_comes_after_an_edge_from_before_it_was_heard_of():
    finger, edge = touched(5.2), Edge("turn 2", True, 5.0)
    assert in_order([finger, edge]) == [edge, finger]
    assert in_order([edge, finger]) == [edge, finger]


def test_an_edge_from_after_a_finger_was_heard_of_comes_later():
    finger, edge = touched(5.2), Edge("turn 2", True, 5.3)
    assert in_order([edge, finger]) == [finger, edge]


def test_all_else_stays_where_it_is():
    line, finger, edge = Answer("red 7"), touched(5.2), Edge("turn 2", True, 5.0)
    assert in_order([finger, line, None, edge]) == [edge, line, None, finger]


def test_fingers_that_came_at_once_stay_in_order():
    one, other = touched(5.0, "one"), touched(5.0, "other")
    assert in_order([one, other]) == [one, other]
