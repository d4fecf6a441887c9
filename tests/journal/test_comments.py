"""What is said about a round after its end: everything is proven, nothing is guessed."""

from collections import Counter
from dataclasses import dataclass, replace

import pytest
from played import SETUPS, short, write

from benchmarks.comments import played_matches
from referee.game.judge.judge import Turn, judge_without_advice
from referee.game.match.events import (
    Corrected,
    HandShown,
    Insisted,
    Paused,
    Pressed,
    Resumed,
    Seen,
    Settled,
    Started,
    Withdrawn,
    Word,
)
from referee.game.match.phases import Phase
from referee.game.notation import parse_set, parse_table
from referee.game.rulebooks import Ruleset
from referee.game.scoring import RoundScore, hand_points
from referee.game.solver import partition
from referee.game.table import in_order, laid_tiles, tiles_on
from referee.journal.comments import Comments, comments_from, comments_of
from referee.journal.opening import FILE, open_journal
from referee.journal.reading import rows_of
from referee.journal.rounds import RoundFollower, RoundPlayed
from referee.journal.rows import Setup

OPENING = "R10 R11 R12 | B10 B11 B12"
TIMED = {"entry": "timed"}
HAND = "R8 R9 R10 R11 R12 R13 B8 B9 B10 B11 B12 B13 K10 K10"


class Played:
    """A round of Ann and Ben, event by event; Ann goes out with her last turn."""

    def __init__(self):
        self.follower = RoundFollower(Setup("rummikub", TIMED).state())
        self.t = 0.0
        self.do(Started(("Ann", "Ben"), 0.0))

    @property
    def state(self):
        return self.follower.state

    def do(self, event):
        self.follower.take(event)
        return self

    def turn(self, table, after=10.0):
        self.t += after
        self.do(Pressed(self.state.current, self.t))
        return self.do(Seen(parse_table(table), self.t + 0.25))

    def shows(self, hand, **how):
        self.t += 5.0
        self.do(Pressed(self.state.current, self.t))
        return self.do(Seen((*self.state.table, parse_set(hand)), self.t + 0.25, **how))

    def told(self):
        played = self.follower.rounds[-1]
        line = self.state.sheet.rounds[played.number - 1]
        return {told.key.removeprefix("comments."): dict(told.fields) for told in self.comments(played, line)}

    def comments(self, played, line):
        return comments_of(played, line, self.state.rules)


WON = "R1 R2 R3 R4 R5 R6 R7 | B1 B2 B3 B4 B5 B6 B7"


def won_by_ann():
    """Ann lays all her tiles at once; Ben has not opened."""
    return Played().turn(WON)


def test_tiles_of_a_hand_that_could_all_have_been_laid_are_told():
    played = won_by_ann().shows(HAND)
    assert played.state.phase is Phase.OVER or played.state.phase is Phase.BETWEEN
    told = played.told()
    assert told["in_one_turn"] == {"player": "Ann", "tiles": 14}
    assert told["hand_some"] == {"player": "Ben", "tiles": 14, "laid": 12}


def test_a_first_meld_is_respected():
    """Four tiles would fit, but without a first meld of 30 points nothing may be laid."""
    played = won_by_ann().shows("R8 B8 R9 B9 K1 K3 K5 O1 O3 O5 K7 O7 O9 K12")
    assert played.told()["hand_none"] == {"player": "Ben", "tiles": 14}


def insisted(played):
    played.shows("R8 R9 R10")
    assert played.state.phase is Phase.SHOWING
    played.do(Insisted(1, played.t + 1)).do(Seen((*played.state.table, parse_set("R8 R9 R10")), played.t + 2))


def helped(played):
    played.do(Settled(1, played.t, Word(parse_set("K10")[0], 10.0, 10.0, 0.0)))
    played.shows(HAND)


