import pytest
from match_driver import OPENING, Game

from referee.errors import BadInput
from referee.game.doubt import Doubt
from referee.game.match.events import (
    Ask,
    DrawTile,
    HandShown,
    Lamp,
    Light,
    Paused,
    Pressed,
    PutRight,
    Resumed,
    RoundStarted,
    Seen,
    Show,
    Sound,
    Started,
    TakeLook,
    TimeUp,
    Tone,
)
from referee.game.match.machine import OutOfOrder, apply, new_match
from referee.game.match.phases import Phase
from referee.game.notation import format_table, parse_table, parse_tile
from referee.game.rulebooks import ruleset


@pytest.mark.parametrize(
    ("book", "players", "hand", "stock"),
    [
        ("ravensburger", 2, 14, 80),
        ("ravensburger", 3, 14, 66),
        ("ravensburger", 4, 14, 52),
        ("brettspielnetz", 2, 18, 70),
        ("piatnik", 2, 14, 78),
        ("piatnik", 3, 14, 64),
        ("piatnik", 4, 14, 50),
        ("classic", 2, 15, 80),
        ("classic", 3, 13, 71),
        ("classic", 4, 13, 58),
        ("rummikub", 2, 14, 78),
        ("rummikub", 3, 14, 64),
        ("rummikub", 4, 14, 50),
    ],
)
def test_every_book_deals_its_own_hands(book, players, hand, stock):
    game = Game(book, players)
    assert game.numbers == (hand,) * players
    assert game.state.stock == stock
    assert game.everything == game.state.rules.box.total


def test_a_match_begins_with_the_turn_of_who_was_named():
    game = Game(players=3)
    assert game.state.phase is Phase.TURN
    assert game.got(Lamp) == [Lamp(0, Light.TURN)]


def test_a_press_stops_the_clock_at_once_and_asks_for_a_look():
    game = Game().press(after=7)
    assert game.state.phase is Phase.LOOKING
    assert game.state.clock.seconds_left(1000) == 113
    assert game.effects == (Lamp(0, Light.LOOKING), TakeLook())


def test_an_accepted_turn_hands_over_to_the_next_player():
    game = Game().turn(OPENING)
    assert game.numbers == (8, 14)
    assert [seat.opened for seat in game.state.seats] == [True, False]
    assert game.state.current == 1
    assert format_table(game.state.table) == OPENING
    assert game.got(Lamp) == [Lamp(0, Light.ACCEPTED), Lamp(1, Light.TURN)]
    assert game.state.clock.seconds_left(game.t) == 120


def test_who_lays_nothing_draws():
    game = Game().turn("")
    assert game.got(DrawTile) == [DrawTile(0)]
    assert game.numbers == (15, 14)
    assert game.state.stock == 79


def test_rebuilding_alone_is_no_laying():
    game = Game().opened().fields(table=parse_table("R1 R2 R3 | R4 R5 R6")).turn("R1 R2 R3 R4 R5 R6")
    assert game.got(DrawTile) == [DrawTile(0)]
    assert format_table(game.state.table) == "R1 R2 R3 R4 R5 R6"


def test_a_refused_turn_goes_on_with_the_clock_where_it_stood():
    game = Game().press(after=50).see("R1 R2 R4")
    assert game.state.phase is Phase.TURN
    assert game.state.current == 0
    assert game.state.table == ()
    assert game.state.clock.seconds_left(game.t + 10) == 60
    assert game.got(Show)[0].verdict.faults
    assert "R1 R2 R4 is not a set" in game.said
    assert Tone(Sound.REFUSED) in game.effects


def test_a_doubt_never_ends_a_turn():
    game = Game().press().see(OPENING, doubts=(Doubt("R11 or R1"),))
    assert game.state.phase is Phase.ASKING
    assert game.got(Ask) == [Ask((Doubt("R11 or R1"),))]
    assert not game.state.clock.is_running
    assert game.see(OPENING).state.current == 1


def test_a_press_while_asked_looks_again():
    game = Game().press().see("", doubts=(Doubt("B9 or B6"),)).press()
    assert game.got(TakeLook) == [TakeLook()]


@pytest.mark.parametrize("phase", [Phase.TIME_UP, Phase.CHECKING, Phase.COUNTING])
def test_a_doubt_keeps_any_other_look_waiting_and_a_press_looks_again(phase):
    game = Game().fields(phase=phase).see("", doubts=(Doubt("B9 or B6"),))
    assert game.state.phase is phase
    assert game.got(Ask)
    assert game.press().got(TakeLook)
    assert game.state.phase is phase
    with pytest.raises(OutOfOrder):
        game.press()


