"""What is said aloud: one utterance for a turn of the loop, in short sentences, and no more than the level allows."""

from dataclasses import replace

import pytest
from match_driver import Game
from transcripts import FOLDER, WRITTEN_IN, written

from referee.devices.panel.lights import Lights
from referee.devices.voice import Phrase
from referee.game.match.machine import apply, new_match
from referee.game.notation import parse_set
from referee.game.notice import Notice
from referee.game.rulebooks import ruleset
from referee.i18n import Wording
from referee.i18n.notices import NOTICES
from referee.i18n.wording import SHORT_ENOUGH
from referee.journal.codec import event_from_text
from referee.table.output.audience import DisplayState
from referee.table.output.clock_marks import ClockMarks
from referee.table.output.notices import told_of
from referee.table.output.speech import LEVELS, levels_of, select_spoken
from referee.table.output.spoken import Spoken
from referee.table.session import Players

NOT_A_SET = Notice("judge.not_a_set", tiles=parse_set("R7 R9 B1"), why=Notice("judge.why_nothing_alike"))
GONE = Notice("judge.tile_vanished", tiles=parse_set("R7"))
FIRST_STEP, SECOND_STEP = (Notice("judge.take_into_hand", tiles=parse_set(tiles)) for tiles in ("R7", "B8 B9"))
TURN = Notice("match.your_turn", player="Ann")


class Heard:
    """A voice that keeps its utterances, and the clock of the loop."""

    def __init__(self, level="everything", language="en", rules="rummikub"):
        self.t, self.said = 0.0, []
        self.game = Game(rules)
        self.spoken = Spoken(self.said.append, Wording(language), lambda: self.t, level)

    def tell(self, *told):
        for notice in told:
            self.spoken.on_notice(notice)
        self.update()
        return self.texts()

    def update(self):
        self.spoken.on_update(DisplayState(self.game.state, Lights(()), Players((), ()), frozenset(), 0.0))

    def texts(self):
        return [" ".join(phrase.text for phrase in phrases) for phrases in self.said]


def test_what_is_told_in_one_turn_of_the_loop_is_one_utterance_in_the_players_language():
    heard = Heard(language="de")
    heard.spoken.on_notice(Notice("play.score", player="Ann", points=7))
    heard.spoken.on_notice(Notice("play.score", player="Ben", points=-7))
    assert heard.said == []
    heard.update()
    heard.update()
    assert heard.texts() == ["Ann: 7 Punkte. Ben: -7 Punkte."]


def test_what_is_spoken_is_short():
    assert Heard().tell(NOT_A_SET) == ["Refused: not a set. Put it right and press."]


def test_of_several_faults_the_first_is_said_and_how_many_more():
    told = Heard().tell(NOT_A_SET, GONE, NOT_A_SET, FIRST_STEP, SECOND_STEP, TURN)
    assert told == [
        "Refused: not a set. Put it right and press. And 2 more faults. "
        "Take the red 7 into your hand. And one more thing to do. Ann, it is your turn."
    ]


def test_faults_of_one_turn_after_the_other_are_both_said():
    heard = Heard()
    heard.tell(NOT_A_SET)
    assert heard.tell(GONE)[1:] == ["Refused: the red 7 is missing. Put it back and press."]


@pytest.mark.parametrize(("rules", "call"), [("rummikub", "Rummikub!"), ("classic", "Rummy!")])
def test_the_last_tile_is_announced_with_the_call_of_the_game(rules, call):
    heard = Heard("verdicts", rules=rules)
    assert heard.tell(Notice("match.gone_out", player="Ann")) == [f"{call} Ann has laid the last tile."]


def test_a_call_is_announced_in_every_language():
    told = Notice("match.calls_rummy", player="Ann", left=1)
    assert [Wording(language).short(told).partition("Ann")[1] for language in ("en", "de", "fr", "it")] == ["Ann"] * 4
    assert "verdicts" in levels_of(told)


@pytest.mark.parametrize(
    ("level", "texts"),
    [
        ("everything", ["The match goes on: Ann, it is your turn. Accepted, 7 points. Time is up, Ann."]),
        ("verdicts", ["The match goes on: Ann, it is your turn. Accepted, 7 points."]),
        ("clock", ["Time is up, Ann."]),
        ("silent", []),
    ],
)  # fmt: skip
def test_each_level_has_its_messages(level, texts):
    goes_on, accepted = Notice("play.goes_on", player="Ann"), Notice("play.accepted_points", points=7)
    assert Heard(level).tell(goes_on, accepted, Notice("match.time_up", player="Ann")) == texts


def test_news_are_spoken_only_at_the_level_everything():
    assert levels_of(Notice("play.looking")) == ["everything"]
    assert levels_of(Notice("club.well_again")) == ["everything"]


@pytest.mark.parametrize(("level", "texts"), [("clock", ["30 seconds.", "10 seconds."]), ("verdicts", [])])
def test_the_marks_of_the_clock_are_said_once_each(level, texts):
    heard = Heard(level)
    end = heard.game.state.clock.deadline
    for left in (40, 31, 30, 29, 11, 9.9, 5):
        heard.t = end - left
        heard.update()
    assert heard.texts() == texts


def test_a_clock_that_stands_or_is_wound_back_passes_no_mark():
    game, moment = Game(), [0.0]
    marks = ClockMarks(lambda: moment[0])
    state = game.state
    moment[0] = state.clock.deadline - 31
    assert marks.passed(state, 0.0) == []
    assert marks.passed(replace(state, clock=state.clock.stop(moment[0])), 0.0) == []
    moment[0] += 5
    assert marks.passed(state, 0.0) == []
    moment[0] -= 10
    assert marks.passed(state, 0.0) == []
    moment[0] += 10
    assert marks.passed(state, 0.0) == [30]


def test_there_are_four_levels_and_nothing_is_said_of_nothing():
    assert list(LEVELS) == ["everything", "verdicts", "clock", "silent"]
    assert select_spoken([], "rummikub") == []


def test_only_what_is_always_the_same_can_be_a_recording():
    heard = Heard()
    heard.tell(NOT_A_SET, Notice("play.paused"), TURN)
    assert [(phrase.key, bool(phrase.text)) for phrase in heard.said[0]] == [
        ("judge.not_a_set", True), ("play.paused", True), ("", True),
    ]  # fmt: skip
    assert all(isinstance(phrase, Phrase) for phrase in heard.said[0])


def test_every_notice_of_the_transcripts_is_spoken_in_a_short_form():
    words, said = Wording("en"), {}
    for file in sorted(FOLDER.glob("*-1.jsonl.xz")):
        book, options, lines = written(file)
        state = new_match(ruleset(book).of_edition(WRITTEN_IN).choose(**options))
        for kind, body, _ in lines:
            state, effects = apply(state, event_from_text(kind, body))
            said |= {told.key: words.short(told) for effect in effects for told in told_of(effect, state)}
    assert len(said) > 20
    assert not [key for key in said if NOTICES[key].spoken is None]
    assert not [text for key, text in said.items() if len(text) > SHORT_ENOUGH and key != "play.round_scored"]
