"""What is said aloud."""

from match_driver import Game

from referee.devices.panel.lights import Lights
from referee.game.notice import Notice
from referee.i18n import Wording
from referee.table.output.audience import DisplayState, Spoken
from referee.table.session import Players


def test_what_is_told_in_one_turn_of_the_loop_is_one_utterance_in_the_players_language():
    said = []
    spoken = Spoken(said.append, Wording("de"))
    scene = DisplayState(Game().state, Lights(()), Players((), ()), frozenset(), 0.0)
    spoken.on_update(scene)
    spoken.on_notice(Notice("play.score", player="Ann", points=7))
    spoken.on_notice(Notice("play.score", player="Ben", points=-7))
    assert said == []
    spoken.on_update(scene)
    spoken.on_update(scene)
    assert len(said) == 1
    assert said[0].index("Ann") < said[0].index("Ben")
