"""Places, leader and the rules in brief, as the television tells them."""

import pytest
from match_driver import Game

from referee.devices.panel.lights import Glow, Lights
from referee.game.match.phases import Phase
from referee.game.rulebooks import RULESETS, ruleset
from referee.game.scoring import RoundScore, ScoreSheet
from referee.i18n import LANGUAGES, Wording
from referee.pages.table.parts import PARTS
from referee.pages.table.parts.brief import MOST, brief
from referee.table.output.audience import DisplayState
from referee.table.output.follower import Facts
from referee.table.session import Players

PLAYERS = Players(("Ann", "Ben", "Cleo"), (0, 1, 2))


def rendered(game, winners=(), joined=frozenset()):
    scene = DisplayState(game.state, Lights((Glow.ON,) * 3), PLAYERS, joined, 0.0)
    return PARTS["match"].render(Facts(scene=scene, winners=winners), Wording("en"))


def after(*rounds, rules="rummikub", phase=Phase.TURN):
    lines = tuple(RoundScore(None, (0, 0, 0), scores) for scores in rounds)
    game = Game(rules, players=3, rounds=5)
    return game.fields(sheet=ScoreSheet(("Ann", "Ben", "Cleo"), lines), phase=phase)


def places(match):
    return [player["place"] for player in match["players"]]


@pytest.mark.parametrize(
    ("rules", "rounds", "found", "leader"),
    [
        pytest.param("rummikub", [(10, -5, -5)], [1, 2, 2], "In the lead: Ann +10", id="highest wins"),
        pytest.param("piatnik", [(10, 1, 5)], [3, 1, 2], "In the lead: Ben +1", id="lowest wins"),
        pytest.param("rummikub", [(10, 10, -20)], [1, 1, 3], "In the lead: Ann and Ben +10", id="a shared lead"),
        pytest.param("rummikub", [(0, 0, 0)], [1, 1, 1], "", id="all equal"),
        pytest.param("rummikub", [], [1, 1, 1], "", id="the first round"),
    ],
)
def test_places_and_leader_follow_the_rule_book(rules, rounds, found, leader):
    match = rendered(after(*rounds, rules=rules))
    assert places(match) == found
    assert match["leader_text"] == leader


def test_how_many_share_the_lead_is_told_for_where_their_names_have_no_room():
    assert rendered(after((10, 10, -20)))["leaders_text"] == "2 players share the lead: +10"
    assert rendered(after((10, -5, -5)))["leaders_text"] == ""
    assert rendered(after((0, 0, 0)))["leaders_text"] == ""


def test_nobody_leads_once_the_match_is_over_but_somebody_has_won():
    match = rendered(after((10, -5, -5), phase=Phase.OVER), winners=(0, 2))
    assert match["leader_text"] == ""
    assert match["won_text"] == "Ann and Cleo win!"


def test_round_and_stock_stand_for_themselves():
    assert rendered(after())["facts"] == ["Round 1 of 5", "64 tiles in the stock"]
    assert rendered(after((1, 2, 3), phase=Phase.BETWEEN))["facts"] == ["Round 1 of 5"]


@pytest.mark.parametrize("name", RULESETS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_in_brief_are_three_to_five_short_lines(name, language):
    words = Wording(language)
    lines = [words(line) for line in brief(ruleset(name), 2)]
    assert 3 <= len(lines) <= MOST
    assert max(map(len, lines)) <= 50
    assert len(set(lines)) == len(lines)


def test_the_rules_in_brief_are_told_before_a_match_only():
    match = rendered(after(phase=Phase.LOBBY), joined=frozenset({0, 1}))
    assert match["brief"][:3] == ["14 tiles each", "First meld: at least 30 points", "1 minute per turn"]
    assert rendered(after())["brief"] == []


def test_the_deal_depends_on_who_has_joined():
    rules = next(rules for rules in RULESETS.values() if rules.deals)
    words = Wording("en")
    assert words(brief(rules, 2)[0]) != words(brief(rules, 4)[0])
    assert words(brief(rules, 0)[0]) == f"{rules.deal} tiles each"
