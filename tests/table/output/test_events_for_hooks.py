"""What lamps and home servers in the house are told."""

from match_driver import OPENING, Game

from referee.devices.panel.lights import Lights
from referee.game.match.events import MatchOver, Paused, Resumed, ScoreRound
from referee.game.match.phases import Phase
from referee.game.scoring import RoundScore
from referee.table.output.audience import DisplayState
from referee.table.output.events_for_hooks import WLED, HookEvents, wled_state
from referee.table.session import Players


class Told:
    """A match of two whose facts are kept; `now` is the time of the match."""

    def __init__(self, rules="ravensburger"):
        self.game, self.facts, self.now = Game(rules), [], 0.0
        self.events = HookEvents(self.facts.append, lambda: self.now)
        self.tell()

    def tell(self):
        self.events.on_event(tuple(self.game.effects), self.game.state)
        self.game.effects = ()
        self.update()

    def update(self, **how):
        self.events.on_update(DisplayState(self.game.state, Lights(()), Players((), ()), frozenset(), 0.0, **how))

    def turn(self, table):
        self.game.press()
        self.tell()
        self.game.see(table)
        self.now = self.game.t
        self.tell()
        told, self.facts[:] = self.facts[:], []
        return told


def test_a_turn_is_told_once():
    told = Told()
    told.update()
    assert told.facts == [{"event": "turn", "player": "Ann"}]


def test_an_accepted_turn_is_told_with_its_tiles_and_then_whose_turn_it_is():
    told = Told()
    told.facts.clear()
    verdict, turn = told.turn(OPENING)
    assert (verdict["event"], verdict["accepted"], verdict["points"], verdict["faults"]) == ("verdict", True, 45, [])
    assert sorted(verdict["laid"])[0] == "blue-2"
    assert turn == {"event": "turn", "player": "Ben"}


def test_a_refused_turn_is_told_with_the_kinds_of_its_faults_and_the_turn_is_not_told_again():
    told = Told()
    told.facts.clear()
    (verdict,) = told.turn("R11 R12 B13")
    assert (verdict["accepted"], "not-a-set" in verdict["faults"]) == (False, True)


def test_that_the_time_is_nearly_up_is_told_as_the_clock_passes():
    told = Told()
    end = told.game.state.clock.deadline
    told.facts.clear()
    for left in (45.0, 31.0, 30.0, 29.0, 11.0, 9.0, 0.0, -1.0):
        told.now = end - left
        told.update()
    assert [(fact["event"], fact["seconds"]) for fact in told.facts] == [
        ("time_nearly_up", 30),
        ("time_nearly_up", 10),
    ]


def test_while_the_loop_waits_for_the_disk_the_clock_passes_no_mark():
    told = Told()
    end = told.game.state.clock.deadline
    told.now = end - 30.5
    told.update()
    told.facts.clear()
    told.now = end - 29.5
    told.update(waiting=True)
    assert told.facts == []
    told.update()
    assert [fact["seconds"] for fact in told.facts] == [30]


def test_a_pause_is_told_and_the_turn_after_it():
    told = Told()
    told.facts.clear()
    told.game.do(Paused(5.0))
    told.tell()
    told.update()
    told.game.do(Resumed(9.0))
    told.tell()
    assert [fact["event"] for fact in told.facts] == ["pause", "turn"]


def test_the_end_of_a_round_and_of_a_match_are_told_with_names():
    told = Told()
    told.facts.clear()
    told.game.effects = (ScoreRound(RoundScore(0, (0, 12), (12, -12)), 1), MatchOver((0,), (12, -12)))
    told.game.fields(phase=Phase.OVER)
    told.tell()
    assert told.facts == [
        {"event": "round_over", "round": 1, "scores": {"Ann": 12, "Ben": -12}},
        {"event": "match_over", "winners": ["Ann"], "totals": {"Ann": 12, "Ben": -12}},
    ]


def test_a_lamp_shows_every_event():
    assert wled_state({"event": "verdict", "accepted": False}) == WLED["refused"]
    assert wled_state({"event": "verdict", "accepted": True}) == WLED["accepted"]
    for name in ("turn", "question", "time_nearly_up", "round_over", "match_over", "pause"):
        assert wled_state({"event": name})["on"]