def test_a_long_press_is_a_press_like_any_other():
    game = Game()
    assert apply(game.state, Pressed(0, 1.0, long=True)) == apply(game.state, Pressed(0, 1.0))


def test_more_tiles_than_the_hand_holds_cannot_come_from_it():
    assert "you had only 2" in Game().hands(2, 14).turn(OPENING).said


class TestTimeUp:
    def test_the_table_is_looked_at(self):
        game = Game()
        game.do(TimeUp(120.0))
        assert game.state.phase is Phase.TIME_UP
        assert game.got(TakeLook)
        assert Tone(Sound.TIME_UP) in game.effects

    def test_a_press_after_the_end_counts_as_time_up(self):
        assert Game().press(after=121).state.phase is Phase.TIME_UP

    def test_a_table_in_order_still_counts(self):
        game = Game().time_up(OPENING)
        assert game.numbers == (8, 14)
        assert game.state.current == 1

    def test_who_did_nothing_draws(self):
        assert Game().time_up("").got(DrawTile) == [DrawTile(0)]

    def test_rummikub_puts_the_table_back_and_draws_three(self):
        game = Game("rummikub").opened().fields(table=parse_table("R1 R2 R3 R4")).time_up("R1 R2 R3 | R4 R5")
        assert game.state.phase is Phase.PUTTING_RIGHT
        assert format_table(game.got(PutRight)[0].target) == "R1 R2 R3 R4"
        assert "Take the red 5 into your hand." in game.said
        game.turn("R1 R2 R3 R4")
        assert game.got(DrawTile) == [DrawTile(0, 3)]
        assert game.numbers == (17, 14)
        assert game.state.current == 1

    def test_the_next_turn_waits_until_the_table_is_right(self):
        game = Game("rummikub").opened().fields(table=parse_table("R1 R2 R3 R4")).time_up("R1 R2 R3 | R4 R5")
        game.turn("R1 R2 R3 | R4")
        assert game.state.phase is Phase.PUTTING_RIGHT
        assert game.state.current == 0
        assert "R1 R2 R3 R4" in game.said

    def test_no_more_is_drawn_than_the_stock_holds(self):
        game = Game("rummikub").opened().fields(stock=2).time_up("R5").turn("")
        assert game.got(DrawTile) == [DrawTile(0, 2)]
        assert game.state.stock == 0

    def test_ravensburger_gives_the_player_what_lies_in_no_set(self):
        game = Game().opened().fields(table=parse_table("R5 R6 R7 R8 | B1 B2 B3"))
        game.time_up("R5 R6 | R7 R8 R9 | B1 B2 B3 B4")
        assert format_table(game.got(PutRight)[0].target) == "R7 R8 R9 | B1 B2 B3 B4"
        assert "Take the red 5 and the red 6" in game.said
        game.turn("R7 R8 R9 | B1 B2 B3 B4")
        assert game.numbers == (14, 14)
        assert not game.got(DrawTile)

    def test_a_first_meld_can_survive_beside_loose_tiles(self):
        game = Game().time_up(OPENING + " | Y1").turn(OPENING)
        assert game.state.seats[0].opened
        assert game.numbers == (8, 14)

    def test_a_first_meld_too_low_goes_back_and_a_tile_is_drawn(self):
        game = Game().time_up("B2 B3 B4 | Y1").turn("")
        assert not game.state.seats[0].opened
        assert game.got(DrawTile) == [DrawTile(0, 1)]

    def test_a_table_tile_that_is_gone_is_told_and_confirmed_with_a_press(self):
        game = Game().opened().fields(table=parse_table("R1 R2 R3 R4")).time_up("R1 R2 R3")
        assert game.state.phase is Phase.PUTTING_RIGHT
        assert "The red 4 is missing from the table, so it is now yours." in game.said
        assert game.state.due.takes == (parse_tile("R4"),)
        game.turn("R1 R2 R3")
        assert game.numbers == (15, 14)
        assert game.state.current == 1

    def test_a_tile_that_had_fallen_and_is_put_back_belongs_to_the_table(self):
        game = Game().opened().fields(table=parse_table("R1 R2 R3 R4")).time_up("R1 R2 R3").turn("R1 R2 R3 R4")
        assert (game.numbers, game.state.current) == ((15, 14), 1)
        assert game.got(DrawTile) == [DrawTile(0, 1)]

    def test_what_else_was_wrong_is_put_right_then(self):
        game = (
            Game().opened().fields(table=parse_table("R1 R2 R3 R4")).time_up("R1 R2 R3 | K9").turn("R1 R2 R3 R4 | K9")
        )
        assert game.state.phase is Phase.PUTTING_RIGHT
        assert "black 9" in game.said
        assert "red 4" not in game.said
        assert game.turn("R1 R2 R3 R4").state.current == 1
        assert game.numbers == (15, 14)

    @pytest.mark.parametrize(
        "later",
        [
            pytest.param("R1 R2 R3 R4 R5 | B1 B2 B3 | K9", id="a tile more"),
            pytest.param("R1 R2 R3 R4 | B1 B2 B3", id="a tile less"),
            pytest.param("R1 R2 R3 R4 | B1 B2 B3 K9", id="sets changed"),
            pytest.param("R1 R2 R3 | B1 B2 B3 | K9 | R5", id="another one"),
        ],
    )
    def test_nothing_else_can_be_changed_after_the_time_because_a_tile_was_found(self, later):
        game = Game().opened().fields(table=parse_table("R1 R2 R3 R4 | B1 B2 B3")).time_up("R1 R2 R3 | B1 B2 B3 | K9")
        due = game.state.due
        game.turn(later)
        assert game.state.phase is Phase.PUTTING_RIGHT
        assert game.state.due == due


