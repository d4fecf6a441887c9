"""Verdicts spoken by the browser's own voice. That voice is the edge: what it is asked to say is kept instead."""

import pytest
from page import served

from referee.game.notice import Notice

KEPT = """
window.spoken = [];
Object.defineProperty(window, "speechSynthesis", {value: {
  speak: said => window.spoken.push([said.lang, said.text]), cancel: () => window.spoken.push("cancel")}});
"""


@pytest.fixture
def table():
    with served() as made:
        yield made


@pytest.fixture
def ear(screen):
    added = screen.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": KEPT})
    yield screen
    screen.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


def spoken(screen):
    return screen.run("return window.spoken")


@pytest.mark.parametrize("path", ["/", "/display"])
def test_nothing_is_spoken_before_somebody_wants_it(table, ear, path):
    ear.open(table.address + path)
    ear.until("#live", "Ann's turn")
    table.press()
    ear.until("#live", "looking")
    assert spoken(ear) == []


@pytest.mark.parametrize("path", ["/?lang=de", "/display?lang=de"])
def test_a_verdict_is_spoken_in_the_pages_language_instead_of_what_is_older(table, ear, path):
    ear.open(table.address + path)
    ear.until("#live", "Ann ist am Zug")
    ear.find("#voice").click()
    ear.wait(lambda: len(spoken(ear)) == 2, "an answer to the touch")
    table.press()
    table.see("R10 R11 R12 | B10 B11 K12")
    ear.wait(lambda: any("keine Kombination" in one[1] for one in spoken(ear) if one != "cancel"), "the verdict")
    every = spoken(ear)
    assert every[-1][0] == "de"
    assert all(before == "cancel" for before in every[::2])
    ear.find("#voice").click()
    table.say(Notice("play.looking"))
    ear.wait(lambda: spoken(ear)[-1] == "cancel", "silence")


def test_what_was_said_before_is_not_said_again(table, ear):
    table.say(Notice("play.paused"))
    ear.open(table.address)
    ear.until("#live", "Ann's turn")
    ear.find("#voice").click()
    table.say(Notice("play.looking"))
    ear.wait(lambda: any("looking" in one[1] for one in spoken(ear) if one != "cancel"), "the sentence")
    assert not any("paused" in one[1] for one in spoken(ear) if one != "cancel")
