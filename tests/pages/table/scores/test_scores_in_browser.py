"""Score sheets in a real browser: corrected with the form, seen again with arrow keys, printed."""

import pytest
from browser import SIZES
from kept_matches import one_under_way, page, table, two_matches

from referee.i18n import LANGUAGES
from referee.journal.opening import FILE
from referee.journal.scores import read_scores

PAGES = ["/scores", "/scores/2", "/scores/2/replay?turn=2", "/scores/2/correct/1", "/scores/99"]


@pytest.fixture
def there(tmp_path):
    with page(two_matches(tmp_path / "state")) as served:
        yield served


def test_a_round_is_corrected_with_the_form(tmp_path, screen):
    folder = one_under_way(tmp_path / "state")
    with table(folder) as there:
        screen.open(f"{there.page.address}/scores/2")
        screen.find("a[href$='/correct/1']").click()
        screen.until("h1", "Correct round 1 of match 2")
        field = screen.find("#points-1")
        field.clear()
        field.send_keys("95")
        screen.find("#write").click()
        assert "/correct/1" in screen.driver.current_url  # who and why are missing
        screen.find("#who").send_keys("Eve")
        screen.find("#why").send_keys("a joker was counted twice")
        screen.find("#write").click()
        screen.until("main", "Corrected by Eve. Reason: a joker was counted twice")
        assert there.state.sheet.totals == (95, -95)
        assert screen.complaints() == []
    assert read_scores(folder / FILE)[1].sheet.totals == (95, -95)


def test_what_cannot_be_is_told_beside_the_form_and_can_be_set_right(tmp_path, screen):
    with table(one_under_way(tmp_path / "state")) as there:
        screen.open(f"{there.page.address}/scores/1/correct/1")
        screen.find("#points-0").send_keys("5")
        screen.find("#who").send_keys("Eve")
        screen.find("#why").send_keys("counted anew")
        screen.find("#write").click()
        screen.until("#problem", "The winner cannot have points left in hand")
        field = screen.find("#points-0")
        field.clear()
        field.send_keys("0")
        field = screen.find("#points-1")
        field.clear()
        field.send_keys("95")
        screen.find("#write").click()
        screen.until("main", "Corrected by Eve")


def test_arrow_keys_lead_through_a_replay(there, screen):
    screen.open(f"{there.address}/scores/2/replay")
    screen.until(".where", "Turn 1 of 4")
    for key, turn in [("\ue014", 2), ("\ue014", 3), ("\ue012", 2)]:
        screen.find("body").send_keys(key)
        screen.until(".where", f"Turn {turn} of 4")
    screen.find("a[rel=next]").click()
    screen.until(".where", "Turn 3 of 4")
    assert screen.complaints() == []


def test_on_paper_there_is_no_navigation(there, screen):
    screen.open(f"{there.address}/scores/2")
    screen.until("h1", "Match 2")
    shown = [".top", ".files", "a[href$='/correct/1']"]
    assert all(screen.all(one)[0].is_displayed() for one in shown)
    screen.prefers(media="print")
    assert not any(screen.all(one)[0].is_displayed() for one in shown)
    assert screen.all("svg.chart")[0].is_displayed()
    assert screen.all("table")[0].is_displayed()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_keeps_anybody_from_using_them(there, screen, language, scheme):
    screen.prefers(scheme=scheme)
    for path in PAGES:
        screen.open(f"{there.address}{path}{'&' if '?' in path else '?'}lang={language}")
        screen.find("h1")
        assert screen.violations() == [], path


@pytest.mark.parametrize("size", SIZES)
def test_they_fit_every_screen(there, screen, size):
    screen.resize(*SIZES[size])
    for path in PAGES:
        screen.open(f"{there.address}{path}")
        screen.find("h1")
        assert screen.sideways() == 0, path


def test_without_a_script_the_replay_is_turned_with_links(there, screen):
    screen.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        screen.open(f"{there.address}/scores/2/replay")
        screen.all("a[rel=next]")[0].click()
        screen.wait(lambda: "Turn 2 of 4" in screen.driver.page_source, "the next turn")
    finally:
        screen.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