@pytest.mark.parametrize(
    "show",
    [
        pytest.param(lambda played: played.do(HandShown(1, parse_set(HAND), 20.0)), id="entered"),
        pytest.param(insisted, id="insisted on"),
        pytest.param(helped, id="players said what a tile is"),
    ],
)
def test_of_a_hand_that_the_camera_did_not_read_nothing_is_said(show):
    played = won_by_ann()
    show(played)
    assert played.state.sheet.rounds
    assert not any(key.startswith("hand") for key in played.told())
    assert played.told()["laid_nothing"] == {"player": "Ben"}


def test_of_a_hand_that_was_corrected_nothing_is_said():
    played = won_by_ann().shows(HAND)
    played.do(Corrected(1, (0, 95), 99.0, winner=0, in_one_turn=True))
    assert set(played.told()) == {"in_one_turn", "laid_nothing"}


def two_turns():
    """Both have opened; Ann's second turn takes three sets apart."""
    played = Played().turn("R10 B10 K10 | R11 B11 K11 | R12 B12 K12", 30.0)
    return played.turn("R10 B10 K10 | R11 B11 K11 | R12 B12 K12 | O11 O12 O13", 5.0)


def test_turns_are_kept_with_what_was_laid_and_how_long_they_took():
    played = two_turns().turn("R10 R11 R12 | B10 B11 B12 | K10 K11 K12 K13 | O11 O12 O13", 8.0)
    turns = played.follower.turns
    assert [(turn.player, turn.laid, turn.taken_apart, turn.opens) for turn in turns] == [
        (0, 9, 0, True), (1, 3, 0, True), (0, 1, 3, False),
    ]  # fmt: skip
    assert [turn.seconds for turn in turns] == pytest.approx([30.0, 4.75, 7.75], abs=0.6)


def test_a_turn_that_is_taken_back_does_not_count():
    played = two_turns().turn("R10 R11 R12 | B10 B11 B12 | K10 K11 K12 K13 | O11 O12 O13", 8.0)
    played.do(Withdrawn(0, played.t + 1.0))
    assert len(played.follower.turns) == 2
    played.turn("R10 B10 K10 | R11 B11 K11 | R12 B12 K12 | O11 O12 O13 | K4 K5 K6", 8.0)
    assert [turn.laid for turn in played.follower.turns] == [9, 3, 3]
    assert played.follower.turns[-1].taken_apart == 0


def test_a_pause_takes_no_time():
    played = Played().do(Paused(4.0)).do(Resumed(100.0))
    played.t = 100.0
    assert played.turn(OPENING, 6.0).follower.turns[0].seconds == pytest.approx(10.0, abs=0.6)


def journal_of(tmp_path, setup, steps):
    opened = open_journal(tmp_path).journal
    write(opened, setup, steps)
    opened.close()
    return rows_of(tmp_path / FILE, 1)[0]


def test_a_journal_gives_the_comments_of_every_round(tmp_path):
    rows = journal_of(tmp_path, SETUPS[0], short(SETUPS[0], rounds=2))
    found = comments_from(rows)
    assert [told.key for told in found[1]] == ["comments.in_one_turn", "comments.laid_nothing"]
    assert set(found) == {1, 2}
    assert comments_from(rows, 2) == {2: found[2]}


def test_comments_are_computed_once_for_the_same_rows(tmp_path, monkeypatch):
    rows = journal_of(tmp_path, SETUPS[0], short(SETUPS[0]))
    comments = Comments()
    found = comments.read(rows)
    monkeypatch.setattr("referee.journal.comments.comments_from", None)
    assert comments.read(rows) is found
    assert comments.read([]) == {}


def test_rows_that_cannot_be_read_end_the_comments(tmp_path):
    rows = journal_of(tmp_path, SETUPS[0], short(SETUPS[0], rounds=2))
    broken = [*rows[:-2], replace(rows[-2], body="{}"), rows[-1]]
    assert set(comments_from(broken)) == {1}
    assert comments_from([replace(rows[0], body='{"rules": "nobody\'s", "options": {}}'), *rows[1:]]) == {}


def played_rounds(matches):
    for state, events in played_matches(matches):
        follower = RoundFollower(state)
        for event in events:
            follower.take(event)
        for played in follower.rounds:
            yield played, follower.state.sheet.rounds[played.number - 1], state.rules


