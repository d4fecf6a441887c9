"""What lamps and buzzer tell, from the state of a match and its effects alone."""

from dataclasses import replace

import pytest

from referee.devices.panel.lights import Glow, Lights
from referee.game.clock import WARNINGS, TurnClock
from referee.game.doubt import Doubt
from referee.game.match.events import (
    DrawTile,
    Lamp,
    Light,
    MatchOver,
    Pressed,
    Say,
    Seen,
    Sound,
    Started,
    Tone,
    Withdrawn,
)
from referee.game.match.machine import apply, new_match
from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.game.notation import parse_table
from referee.game.notice import Notice
from referee.game.rulebooks import ruleset
from referee.table.output.signals import ACCEPTED_S, DRAW_S, TUNES, Cue, Signals, on_buttons, tune_of

ON, OFF, BLINK, SLOW = Glow.ON, Glow.OFF, Glow.BLINK, Glow.SLOW


class Match:
    """A match and its signals, driven by events."""

    def __init__(self, players: int = 2) -> None:
        self.state = new_match(ruleset("rummikub").choose(entry="timed"))
        self.signals, self.tune = Signals(), ()
        self.do(Started(("Ann", "Ben", "Cleo", "Dan")[:players], 100.0))

    def do(self, event: object) -> "Match":
        self.state, effects = apply(self.state, event)
        self.signals, self.tune = self.signals.apply_effects(effects, event.t)
        return self

    def press(self, t: float) -> "Match":
        return self.do(Pressed(self.state.current, t))

    def see(self, table: str, t: float, doubts: tuple = ()) -> "Match":
        return self.do(Seen(parse_table(table), t, doubts))

    def lights(self, t: float) -> Lights:
        return self.signals.lights(self.state, t)


def test_a_hand_that_does_not_agree_with_the_count_stands_on_the_display() -> None:
    match = Match()
    seats = tuple(replace(seat, hand=3) for seat in match.state.seats)
    match.state = replace(match.state, seats=seats, phase=Phase.SHOWING)
    assert match.lights(105.0).text == ""
    match.press(110.0).see("K1 K2", 111.0)
    assert match.lights(112.0).text == "2/3"
    match.press(113.0)
    assert match.lights(113.5).text == ""


def in_phase(phase: Phase, **changes: object) -> State:
    return replace(Match(3).state, phase=phase, **changes)


def test_a_box_that_waits_for_a_match_says_that_it_is_ready() -> None:
    assert Signals().lights(new_match(ruleset("rummikub").choose()), 5.0) == Lights(green=SLOW)


def test_the_lamp_of_whose_turn_it_is_is_on_and_the_clock_runs_down() -> None:
    match = Match(3)
    total = int(match.state.clock.seconds)
    assert match.lights(100.0) == Lights((ON, OFF, OFF), bar=1.0, text=f"{total // 60}:{total % 60:02d}")
    later = match.lights(100.0 + total - 9.5)
    assert later.text == "0:10"
    assert later.bar == pytest.approx(10 / total)


def test_a_press_lights_amber_and_the_clock_stands() -> None:
    match = Match().press(104.2)
    assert match.lights(104.2).amber is ON
    assert match.lights(130.0) == match.lights(104.2)


def test_accepted_is_green_for_a_moment_with_a_short_beep_and_the_next_players_lamp() -> None:
    match = Match().press(104.0).see("R10 B10 K10", 104.5)
    assert match.tune == TUNES[Cue.ACCEPTED]
    assert [getattr(match.lights(104.5), lamp) for lamp in ("red", "amber", "green")] == [OFF, OFF, ON]
    assert match.lights(104.5).players == (OFF, ON)
    assert match.signals.next_due(match.state, 104.5) <= 104.5 + ACCEPTED_S
    assert match.lights(104.5 + ACCEPTED_S).green is OFF


def test_refused_is_red_with_a_low_tone_until_the_next_press() -> None:
    match = Match().press(104.0).see("R10 B10", 104.5)
    assert match.tune == TUNES[Cue.REFUSED]
    assert max(hertz for hertz, _ in match.tune) < 300
    assert match.lights(140.0).red is ON
    assert match.lights(140.0).players == (ON, OFF)
    assert match.press(141.0).lights(141.0).red is OFF


def test_who_laid_nothing_draws_while_the_next_players_clock_runs() -> None:
    match = Match().press(104.0).see("", 104.5)
    lights = match.lights(105.0)
    assert (lights.draw, lights.players) == (ON, (BLINK, ON))
    assert match.lights(104.5 + DRAW_S).draw is OFF
    assert match.lights(104.5 + DRAW_S).players == (OFF, ON)
    assert match.press(106.0).lights(106.0).draw is OFF


