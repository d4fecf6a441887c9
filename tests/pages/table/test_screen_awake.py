"""The screen stays on while a match runs where a browser allows that; elsewhere the page says that it will not."""

import pytest
from page import served
from page_loop import playing

from referee.game.match.phases import Phase

LOCKS = """
window.locks = { held: 0, asked: 0 };
Object.defineProperty(navigator, "wakeLock", { configurable: true, value: { request: function (kind) {
  var ended = [], lock = { kind: kind, addEventListener: function (_, run) { ended.push(run); }, release: function () {
    window.locks.held -= 1;
    ended.forEach(function (run) { run(); });
  } };
  window.locks.asked += 1;
  if (window.refuses) { return Promise.reject(new Error("battery")); }
  window.locks.held += 1;
  window.given = lock;
  return Promise.resolve(lock);
} } });
"""
"""A browser that counts the locks it gives; a real one without a screen may give none."""
NO_LOCKS = 'Object.defineProperty(navigator, "wakeLock", { configurable: true, value: undefined });'
"""As in a browser that came over plain HTTP."""
HELD = "return window.locks.held"


@pytest.fixture
def before_scripts(screen):
    """Give every page a script that runs before its own."""
    given = []

    def give(script):
        command = "Page.addScriptToEvaluateOnNewDocument"
        given.append(screen.driver.execute_cdp_cmd(command, {"source": script})["identifier"])

    yield give
    for one in given:
        screen.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": one})


@pytest.fixture
def table():
    with served() as made:
        yield made


def in_phase(table, screen, path, phase):
    table.game.fields(phase=phase)
    table.follow()
    screen.open(f"{table.address}{path}")
    screen.wait(
        lambda: screen.run("return Referee.parts.match && Referee.parts.match.phase") == phase.value, phase.value
    )


@pytest.mark.parametrize("path", ["/", "/display"])
def test_the_screen_is_kept_on_while_a_match_runs_and_no_longer(table, screen, before_scripts, path):
    before_scripts(LOCKS)
    in_phase(table, screen, path, Phase.LOBBY)
    screen.wait(lambda: screen.run(HELD) == 0, "no lock")
    table.game.fields(phase=Phase.TURN)
    table.follow()
    screen.wait(lambda: screen.run(HELD) == 1, "one lock")
    table.press()
    table.see("R10 R11 R12")
    screen.wait(lambda: screen.run("return !!Referee.parts.verdict"), "the verdict")
    assert screen.run(HELD) == 1
    table.game.fields(phase=Phase.OVER)
    table.follow()
    screen.wait(lambda: screen.run(HELD) == 0, "no lock")
    assert screen.complaints() == []


def test_a_panel_is_kept_on_before_a_match_as_well(table, screen, before_scripts):
    before_scripts(LOCKS)
    in_phase(table, screen, "/panel", Phase.LOBBY)
    screen.wait(lambda: screen.run(HELD) == 1, "one lock")
    table.game.fields(phase=Phase.OVER)
    table.follow()
    screen.wait(lambda: screen.run(HELD) == 0, "no lock")


def test_a_lock_that_the_browser_took_back_is_asked_for_again_once_the_page_is_seen(table, screen, before_scripts):
    before_scripts(LOCKS)
    screen.open(table.address)
    screen.wait(lambda: screen.run(HELD) == 1, "one lock")
    screen.run("window.given.release()")
    screen.run("document.dispatchEvent(new Event('visibilitychange'))")
    screen.wait(lambda: screen.run(HELD) == 1, "another one")


def test_a_refusal_changes_nothing_else(table, screen, before_scripts):
    before_scripts(LOCKS + "window.refuses = true;")
    screen.open(table.address)
    screen.wait(lambda: screen.run("return window.locks.asked") == 1, "the question")
    screen.until("#live", "Ann")
    assert screen.complaints() == []


def test_where_the_screen_is_kept_on_the_page_says_so(table, screen, before_scripts):
    before_scripts(LOCKS)
    screen.open(f"{table.address}/more?lang=en")
    screen.until("#awake-yes", "stays on")
    assert not screen.all("#awake-no")[0].is_displayed()


def test_where_it_is_not_the_page_says_so_and_where_a_longer_time_is_set(table, screen, before_scripts):
    before_scripts(NO_LOCKS)
    screen.open(f"{table.address}/more?lang=en")
    screen.until("#awake-no", "goes dark by itself")
    screen.until("#awake-no", "Screen timeout")
    assert not screen.all("#awake-yes")[0].is_displayed()
    assert (screen.violations(), screen.complaints(), screen.sideways()) == ([], [], 0)


def test_a_phone_that_is_a_button_says_that_it_goes_dark_and_leads_to_what_helps(screen, before_scripts):
    before_scripts(NO_LOCKS)
    with playing() as made:
        screen.resize(360, 640)
        screen.open(f"{made.address}/panel?lang=en")
        screen.find("#sleeps a")
        assert (screen.small(), screen.sideways(), screen.violations()) == ([], 0, [])
        screen.find("#sleeps a").click()
        screen.until("#awake h2", "Does the screen stay on?")
        assert screen.run("return location.hash") == "#awake"
