"""Buttons pressed on the page: posts to a real server, edges of a real loop."""

import time
from dataclasses import replace

import pytest
from gpiozero.pins.mock import MockFactory
from page_loop import playing
from virtual_evening import OPENING

from referee.devices.panel.gpio import GpioPanel
from referee.devices.wiring.pins import PinMap
from referee.game.match.phases import Phase
from referee.page.broadcast import Broadcast
from referee.pages.table.parts import PARTS
from referee.table.output.follower import Facts


@pytest.fixture
def table():
    with playing() as made:
        yield made


def known(table):
    """The number of the state as a page knows it."""
    stream = table.stream()
    try:
        stream.next()
        return stream.n
    finally:
        stream.close()


def shows(table, holds):
    """Wait until the page shows something: what start does is refused to whoever has not seen what it does now."""
    stream = table.stream()
    try:
        stream.until(holds)
    finally:
        stream.close()


def finger(table, button, what, name="one finger", **fields):
    return table.post(n=fields.pop("n", None) or known(table), button=button, what=what, finger=name, **fields)


def tap(table, button, name="one finger"):
    assert finger(table, button, "down", name) == (200, {"done": True})
    assert finger(table, button, "up", name) == (200, {"done": True})


def test_a_turn_is_played_with_taps(table):
    tap(table, "button-pause", "start it now")
    table.until(lambda: table.state.phase is Phase.TURN, "the first turn")
    table.sight.table = OPENING
    tap(table, "button-1", "end my turn")
    table.until(lambda: table.state.current == 1, "Ben's turn")
    assert table.state.table == OPENING
    shows(table, lambda parts: [one["turn"] for one in parts["buttons"]["buttons"]] == [False, True])
    tap(table, "button-pause", "pause please")
    table.until(lambda: table.state.phase is Phase.PAUSED, "a pause")


def test_what_the_buttons_do_is_told_in_the_stream(table):
    stream = table.stream()
    told = stream.until(lambda parts: parts["buttons"]["buttons"])["buttons"]
    assert told["touch"] is True
    assert [(one["button"], one["says"]) for one in told["buttons"]] == [
        ("button-1", "Sit down"),
        ("button-2", "Sit down"),
    ]
    assert told["start"] == {"button": "button-pause", "says": "Start", "now": True}
    tap(table, "button-pause", "start it now")
    told = stream.until(lambda parts: parts["buttons"]["start"]["says"] == "Pause")["buttons"]
    assert [(one["says"], one["turn"]) for one in told["buttons"]] == [("End turn", True), ("", False)]
    assert stream.until(lambda parts: parts["tune"])["tune"]["notes"]
    stream.close()


def test_a_press_on_a_page_left_open_overnight_is_refused(table):
    old = known(table)
    tap(table, "button-pause", "start it now")
    table.until(lambda: table.state.phase is Phase.TURN)
    yesterday = time.monotonic() - 8 * 3600
    status, told = finger(table, "button-1", "down", "a late finger", n=old, at=yesterday)
    assert status == 409
    assert "too late" in told["told"] or "the game has moved on" in told["told"]
    time.sleep(3.1)  # longer than anybody looks at a screen before pressing
    status, told = finger(table, "button-1", "down", "another finger", n=old)
    assert (status, told) == (
        409,
        {"told": "That came too late: the game has moved on. Look at the page and try again."},
    )
    assert table.state.phase is Phase.TURN
    assert "pressed" not in table.events


def test_news_that_nobody_can_have_seen_yet_make_no_press_late():
    t = [100.0]
    broadcast = Broadcast("start", lambda: t[0], parts=lambda _: PARTS, facts=Facts())
    broadcast.publish(Facts())
    seen = broadcast.number
    broadcast.publish(replace(Facts(), contacts=("button-1",)))
    t[0] += 2.9
    assert not broadcast.late(seen, ("buttons",), patience_s=3.0)
    assert broadcast.late(seen, ("buttons",))
    t[0] += 0.2
    assert broadcast.late(seen, ("buttons",), patience_s=3.0)
    assert not broadcast.late(broadcast.number, ("buttons",))
    assert broadcast.late(broadcast.number + 1, ())
    for number in range(400):
        broadcast.publish(replace(Facts(), contacts=(f"button-{number}",)))
    assert broadcast.late(seen, ("buttons",), patience_s=3.0)  # nobody knows any more since when


