"""What the page shows of pictures that tell nothing, of turns in which nothing was laid, of steps and of points."""

from dataclasses import replace

import pytest
from match_driver import OPENING, Game
from page import looked_at

from referee.devices.panel.lights import Glow, Lights
from referee.game.judge.verdict import FaultKind
from referee.game.match.events import Pressed, Say
from referee.game.match.phases import Phase
from referee.game.notice import Notice
from referee.i18n import Wording
from referee.pages.table.parts import PARTS
from referee.table.looking.look import Look
from referee.table.output.audience import DisplayState
from referee.table.output.follower import Follower
from referee.table.session import Players


class Watched:
    """A follower of a match, by a clock that a test sets."""

    def __init__(self, game):
        self.t = 100.0
        self.game, self.follower = game, Follower(lambda: None, now=lambda: self.t)
        self.tell()

    def tell(self):
        state = self.game.state
        self.follower.on_event(tuple(self.game.effects), state)
        names = tuple(seat.name for seat in state.seats)
        players = Players(names, tuple(range(len(names))))
        self.follower.on_update(DisplayState(state, Lights((Glow.ON, Glow.OFF)), players, frozenset(), 0.0))
        return self

    def part_said(self, language):
        """The last sentence that the effects of the last event say."""
        said = [effect.notice for effect in self.game.effects if isinstance(effect, Say)]
        return Wording(language).sentence(said[-1])

    def part(self, name, language="en"):
        return PARTS[name].render(self.follower.facts, Wording(language))


def blind(picture=None):
    return Look(None, picture, trouble=Notice("play.nothing_at_all"))


def test_a_look_that_shows_nothing_leaves_the_picture_before_with_the_moment_it_was_taken():
    table = Watched(Game())
    assert table.part("picture") is None
    table.follower.on_look(looked_at("R1 R2 R3"))
    first = table.part("picture")
    assert (len(first["tiles"]), first["since"]) == (3, None)
    table.t = 120.0
    table.follower.on_look(blind())
    assert table.part("picture") == {**first, "since": 100.0}
    table.t = 130.0
    table.follower.on_look(looked_at("R1 R2 R3 R4"))
    last = table.part("picture")
    assert (len(last["tiles"]), last["since"], last["look"]) == (4, None, first["look"] + 2)


def test_a_first_picture_that_cannot_be_read_is_shown_as_it_is():
    table, picture = Watched(Game()), looked_at("R1 R2 R3").picture
    table.follower.on_look(blind(picture))
    shown = table.part("picture")
    assert (shown["tiles"], shown["sets"], shown["since"]) == ([], [], None)
    table.follower.on_look(looked_at("R1 R2 R3"))
    assert len(table.part("picture")["tiles"]) == 3


def after_a_turn(table):
    """The first turn of a match, step by step."""
    shown = Watched(Game())
    shown.game.press()
    shown.tell()
    shown.game.see(table)
    return shown.tell()


@pytest.mark.parametrize(
    ("language", "draws", "nothing"),
    [("en", "Ann draws", "Ann lays nothing"), ("de", "Ann zieht", "Ann legt nichts"),
     ("fr", "Ann pioche", "Ann ne pose rien"), ("it", "Ann pesca", "Ann non cala niente")],
)  # fmt: skip
def test_who_only_drew_is_said_to_draw(language, draws, nothing):
    table = after_a_turn("")
    assert table.part("verdict", language)["idle"] == draws
    table.follower.facts = replace(table.follower.facts, draws=None)
    assert table.part("verdict", language)["idle"] == nothing


def test_who_laid_or_was_refused_is_told_as_before():
    assert after_a_turn(OPENING).part("verdict")["idle"] == ""
    assert after_a_turn("R1 R2").part("verdict")["idle"] == ""


@pytest.mark.parametrize("language", ["en", "de", "fr", "it"])
def test_while_a_set_is_invalid_nobody_is_told_that_the_first_meld_counts_too_little(language):
    shown = after_a_turn("R7 B7 K8")
    kinds = {fault.kind for fault in shown.follower.facts.judged.verdict.faults}
    assert kinds == {FaultKind.NOT_A_SET, FaultKind.OPENING_TOO_LOW}
    assert [fault["kind"] for fault in shown.part("verdict", language)["faults"]] == ["not-a-set"]
    said = [effect.notice.key for effect in shown.game.effects if isinstance(effect, Say)]
    assert said == ["judge.not_a_set"]
    low = after_a_turn("R1 R2 R3").part("verdict", language)
    assert [fault["kind"] for fault in low["faults"]] == ["opening-too-low"]


