"""From edges to presses: bounces make one press, noise none, and a press is never lost."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.devices.panel.debounce import (
    FOUND_S,
    Ailment,
    Broken,
    Debouncer,
    DebounceTiming,
    Down,
    Mended,
    Press,
    Told,
)
from referee.i18n import ENGLISH

A, B, C = "button-1", "button-2", "button-pause"
TIMING = DebounceTiming()
MS = 0.001

Edge = tuple[float, bool]


def told_by(
    debouncer: Debouncer, *trains: tuple[str, list[Edge]], until: float, timers: bool = True
) -> list[tuple[float, Told]]:
    """What a loop is told that sets a timer for every `due()`, each with the moment at which it was told."""
    edges = sorted((t, contact, closed) for contact, train in trains for t, closed in train)
    told: list[tuple[float, Told]] = []
    for t, contact, closed in [*edges, (until, "", False)]:
        while timers and (due := debouncer.next_due()) is not None and due < t:
            told += [(due, one) for one in debouncer.poll(due)]
        told += [(t, one) for one in (debouncer.edge(contact, closed, t) if contact else debouncer.poll(t))]
    return told


def only(told: list[tuple[float, Told]]) -> list[Told]:
    return [one for _, one in told]


def held(down: float, up: float) -> list[Edge]:
    return [(down, True), (up, False)]


def test_a_short_press_is_told_when_the_button_is_let_go_and_carries_the_first_contact() -> None:
    told = told_by(Debouncer([A]), (A, held(1.0, 1.12)), until=2)
    assert only(told) == [Down(A, 1.0), Press(A, 1.0)]
    assert [t for t, _ in told] == pytest.approx([1.005, 1.14])


def test_a_long_press_is_told_while_the_button_is_still_down_and_only_once() -> None:
    told = told_by(Debouncer([A]), (A, held(1.0, 3.0)), until=5)
    assert only(told) == [Down(A, 1.0), Press(A, 1.0, long=True)]
    assert told[1][0] == pytest.approx(1.8)


def test_a_button_let_go_just_before_it_is_long_enough_was_pressed_shortly() -> None:
    assert only(told_by(Debouncer([A]), (A, held(0, 0.795)), until=5)) == [Down(A, 0), Press(A, 0)]


@pytest.mark.parametrize(
    "train",
    [
        pytest.param([0.0, 4.0], id="one glitch"),
        pytest.param([0.0, 1.0, 3.0, 7.0, 9.0, 13.0], id="several"),
        pytest.param([0.0, 4.9, 500.0, 504.9, 900.0, 900.1], id="now and then"),
    ],
)
def test_glitches_are_no_press(train: list[float]) -> None:
    edges = [(ms * MS, number % 2 == 0) for number, ms in enumerate(train)]
    assert told_by(Debouncer([A]), (A, edges), until=2) == []


def test_a_glitch_long_before_does_not_date_a_press_back() -> None:
    told = told_by(Debouncer([A]), (A, [*held(0, 0.002), *held(0.03, 0.1)]), until=1)
    assert only(told) == [Down(A, 0.03), Press(A, 0.03)]


def test_a_contact_that_opens_for_a_moment_is_still_the_same_press() -> None:
    assert only(told_by(Debouncer([A]), (A, [*held(0, 0.1), *held(0.119, 0.2)]), until=1)) == [Down(A, 0), Press(A, 0)]


def test_two_presses_one_after_the_other_are_two() -> None:
    told = told_by(Debouncer([A]), (A, [*held(0, 0.06), *held(0.1, 0.16)]), until=1)
    assert [one for one in only(told) if isinstance(one, Press)] == [Press(A, 0), Press(A, 0.1)]


def test_two_at_once_are_both_told_in_the_order_of_the_seats() -> None:
    told = told_by(Debouncer([A, B]), (B, held(1.0, 1.1)), (A, held(1.0, 1.1)), until=2)
    assert only(told) == [Down(A, 1.0), Down(B, 1.0), Press(A, 1.0), Press(B, 1.0)]


def test_two_at_once_are_told_in_the_order_of_their_first_edges() -> None:
    told = told_by(Debouncer([A, B]), (B, held(1.0, 1.1)), (A, held(1.002, 1.1)), until=2)
    assert only(told) == [Down(B, 1.0), Down(A, 1.002), Press(B, 1.0), Press(A, 1.002)]


def test_a_stuck_button_is_told_once_and_counts_again_when_it_opens() -> None:
    told = told_by(Debouncer([A]), (A, [(0, True), (60, False), *held(70, 70.1)]), until=80)
    assert only(told) == [
        Down(A, 0),
        Press(A, 0, long=True),
        Broken(A, 10, Ailment.STUCK),
        Mended(A, pytest.approx(60.02)),
        Down(A, 70),
        Press(A, 70),
    ]


def test_a_button_that_is_down_at_the_start_makes_no_press_but_may_be_stuck() -> None:
    assert told_by(Debouncer([A, B], held=[A], t=5), (A, [(6, False)]), until=30) == []
    assert only(told_by(Debouncer([A, B], held=[A], t=5), until=30)) == [Broken(A, 15, Ailment.STUCK)]


def test_a_loose_wire_is_told_once_and_ignored_until_it_is_quiet() -> None:
    chatter = [(number * 0.003, number % 2 == 0) for number in range(1000)]
    debouncer = Debouncer([A])
    told = told_by(debouncer, (A, chatter), until=3.5)
    assert [type(one) for one in only(told)] == [Broken]
    assert told[0][0] < 0.12
    assert debouncer.ignored_contacts == (A,)
    assert only(told_by(debouncer, (A, held(10, 10.1)), until=20)) == [
        Mended(A, pytest.approx(3.997)),
        Down(A, 10),
        Press(A, 10),
    ]
    assert debouncer.ignored_contacts == ()


def test_a_wire_that_comes_and_goes_slowly_is_found_within_a_second() -> None:
    chatter = [(number * 0.025, number % 2 == 0) for number in range(400)]
    told = told_by(Debouncer([A]), (A, chatter), until=9.5)
    assert told[-1][0] < 1
    assert isinstance(told[-1][1], Broken)


def test_a_loose_wire_that_ends_up_closed_makes_no_press() -> None:
    chatter = [(number * 0.003, number % 2 == 0) for number in range(101)]
    told = told_by(Debouncer([A]), (A, chatter), until=15)
    assert [type(one) for one in only(told)] == [Broken, Mended, Broken]


def test_a_child_who_hammers_a_bouncing_button_is_no_loose_wire() -> None:
    train = [edge for n in range(80) for edge in bouncing(n * 0.125, n * 0.125 + 0.06, [3, 4, 5, 6], [2, 6, 9])]
    told = told_by(Debouncer([A]), (A, train), until=30)
    assert len([one for one in only(told) if isinstance(one, Press)]) == 80
    assert not [one for one in only(told) if isinstance(one, Broken)]


def test_nothing_is_due_while_all_is_quiet() -> None:
    debouncer = Debouncer([A, B, C])
    assert debouncer.next_due() is None
    debouncer.edge(A, True, 1.0)
    assert debouncer.next_due() == pytest.approx(1.005)
    assert debouncer.poll(1.004) == ()
    assert debouncer.poll(1.006) == (Down(A, 1.0),)
    assert debouncer.next_due() == pytest.approx(1.8)


def test_the_first_edge_of_a_press_is_known_before_the_press_is_certain() -> None:
    debouncer = Debouncer([A, B])
    assert debouncer.undecided_since is None
    debouncer.edge(A, True, 1.0)
    debouncer.edge(B, True, 1.001)
    assert debouncer.undecided_since == 1.0
    debouncer.poll(1.0055)
    assert debouncer.undecided_since == 1.001
    debouncer.poll(1.0065)
    assert debouncer.undecided_since is None


@pytest.mark.parametrize("ms", [3.0, 7.0, 19.0, 21.0, 24.9, 25.0, 27.0, 28.0, 29.0, 30.0, 40.0, 50.0, 55.0])
def test_a_loose_wire_is_found_out_soon_after_the_first_press_it_makes(ms: float) -> None:
    chatter = [(number * ms * MS, number % 2 == 0) for number in range(400)]
    told = told_by(Debouncer([A]), (A, chatter), until=9.5)
    first = min(one.t for one in only(told))
    assert min(one.t for one in only(told) if isinstance(one, Broken)) - first <= FOUND_S


def chatter(begin: float, end: float, every: float) -> list[Edge]:
    """An even number of edges, beginning with one that changes an open contact."""
    number = 2 * round((end - begin) / every / 2)
    return [(begin + n * every, n % 2 == 0) for n in range(number)]


def test_a_press_that_chatters_when_it_is_let_go_was_a_press() -> None:
    letting_go = [(t, not closed) for t, closed in chatter(1.3, 1.6, 9 * MS)]
    told = only(told_by(Debouncer([A]), (A, [(1.0, True), *letting_go, (1.6, False)]), until=2))
    assert told[:2] == [Down(A, 1.0), Press(A, 1.0)]
    assert isinstance(told[2], Broken)
    assert (told[2].ailment, told[2].good) == (Ailment.LOOSE, 1.0)


def test_a_long_press_that_chatters_when_it_is_let_go_is_told_once() -> None:
    letting_go = [(t, not closed) for t, closed in chatter(2.0, 2.3, 9 * MS)]
    told = only(told_by(Debouncer([A]), (A, [(1.0, True), *letting_go, (2.3, False)]), until=3))
    assert told[:2] == [Down(A, 1.0), Press(A, 1.0, long=True)]
    assert isinstance(told[2], Broken)
    assert told[2].good == 1.0


@pytest.mark.parametrize("ms", [7.0, 19.0, 25.0, 40.0])
def test_noise_soon_after_a_press_tells_which_press_was_good(ms: float) -> None:
    told = only(told_by(Debouncer([A]), (A, [*held(1.0, 1.08), *chatter(1.3, 3, ms * MS)]), until=3))
    assert [one.good for one in told if isinstance(one, Broken)] == [1.0]


@pytest.mark.parametrize("ms", [5.5, 7.0, 19.0, 21.0, 27.0, 40.0, 50.0])
def test_noise_alone_has_no_good_press(ms: float) -> None:
    told = only(told_by(Debouncer([A]), (A, chatter(1, 3, ms * MS)), until=3))
    assert [one.good for one in told if isinstance(one, Broken)] == [-math.inf]


def test_a_gap_in_the_midst_of_noise_makes_no_good_press() -> None:
    noise = [*chatter(1.0, 1.4, 30 * MS), *held(1.45, 1.55), *chatter(1.6, 3, 9 * MS)]
    told = only(told_by(Debouncer([A]), (A, noise), until=3))
    assert [one.good for one in told if isinstance(one, Broken)] == [-math.inf]


def test_an_edge_that_was_lost_does_no_harm() -> None:
    debouncer = Debouncer([A])
    assert only(told_by(debouncer, (A, [(0, True), (0.1, True), (0.2, False), (0.3, False)]), until=1)) == [
        Down(A, 0),
        Press(A, 0),
    ]


def test_an_edge_that_comes_too_late_counts_from_the_one_before() -> None:
    debouncer = Debouncer([A])
    debouncer.edge(A, True, 1.0)
    assert debouncer.edge(A, False, 0.9) == ()
    assert debouncer.poll(2) == ()


@pytest.mark.parametrize("ailment", Ailment)
def test_a_fault_says_which_button_and_what_to_do(ailment: Ailment) -> None:
    assert ENGLISH(Broken(A, 0, ailment).notice).startswith(f"{A} ")


def bouncing(down: float, up: float, closing: list[float], opening: list[float]) -> list[Edge]:
    """A press with bounces: each list holds milliseconds after the edge at which the contact changes again."""
    edges = [(down, True), *((down + ms * MS, number % 2 == 1) for number, ms in enumerate(closing))]
    if edges[-1][1] is False:
        edges.append((down + 0.020, True))
    back = [(up, False), *((up + ms * MS, number % 2 == 0) for number, ms in enumerate(opening))]
    if back[-1][1] is True:
        back.append((up + 0.020, False))
    return edges + back


bounces = st.lists(st.floats(0.01, 19.9, allow_nan=False).map(lambda ms: round(ms, 2)), max_size=12, unique=True).map(
    sorted
)
lengths = st.floats(0.03, 9.0).map(lambda s: round(s, 3)).filter(lambda s: abs(s - 0.8) > 0.03)
presses = st.lists(st.tuples(lengths, st.floats(0.1, 2.0), bounces, bounces), min_size=1, max_size=6)


@given(presses, st.booleans())
def test_every_bouncing_press_is_told_exactly_once(
    series: list[tuple[float, float, list[float], list[float]]], timers: bool
) -> None:
    """Also by a loop whose timers come too late: only the edges themselves move it on."""
    train: list[Edge] = []
    expected: list[Press] = []
    t = 1.0
    for length, pause, closing, opening in series:
        train += bouncing(t, t + length, closing, opening)
        expected.append(Press(A, t, long=length > 0.8))
        t += length + 0.04 + pause
    told = only(told_by(Debouncer([A]), (A, train), until=t + 20, timers=timers))
    assert [one for one in told if isinstance(one, Press)] == expected
    assert [one.t for one in told if isinstance(one, Down)] == [press.t for press in expected]
    assert not [one for one in told if isinstance(one, Broken)]


@given(st.lists(st.tuples(st.sampled_from([A, B, C]), st.floats(0.0001, 3.0)), max_size=200))
def test_whatever_the_contacts_do_the_order_of_what_is_told_makes_sense(steps: list[tuple[str, float]]) -> None:
    """Every press has its own `Down`; a fault ends it; nothing is due for ever, and all ends in quiet."""
    debouncer = Debouncer([A, B, C])
    level = dict.fromkeys((A, B, C), False)
    t, told = 0.0, []
    for contact, wait in steps:
        t += wait
        level[contact] = not level[contact]
        told += debouncer.edge(contact, level[contact], t)
        due = debouncer.next_due()
        assert due is None or due > t
    for contact in level:
        told += debouncer.edge(contact, False, t)
    told += debouncer.poll(t + 5)
    assert debouncer.next_due() is None
    assert debouncer.ignored_contacts == ()
    for contact in level:
        open_press: Down | None = None
        for one in (one for one in told if one.contact == contact):
            match one:
                case Down():
                    open_press = one
                case Press():
                    assert open_press is not None
                    assert one.t == open_press.t
                    open_press = None
                case Broken():
                    open_press = None
        assert open_press is None


def late(edges: list[Edge], by: float, until: float) -> list[Told]:
    """What a loop is told that hears of every edge so much later, but can look at the wire at any time."""
    debouncer, told, waiting = Debouncer([A]), list[Told](), list(edges)
    t = 0.0
    while t < until:
        while waiting and waiting[0][0] + by <= t:
            moment, closed = waiting.pop(0)
            told += debouncer.edge(A, closed, moment)
        wire = [closed for moment, closed in edges if moment <= t][-1:] == [True]
        told += debouncer.poll(t, lambda wire=wire: {A} if wire else set())
        t += MS
    return told


@pytest.mark.parametrize("by", [0.01, 0.15, 0.9])
def test_a_press_that_is_heard_of_late_is_as_long_as_it_was(by: float) -> None:
    assert late(held(0.1, 0.2), by, until=3) == [Down(A, 0.1), Press(A, 0.1)]


@pytest.mark.parametrize("ms", [0.2, 2, 4])
def test_noise_whose_end_is_heard_of_late_is_no_press(ms: float) -> None:
    edges = [edge for number in range(3) for edge in held(0.1 + number, 0.1 + number + ms * MS)]
    debouncer, told = Debouncer([A]), list[Told]()
    for down, up in zip(edges[::2], edges[1::2], strict=True):
        told += debouncer.edge(A, True, down[0])
        told += debouncer.poll(down[0] + 0.1, set)
        told += debouncer.edge(A, False, up[0])
        told += debouncer.poll(down[0] + 0.5)
    assert told == []


def test_a_contact_whose_end_is_never_heard_of_is_open_again_after_a_while() -> None:
    debouncer = Debouncer([A])
    told = list(debouncer.edge(A, True, 1.0))
    for ms in range(0, 3000, 5):
        told += debouncer.poll(1.1 + ms * MS, set)
    assert told == []
    assert debouncer.next_due() is None
    assert only(told_by(debouncer, (A, held(5.0, 5.1)), until=6)) == [Down(A, 5.0), Press(A, 5.0)]


@pytest.mark.parametrize("by", [0.002, 0.012, 0.04])
def test_a_contact_that_parts_for_a_moment_is_one_press_though_that_is_heard_late(by: float) -> None:
    edges = [*held(0.1, 0.2), *held(0.21, 0.3)]
    assert late(edges, by, until=3) == [Down(A, 0.1), Press(A, 0.1)]


def test_a_press_has_ended_although_the_wire_is_closed_again_and_no_edge_says_so() -> None:
    debouncer = Debouncer([A])
    told = [*debouncer.edge(A, True, 1.0), *debouncer.edge(A, False, 1.1)]
    for ms in range(0, 3000, 5):
        told += debouncer.poll(1.1 + ms * MS, lambda: {A})
    assert told == [Down(A, 1.0), Press(A, 1.0)]
    assert debouncer.next_due() is None
    told = list(debouncer.edge(A, False, 4.2))
    assert told == []
    assert only(told_by(debouncer, (A, held(5.0, 5.1)), until=6)) == [Down(A, 5.0), Press(A, 5.0)]


def test_two_presses_stay_two_however_late_they_are_heard() -> None:
    assert late([*held(0.1, 0.2), *held(0.25, 0.3)], 0.15, until=3) == [
        Down(A, 0.1), Press(A, 0.1), Down(A, 0.25), Press(A, 0.25)
    ]  # fmt: skip
