"""After a match: the way to the next one on the page, for a machine without a start button, and the set-up again."""

import pytest
from page_loop import playing

from referee.devices.wiring.pins import PinMap
from referee.game.match.phases import Phase
from referee.game.notation import parse_table

OUT = parse_table("R1 R2 R3 R4 R5 R6 R7 | B1 B2 B3 B4 B5 B6 B7")
HAND = parse_table("R8 R9 R10 R11 R12 R13 B8 B9 B10 B11 B12 B13 R1 B1")


@pytest.fixture
def over():
    """A match that Anna has won, on a machine whose start button nobody can reach."""
    with playing(pins=PinMap(kind="console"), touched=False, chosen={"game.players": ("Anna", "Ben")}) as table:
        table.press("button-pause")
        table.until(lambda: table.state.phase is Phase.TURN, "the first turn")
        table.sight.table = OUT
        table.press("button-1")
        table.until(lambda: table.state.phase is Phase.SHOWING, "a hand to be shown")
        table.sight.table = (*OUT, *HAND)
        table.press("button-2")
        table.until(lambda: table.state.phase is Phase.OVER, "the end")
        yield table


def test_the_page_leads_from_the_end_of_a_match_to_the_next_one(over, screen):
    screen.open(f"{over.address}/?lang=en")
    button = screen.find("#next-match", lambda button: button.text == "Next match")
    assert not any(link.is_displayed() for link in screen.all("#to-setup"))
    assert screen.violations() == []
    button.click()
    over.until(lambda: over.state.phase is Phase.LOBBY, "the next match")
    screen.find("#to-setup a", lambda link: link.text == "Start the match").click()
    screen.find("#start:not([disabled])").click()
    over.until(lambda: over.state.phase is Phase.TURN, "its first turn")
    assert screen.complaints() == []


def test_the_set_up_works_again_once_a_match_is_over(over, screen):
    screen.open(f"{over.address}/setup/panel?lang=en")
    screen.until("#match", "The match is over")
    assert screen.violations() == []
    screen.find("#test-begin").click()
    screen.until("#test-parts", "Press")
    assert over.state.phase is Phase.LOBBY
    assert not any(button.is_displayed() for button in screen.all("#next-match"))


def test_on_a_set_up_page_the_next_match_comes_with_a_press(over, screen):
    screen.open(f"{over.address}/setup/start?lang=en")
    next_match = screen.find("#next-match")
    assert not screen.all("#start")[0].is_displayed()
    next_match.click()
    screen.find("#start:not([disabled])")
    assert over.state.phase is Phase.LOBBY


def test_a_match_under_way_is_not_put_away(over):
    stream = over.stream()
    stream.next()
    assert over.post(command="next_match", n=stream.n) == (200, {"done": True})
    over.until(lambda: over.state.phase is Phase.LOBBY, "the next match")
    before = stream.n
    while stream.n == before:  # until the page has learnt of it, too
        stream.next()
    status, told = over.post(command="next_match", n=before)
    assert (status, "too late" in told["told"]) == (409, True), told
    stream.close()
    again = over.stream()
    again.next()
    assert over.post(command="next_match", n=again.n)[0] == 409
    again.close()