def test_nothing_is_left_to_be_seen_of_a_press_that_was_taken_back() -> None:
    match = Match().press(104.0).see("", 104.5)
    assert match.lights(105.0).draw is ON
    match.signals = match.signals.taken_back()
    match.do(Withdrawn(0, 105.5))
    lights = match.lights(105.5)
    assert (lights.players, lights.draw) == ((ON, OFF), OFF)
    assert [getattr(lights, lamp) for lamp in ("red", "amber", "green")] == [OFF, OFF, OFF]


def test_a_doubt_blinks_amber_until_it_is_settled() -> None:
    match = Match().press(104.0).see("R10 B10 K10", 104.5, doubts=(Doubt("which?"),))
    assert match.lights(105.0).amber is BLINK
    assert match.press(106.0).lights(106.0).amber is ON
    assert match.see("R10 B10 K10", 106.5).lights(106.5).amber is OFF


def test_a_doubt_in_any_other_look_blinks_amber_too() -> None:
    signals, _ = Signals().apply_effects([Lamp(0, Light.ASKING)], 1.0)
    assert signals.lights(in_phase(Phase.CHECKING), 1.0).amber is BLINK
    assert signals.lights(in_phase(Phase.TURN), 1.0).amber is OFF


@pytest.mark.parametrize(
    ("phase", "players", "lamps"),
    [
        pytest.param(Phase.PAUSED, (SLOW, SLOW, SLOW), {}, id="paused"),
        pytest.param(Phase.LOOKING, (ON, OFF, OFF), {"amber": ON}, id="looking"),
        pytest.param(Phase.ASKING, (ON, OFF, OFF), {"amber": BLINK}, id="asking"),
        pytest.param(Phase.TIME_UP, (ON, OFF, OFF), {"amber": ON}, id="time up"),
        pytest.param(Phase.PUTTING_RIGHT, (ON, OFF, OFF), {"red": BLINK}, id="putting right"),
        pytest.param(Phase.CHECKING, (ON, OFF, OFF), {"amber": ON}, id="checking"),
        pytest.param(Phase.SHOWING, (BLINK, OFF, OFF), {}, id="showing a hand"),
        pytest.param(Phase.COUNTING, (ON, OFF, OFF), {"amber": ON}, id="counting"),
        pytest.param(Phase.BETWEEN, (OFF, BLINK, OFF), {"green": SLOW}, id="between rounds, the winner blinks"),
        pytest.param(Phase.OVER, (OFF, BLINK, OFF), {}, id="over"),
    ],
)
def test_lamps_follow_from_the_state_alone(phase: Phase, players: tuple[Glow, ...], lamps: dict[str, Glow]) -> None:
    """So they are right after a restart."""
    lights = Signals().lights(in_phase(phase, winner=1), 100.0)
    assert replace(lights, bar=0.0, text="") == Lights(players, **lamps)


@pytest.mark.parametrize(
    ("phase", "lamps"),
    [
        pytest.param(Phase.TURN, (Glow.OPPOSITE, BLINK, OFF), id="nothing else to be told"),
        pytest.param(Phase.PAUSED, (Glow.OPPOSITE, BLINK, OFF), id="paused"),
        pytest.param(Phase.LOBBY, (Glow.OPPOSITE, BLINK, SLOW), id="ready all the same"),
        pytest.param(Phase.LOOKING, (Glow.TICK, ON, OFF), id="looking"),
        pytest.param(Phase.ASKING, (Glow.TICK, BLINK, OFF), id="asking"),
        pytest.param(Phase.PUTTING_RIGHT, (BLINK, Glow.TICK, OFF), id="putting right"),
    ],
)
def test_a_fault_of_the_box_hides_nothing_that_players_wait_for(phase: Phase, lamps: tuple[Glow, ...]) -> None:
    lights = Signals(trouble=True).lights(in_phase(phase), 0.0)
    assert (lights.red, lights.amber, lights.green) == lamps


def test_a_fault_of_the_box_hides_no_verdict() -> None:
    match = Match().press(104.0).see("R10 B10", 104.5)
    match.signals = replace(match.signals, trouble=True)
    assert (match.lights(105.0).red, match.lights(105.0).amber) == (ON, Glow.TICK)
    match.press(106.0).see("R10 B10 K10", 106.5)
    lights = match.lights(107.0)
    assert (lights.red, lights.amber, lights.green) == (OFF, OFF, ON)
    later = match.lights(106.5 + ACCEPTED_S)
    assert (later.red, later.amber, later.green) == (Glow.OPPOSITE, BLINK, OFF)