def showing():
    """The match after somebody went out: Ben lays the hand of three tiles open."""
    table = Watched(Game().opened().hands(6, 3).turn(OPENING))
    assert table.game.state.phase is Phase.SHOWING
    return table


def shows_hand(table, tiles):
    table.game.press()
    table.tell()
    table.game.see(f"{OPENING} | {tiles}")
    return table.tell()


@pytest.mark.parametrize(
    ("language", "reason"),
    [("en", "Ben should have 3 tiles left, but 2 were shown: hold the button if that is right."),
     ("de", "Halte"), ("fr", "maintiens"), ("it", "tieni")],
)  # fmt: skip
def test_a_hand_that_does_not_agree_with_the_count_is_told_as_a_refusal(language, reason):
    table = shows_hand(showing(), "K1 K2")
    told = table.part("verdict", language)
    assert (told["accepted"], told["player"], told["idle"]) == (False, "Ben", "")
    assert [fault["text"] for fault in told["faults"]] == [table.part_said(language)]
    assert reason in told["faults"][0]["text"]
    table.game.press()
    table.tell()
    assert table.part("verdict") is None


def test_so_is_a_tile_that_vanished_while_a_hand_was_laid_open():
    table = showing()
    table.game.press()
    table.tell()
    table.game.see("R11 R12 R13 | B2 B3 | K1 K2 K3")
    told = table.tell().part("verdict")
    assert not told["accepted"]
    assert "blue 4" in told["faults"][0]["text"]


def test_what_was_wrong_with_a_hand_is_gone_once_the_hand_was_entered():
    table = shows_hand(showing(), "K1 K2")
    table.game.told("K1 K2 K3")
    assert table.tell().part("verdict") is None


def test_in_gin_a_deal_that_is_refused_is_told_in_the_same_place():
    table = Watched(Game("gin"))
    table.game.press()
    table.tell()
    table.game.see("R1 R2")
    told = table.tell().part("verdict")
    assert not told["accepted"]
    assert len(told["faults"]) == 1


def test_a_new_round_begins_without_the_picture_and_the_verdict_of_the_last_one():
    table = Watched(Game(rounds=2).opened().hands(6, 3))
    table.game.press()
    table.tell()
    table.follower.on_look(looked_at(OPENING))
    table.game.see(OPENING)
    table.tell()
    table.game.told("R1 R2 R3")
    assert table.tell().part("picture") is not None
    table.game.next_round()
    table.tell()
    assert (table.part("picture"), table.part("verdict")) == (None, None)
    assert table.follower.facts.accepted is None


def late():
    """A match whose time is up: tiles must be put back and taken, and one is missing."""
    game = Game(rules="rummikub").do(Pressed(0, 1.0)).see(OPENING)
    game.t = game.state.clock.deadline
    return game.time_up("R10 R11")


def test_what_must_be_put_right_is_known_after_a_power_cut_too():
    table = Watched(game := late())
    assert game.state.phase is Phase.PUTTING_RIGHT
    steps = [step["text"] for step in table.part("due")["steps"]]
    assert steps
    game.effects = ()
    assert [step["text"] for step in Watched(game).part("due")["steps"]] == steps


def test_a_hand_that_was_shown_keeps_its_number_of_tiles_until_the_next_round():
    game = Game(rounds=2, players=3).opened().hands(6, 3, 4).turn(OPENING)
    game.press().see(f"{OPENING} | R1 R2 R3")
    assert [player["hand"] for player in Watched(game).part("match")["players"]] == [0, 3, 4]
    game.told("Y1 Y2 Y3 Y4")
    assert game.state.phase is Phase.BETWEEN
    told = Watched(game).part("match")["players"]
    assert [player["hand_text"] for player in told] == ["0 tiles", "3 tiles", "4 tiles"]
    game.next_round()
    assert [player["hand"] for player in Watched(game).part("match")["players"]] == [14, 14, 14]


def test_points_that_were_won_have_their_sign():
    game = Game(rounds=2).opened().hands(6, 3).turn(OPENING).told("R1 R2 R3")
    told = [player["total_text"] for player in Watched(game).part("match")["players"]]
    assert told == ["+6 points", "-6 points"]
    assert Watched(Game()).part("match")["players"][0]["total_text"] == "0 points"
