"""A match that its settings do not allow is refused at the start: what was expected, what was found, and where."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from referee.cli.parts.from_settings import box_of, plan_of
from referee.devices.wiring.pins import PinMap
from referee.errors import BadInput
from referee.game.rulebooks import RULESETS, ruleset
from referee.i18n import error_text
from referee.settings.settings import load

ONE_FOR_ALL = PinMap(turn_buttons=(5,))
FOUR = PinMap()


def plan(text, folder=Path("/nowhere"), pins=FOUR):
    path = None
    if folder.exists():
        path = folder / "referee.toml"
        path.write_text(text, encoding="utf-8")
        return plan_of(load(path, {}), pins)
    flags = dict(line.split(" = ") for line in text.splitlines())
    return plan_of(load(path, {}, flags), pins)


def refused(*arguments):
    with pytest.raises(BadInput) as caught:
        plan(*arguments)
    told = error_text(caught.value)
    assert "\n" not in told
    return told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[game]\nrules = "chess"', "line 2: [game] rules: expected rules out of"),
        ('[game]\n\noptions = ["jokers=9"]', "line 3: [game] options: expected"),
        ('[game]\nplayers = ["Ann"]', "line 2: [game] players: expected at least 2 names to play rummikub, found 1"),
        ('[game]\nplayers = ["A", "A"]', "line 2: [game] players: expected a name of its own for every player"),
        ("[game]\nhandicaps = [1]", "line 2: [game] handicaps: expected a handicap for each of 4 players, found 1"),
        ('[table]\ntileset = "rumikub"', "line 2: [table] tileset: expected a box of tiles, found 'rumikub'; did you "
                                        "mean rummikub?"),
        ('[table]\ntileset = "foo"', "line 2: [table] tileset: expected a box of tiles, found 'foo'; known are "
                                    "brettspielnetz, classic, gin"),
        ('[table]\ntileset = "gin"', "line 2: [table] tileset: with these options rummikub needs at least 2 of "
         "every tile and 2 jokers; gin has 1 of every tile and 0 jokers: choose other tiles"),
        ('[game]\nrules = "ravensburger"\n[table]\ntileset = "rummikub"',
         "line 4: [table] tileset: with these options ravensburger needs at least 2 of every tile and 4 jokers"),
    ],
)  # fmt: skip
def test_it_is_told_in_one_line_with_file_and_key(tmp_path, text, told):
    assert refused(text, tmp_path).startswith(f"{tmp_path / 'referee.toml'}, {told}")


def test_flags_are_named_too():
    assert refused("table.tileset = gin").startswith("--set table.tileset: with these options rummikub needs")


def test_a_box_of_other_colours_or_with_more_in_it_will_do():
    for name, rules in RULESETS.items():
        for box in RULESETS.values():
            text = f"game.rules = {name}\ntable.tileset = {box.name}"
            if box.box.copies >= rules.box.copies and box.box.jokers >= rules.box.jokers:
                assert plan(text).rules.name == name
            else:
                assert f"with these options {name} needs" in refused(text)
    assert plan("game.rules = rummikub\ntable.tileset = piatnik").rules.name == "rummikub"
    assert plan("game.rules = gin\ntable.tileset = classic").rules.name == "gin"


def test_an_option_may_make_a_smaller_box_do():
    text = 'game.rules = ravensburger\ntable.tileset = rummikub\ngame.options = ["jokers=2"]'
    assert plan(text).rules.box.jokers == 2


def test_more_names_than_the_book_has_seats_are_fine_where_some_of_them_can_sit_down():
    three = 'game.rules = gin\ngame.players = ["Ann", "Ben", "Cléo"]'
    assert plan(three).names == ("Ann", "Ben", "Cléo")
    told = refused(three, Path("/nowhere"), ONE_FOR_ALL)
    assert told == "--set game.players: expected at most 2 names to play gin with one button for all, found 3"
    assert plan("game.rules = gin", pins=ONE_FOR_ALL).names == ("Player 1", "Player 2")
    assert plan("game.rules = gin").names == ("Player 1", "Player 2", "Player 3", "Player 4")


def test_a_match_that_goes_on_by_other_rules_is_read_with_its_own_box_where_the_chosen_one_will_not_do():
    gin = plan("game.rules = gin\ntable.tileset = gin")
    session = SimpleNamespace(state=SimpleNamespace(rules=ruleset("rummikub")), setup=SimpleNamespace(draw=None))
    box = box_of(gin, session)
    assert box().name == "rummikub"
    session.state.rules = ruleset("gin")
    assert box().name == "gin"
    assert box_of(plan("table.tileset = piatnik"), session)().name == "piatnik"
    assert box_of(plan(""), session)().name == "gin"


def test_what_the_hall_begins_is_read_with_the_box_that_lies_at_the_table():
    session = SimpleNamespace(state=SimpleNamespace(rules=ruleset("piatnik")), setup=SimpleNamespace(draw="cup-r1-t1"))
    assert box_of(plan("game.rules = rummikub"), session)().name == "rummikub"
    assert box_of(plan("game.rules = gin"), session)().name == "piatnik"  # goes on though the settings changed