def test_a_moment_in_time_is_believed_within_limits(table):
    assert finger(table, "button-pause", "down", at=time.monotonic() + 1000, doubt=0.01)[0] == 200
    assert finger(table, "button-pause", "up", at=time.monotonic() + 1000, doubt=0.01)[0] == 200
    table.until(lambda: table.state.phase is Phase.TURN)
    assert table.state.clock.since <= table.loop.t
    status, told = finger(table, "button-1", "down", "an old finger", at=time.monotonic() - 30, doubt=0.01)
    assert (status, "too late" in told["told"]) == (409, True)
    # A screen that does not know the time at all is not asked for it.
    assert finger(table, "button-1", "down", "a vague finger", at=time.monotonic() - 30, doubt=9)[0] == 200


def test_a_finger_leaves_whatever_has_happened_meanwhile(table):
    before = known(table)
    assert finger(table, "button-pause", "down", n=before)[0] == 200
    table.until(lambda: table.state.phase is Phase.LOBBY and known(table) >= before)
    time.sleep(0.05)
    assert finger(table, "button-pause", "up", n=before)[0] == 200
    table.until(lambda: table.state.phase is Phase.TURN)


@pytest.mark.parametrize(
    "wrong",
    [
        {"button": 7}, {"what": "pushed"}, {"finger": "short"}, {"at": "now"}, {"at": 1e400}, {"doubt": -1},
        {"at": True}, {"button": "x" * 1000},
    ],
)  # fmt: skip
def test_what_is_no_press_is_refused(table, wrong):
    status, told = table.post(n=1, **{"button": "button-1", "what": "down", "finger": "one finger"} | wrong)
    assert status == 400
    assert told["error"]


def test_an_unknown_button_is_none(table):
    assert finger(table, "button-9", "down") == (409, {"told": "This button cannot be pressed on a screen."})


def test_without_leave_the_page_presses_nothing():
    with playing(pins=PinMap(kind="none"), touched=False) as table:
        assert finger(table, "button-pause", "down")[0] == 409
        stream = table.stream()
        assert stream.until(lambda parts: parts["buttons"]["buttons"])["buttons"]["touch"] is False
        stream.close()


def test_a_press_without_a_moment_counts_when_it_comes(table):
    assert table.post(n=known(table), button="button-pause", what="down", finger="one finger")[0] == 200
    assert table.post(n=1, button="button-pause", what="up", finger="one finger")[0] == 200
    table.until(lambda: table.state.phase is Phase.TURN)


def test_beside_real_buttons_the_first_press_wins():
    pins, mock = PinMap(turn_buttons=(5, 6), buzzer=None), MockFactory()
    how = {"pins": pins, "options": {"starts": "drawn"}, "panel": lambda *args: GpioPanel(args[0], mock, *args[1:])}
    with playing(**how) as table:
        mock.pin(4).drive_low()
        time.sleep(0.05)
        mock.pin(4).drive_high()
        table.until(lambda: table.loop.controller.starting.who_begins.by_press, "who begins")
        number, earlier = known(table), time.monotonic() - 0.5
        mock.pin(6).drive_low()  # Ben, on the real panel
        finger(table, "button-1", "down", "Anna's phone", n=number, at=earlier, doubt=0.01)
        table.until(lambda: table.state.phase is Phase.LOBBY)
        time.sleep(0.05)
        mock.pin(6).drive_high()
        finger(table, "button-1", "up", "Anna's phone", n=number)
        table.until(lambda: table.state.phase is Phase.TURN)
        assert table.state.seats[table.state.current].name == "Ben"
