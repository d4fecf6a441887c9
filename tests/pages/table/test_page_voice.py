"""What the browser's own voice speaks: short forms, by level, and the countdown of the clock.

That voice is the edge: what it is asked to say is kept instead.
"""

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


def texts(screen):
    return [one[1] for one in spoken(screen) if one != "cancel"]


def choose(screen, level):
    screen.run(
        f"const choice = document.getElementById('voice-level'); choice.value = '{level}';"
        "choice.dispatchEvent(new Event('change'))"
    )


def pass_mark(screen, mark):
    screen.run(f"document.dispatchEvent(new CustomEvent('clockmark', {{detail: {mark}}}))")


@pytest.mark.parametrize("path", ["/", "/display"])
def test_short_forms_are_spoken_and_the_first_of_several_faults(table, ear, path):
    ear.open(table.address + path)
    ear.until("#live", "Ann's turn")
    ear.find("#voice").click()
    table.press()
    table.see("R10 R11 R12 | B10 B11 K12 | K1 K3 O5")
    ear.wait(lambda: any("Refused" in text for text in texts(ear)), "the verdict")
    said = next(text for text in texts(ear) if "Refused" in text)
    assert said.startswith("Refused: not a set. Put it right and press. And ")
    assert said.count("Refused") == 1


def test_the_level_decides_what_is_spoken_and_is_remembered(table, ear):
    ear.open(table.address)
    ear.until("#live", "Ann's turn")
    ear.find("#voice").click()
    choose(ear, "verdicts")
    table.say(Notice("play.looking"))
    table.say(Notice("play.accepted_points", points=7))
    ear.wait(lambda: "Accepted, 7 points." in texts(ear), "the verdict")
    assert not any("looking" in text for text in texts(ear))
    pass_mark(ear, 30)
    assert "30 seconds." not in texts(ear)
    ear.open(table.address)
    ear.until("#live", "Ann's turn")
    assert ear.run("return document.getElementById('voice-level').value") == "verdicts"
    choose(ear, "everything")


def test_the_clock_is_counted_down_at_its_own_marks(table, ear):
    ear.open(table.address)
    ear.until("#live", "Ann's turn")
    ear.find("#voice").click()
    choose(ear, "clock")
    for mark in (30, 10, 6, 5):
        pass_mark(ear, mark)
    table.say(Notice("play.accepted_points", points=7))
    table.say(Notice("match.time_up", player="Ann"))
    ear.wait(lambda: "Time is up, Ann." in texts(ear), "the end of the time")
    assert texts(ear)[1:] == ["30 seconds.", "10 seconds.", "6", "5", "Time is up, Ann."]
    choose(ear, "everything")


def test_the_clock_of_a_turn_says_its_mark_by_itself(table, ear):
    ear.open(table.address)
    ear.until("#live", "Ann's turn")
    ear.find("#voice").click()
    # The server's clock is moved on to just before the mark, as if the turn had gone on until then.
    ear.run("const left = Referee.parts.clock.ends_at - Referee.clock(), clock = Referee.clock;"
            "Referee.clock = () => clock() + left - 30.5")  # fmt: skip
    ear.wait(lambda: "30 seconds." in texts(ear), "the mark")


def test_at_the_level_silent_nothing_is_spoken(table, ear):
    ear.open(table.address)
    ear.until("#live", "Ann's turn")
    choose(ear, "silent")
    ear.find("#voice").click()
    table.say(Notice("play.looking"))
    table.say(Notice("play.paused"))
    ear.until("#said", "paused")
    pass_mark(ear, 30)
    assert texts(ear) == []
    choose(ear, "everything")