@pytest.mark.parametrize(
    ("aside", "amber", "green"), [(None, OFF, SLOW), (Light.LOOKING, ON, OFF), (Light.ASKING, BLINK, SLOW)]
)
@pytest.mark.parametrize("phase", [Phase.LOBBY, Phase.BETWEEN])
def test_the_look_for_the_tile_aside_is_seen(phase: Phase, aside: Light | None, amber: Glow, green: Glow) -> None:
    lights = Signals(aside=aside).lights(in_phase(phase), 0.0)
    assert (lights.red, lights.amber, lights.green) == (OFF, amber, green)


def test_lamps_burn_where_their_players_buttons_are() -> None:
    assert on_buttons(Lights(red=ON), {0: ON, 2: BLINK}) == Lights((ON, OFF, BLINK), red=ON)
    assert on_buttons(Lights((ON,)), {}) == Lights()


def test_red_goes_out_when_the_turn_passes_on_without_an_accepted_table() -> None:
    signals, _ = Signals().apply_effects([Lamp(0, Light.REFUSED), Lamp(1, Light.TURN)], 1.0)
    assert signals.lights(in_phase(Phase.TURN), 1.0).red is OFF


def test_the_winners_of_the_match_blink_and_are_played_a_tune() -> None:
    signals, tune = Signals().apply_effects([Tone(Sound.ROUND_OVER), MatchOver((0, 2), (3, 0, 3))], 1.0)
    assert signals.lights(in_phase(Phase.OVER, winner=1), 1.0).players == (BLINK, OFF, BLINK)
    assert tune == tune_of(Cue.ROUND_OVER, Cue.MATCH_OVER)


def test_effects_that_need_no_lamp_change_nothing() -> None:
    assert Signals(warned=1.0).apply_effects([Say(Notice("match.stock_empty")), Lamp(0, Light.OFF)], 1.0) == (
        Signals(warned=1.0),
        (),
    )
    assert Signals().apply_effects([DrawTile(1)], 1.0)[0].drawing == 1


def test_every_warning_of_the_clock_is_heard_once_at_its_time() -> None:
    """A loop that wakes at every `due()` plays 30, 10 and each of the last six seconds."""
    match = Match()
    t, end, heard = 100.0, match.state.clock.deadline, []
    while (due := match.signals.next_due(match.state, t)) is not None and due <= end + 1:
        assert due > t
        t = due
        match.signals, tune = match.signals.advance_to(match.state, t)
        if tune:
            heard.append((round(end - t, 6), tune))
    assert [left for left, _ in heard] == list(WARNINGS)
    assert [tune for _, tune in heard[:3]] == [TUNES[c] for c in (Cue.LEFT_30, Cue.LEFT_10, Cue.LAST_SECONDS)]


def test_late_timers_play_only_the_most_urgent_warning() -> None:
    match = Match()
    end = match.state.clock.deadline
    match.signals, _ = match.signals.advance_to(match.state, end - 31)
    assert match.signals.advance_to(match.state, end - 9)[1] == TUNES[Cue.LEFT_10]


def test_a_clock_that_starts_with_little_time_does_not_warn_of_the_past() -> None:
    signals, _ = replace(Signals(), warned=1.0).apply_effects([], 100.0)
    state = in_phase(Phase.TURN, clock=TurnClock(25.0).start(100.0))
    assert signals.advance_to(state, 100.5)[1] == ()


def test_the_clock_is_shown_in_whole_seconds_and_each_is_announced() -> None:
    """Also where a moment is hit only nearly."""
    state = in_phase(Phase.TURN, clock=TurnClock(60.0).start(0.1))
    texts, t = [], 0.1
    for _ in range(61):
        texts.append(Signals().lights(state, t).text)
        t = Signals().next_due(state, t) or t
    assert texts == ["1:00", *(f"0:{left:02d}" for left in range(59, -1, -1))]


def test_without_a_clock_bar_and_display_stay_dark() -> None:
    state = in_phase(Phase.TURN, clock=TurnClock(None).start(0.0))
    lights = Signals().lights(state, 50.0)
    assert (lights.bar, lights.text) == (0.0, "")
    assert Signals().next_due(state, 50.0) is None


def test_every_sound_of_the_match_and_every_cue_has_a_tune() -> None:
    assert set(TUNES) == set(Cue)
    assert all(Signals().apply_effects([Tone(sound)], 0.0)[1] for sound in Sound)
    assert all(220 <= hertz <= 3520 and seconds > 0 for tune in TUNES.values() for hertz, seconds in tune if hertz)