class TestPause:
    def test_the_clock_stands_meanwhile(self):
        game = Game().do(Paused(20.0)).do(Resumed(500.0))
        assert game.state.clock.seconds_left(510.0) == 90
        assert game.got(Lamp) == [Lamp(0, Light.TURN)]

    def test_a_look_cut_short_is_taken_again(self):
        game = Game().press().do(Resumed(9.0))
        assert game.got(TakeLook) == [TakeLook()]

    def test_a_request_is_repeated_after_the_power_was_cut(self):
        game = Game("rummikub").opened().fields(table=parse_table("R1 R2 R3 R4")).time_up("R1 R2 R3 | R4 R5")
        assert game.do(Resumed(1.0)).got(TakeLook) == [TakeLook()]
        assert game.see("R1 R2 R3 | R4 R5").got(PutRight)

    def test_the_hand_is_asked_for_again_after_the_power_was_cut(self):
        game = Game().opened().hands(3, 2).turn("R1 R2 R3")
        said = game.said
        assert game.do(Resumed(1.0)).said in said
        assert game.state.phase is Phase.SHOWING

    def test_nothing_else_can_be_paused_or_resumed(self):
        game = Game()
        with pytest.raises(OutOfOrder):
            game.do(Resumed(1.0))
        with pytest.raises(OutOfOrder):
            game.press().do(Paused(1.0))


class TestOutOfOrder:
    @pytest.mark.parametrize(
        "event",
        [
            Started(("Ann", "Ben"), 1.0),
            Pressed(1, 1.0),
            Seen((), 1.0),
            TimeUp(5.0),
            HandShown(0, (), 1.0),
            RoundStarted(1.0),
        ],
        ids=lambda event: type(event).__name__,
    )
    def test_what_cannot_happen_now_is_refused(self, event):
        with pytest.raises(OutOfOrder, match="expected"):
            Game().do(event)

    def test_a_second_press_while_looking_is_refused(self):
        with pytest.raises(OutOfOrder):
            Game().press().press()

    def test_nobody_can_press_before_the_match(self):
        with pytest.raises(OutOfOrder):
            apply(new_match(ruleset("rummikub")), Pressed(0, 0.0))

    def test_a_table_is_checked_only_where_something_is_due(self):
        with pytest.raises(OutOfOrder):
            Game().fields(phase=Phase.CHECKING).see("")

    @pytest.mark.parametrize(
        "event",
        [
            Started(("Ann",), 0.0),
            Started(("Ann", "Ben"), 0.0, rounds=0),
            Started(("Ann", "Ben"), 0.0, first=2),
            Started(("Ann", "Ann"), 0.0),
            Started(("Ann", ""), 0.0),
        ],
    )
    def test_a_match_needs_players_rounds_and_somebody_to_begin(self, event):
        with pytest.raises(BadInput, match="expected"):
            apply(new_match(ruleset("rummikub")), event)
