"""Commands that are sent before the first state of the page has come: they wait for it."""

import pytest
from test_desk_page import Hall

HELD = """
const held = [], add = EventSource.prototype.addEventListener;
let free = false;
EventSource.prototype.addEventListener = function (name, run) {
  add.call(this, name, event => free ? run(event) : held.push(() => run(event)));
};
window.release = () => { free = true; held.splice(0).forEach(run => run()); };
"""
"""Holds back whatever the stream brings, until `release()`."""


@pytest.fixture
def hall(tmp_path):
    made = Hall(tmp_path)
    yield made
    made.close()


@pytest.fixture
def slow(screen):
    """A browser whose pages get no state before `release()` is called."""
    driver = screen.driver
    known = driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": HELD})
    yield screen
    driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", known)


def test_whoever_is_quicker_than_the_first_state_is_not_told_to_be_late(hall, slow):
    slow.open(hall.address + "/director?lang=en")
    slow.find("#clock-minutes").clear()
    slow.find("#clock-minutes").send_keys("30")
    slow.find("#clock-set button").click()
    slow.run("release()")
    slow.wait(lambda: slow.all("#clock-big")[0].is_displayed() or slow.all("#answer.refused"), "an answer")
    assert not slow.all("#answer.refused"), slow.text("#answer")
    slow.until("#clock-left", "30:00")


def test_a_command_fails_in_words_where_no_state_comes(hall, slow):
    slow.open(hall.address + "/director?lang=en")
    slow.find("#clock-set button").click()
    slow.until("#answer", slow.run("return document.getElementById('words').dataset.failed"))
    slow.run("release()")
    slow.until("#clock-none", "No time is set.")