def test_every_line_about_virtual_rounds_is_true():
    """Each line is checked in another way than the one in which it was found."""
    keys = Counter()
    for played, line, rules in played_rounds(3):
        told = comments_of(played, line, rules)
        assert len(told) == len(played.seats)
        for seat, one in enumerate(told):
            fields = dict(one.fields)
            assert fields["player"] == played.seats[seat].name
            CHECKS[one.key.removeprefix("comments.")](Case(played, line, rules, seat, fields))
            keys[one.key] += 1
    assert keys["comments.hand_all"] > 5
    assert len(keys) >= 6


@dataclass(frozen=True)
class Case:
    """A line with the round that it is about."""

    played: RoundPlayed
    line: RoundScore
    rules: Ruleset
    seat: int
    fields: dict

    @property
    def own(self):
        return [turn for turn in self.played.turns if turn.player == self.seat]


def laid(turn):
    return laid_tiles(turn.before, turn.after).total()


def check_hand(case):
    hand = case.played.seats[case.seat].shown
    assert len(hand) == case.fields["tiles"]
    assert hand_points(hand, case.rules) == case.line.hands[case.seat]
    return hand


def check_all(case):
    hand = check_hand(case)
    sets = partition((*(tile for tiles in case.played.table for tile in tiles), *hand), wraps=case.rules.wraps)
    assert sets is not None
    assert tiles_on(sets) == tiles_on((*case.played.table, hand))


def check_none(case):
    hand, there = check_hand(case), case.played.seats[case.seat]
    everything = [tile for tiles in case.played.table for tile in tiles]
    for tile in hand if there.opened else ():
        sets = partition((*everything, tile), wraps=case.rules.wraps)
        turn = Turn(True, len(hand), None)
        assert sets is None or not judge_without_advice(case.played.table, sets, turn, case.rules).accepted


def check_most(case):
    assert max(map(laid, case.own)) == case.fields["tiles"]
    assert all(laid(turn) < case.fields["tiles"] for turn in case.played.turns if turn.player != case.seat)


def check_apart(case):
    turn = max(case.own, key=lambda turn: turn.taken_apart if turn.laid else 0)
    kept = Counter(map(in_order, turn.before)) & Counter(map(in_order, turn.after))
    assert len(turn.before) - kept.total() >= case.fields["sets"] >= 3


def check_opened(case):
    turn = case.own[case.fields["turn"] - 1]
    assert turn.opens
    assert not any(other.opens for other in case.played.turns[: case.played.turns.index(turn)])


def check_longest(case):
    assert max(turn.seconds for turn in case.own) == pytest.approx(case.fields["seconds"], abs=0.5)
    assert all(turn.seconds < case.fields["seconds"] + 0.5 for turn in case.played.turns)


def check_laid(case):
    assert sum(map(laid, case.own)) == case.fields.get("tiles", 0)


def check_in_one_turn(case):
    assert case.line.winner == case.seat
    assert [laid(turn) for turn in case.own if laid(turn)] == [case.fields["tiles"]]


def check_some(case):
    check_hand(case)
    assert 0 < case.fields["laid"] < case.fields["tiles"]


CHECKS = {
    "hand_all": check_all, "hand_some": check_some, "hand_none": check_none, "most_tiles": check_most,
    "apart": check_apart, "opened_first": check_opened, "longest_turn": check_longest, "laid": check_laid,
    "laid_nothing": check_laid, "in_one_turn": check_in_one_turn,
}  # fmt: skip


def test_gin_has_no_sets_to_tell_of():
    played, line, rules = next(played_rounds(1))
    assert comments_of(played, line, rules)
    assert comments_of(played, line, replace(rules, melds=None)) == ()


def test_a_table_with_agreed_sets_proves_nothing():
    played = won_by_ann().shows(HAND)
    one = replace(played.follower.rounds[-1], agreed=True)
    told = played.comments(one, played.state.sheet.rounds[0])
    assert [each.key for each in told] == ["comments.in_one_turn", "comments.laid_nothing"]
