"""The players' step saves as it goes: a change is sent when its field is left, which then says so."""

import tomllib

import pytest
from page_process import ready_page
from selenium.webdriver.common.keys import Keys

pytestmark = pytest.mark.page


@pytest.fixture
def table(tmp_path):
    with ready_page(tmp_path, "panel.kind=console") as process:
        process.chosen = lambda: tomllib.loads((tmp_path / "state" / "page.toml").read_text(encoding="utf-8"))["game"]
        yield process


@pytest.fixture
def page(table, screen):
    screen.open(f"{table.url}/setup/game?lang=en")
    screen.wait(lambda: screen.run("return !!Referee.parts.setup"), "the stage")
    return screen


def saved(page, field):
    page.wait(lambda: page.run(f"return document.querySelector('{field}').closest('.field').innerText").count("Saved"))


def test_what_is_entered_is_saved_without_a_button(table, page):
    assert page.all("#settings button[type=submit]") == []
    page.find("#player-0").send_keys("Anna", Keys.TAB)
    page.until(".field", "At least 2 names")
    assert page.all(".field-error") == []
    page.find("#player-1").send_keys("Ben", Keys.ENTER)
    saved(page, "#player-1")
    table.ready(2)
    assert table.chosen() == {"players": ["Anna", "Ben"]}  # nothing else has been changed
    page.find("#house summary").click()
    page.find("#rummikub-minutes option[value='2']").click()
    saved(page, "#rummikub-minutes")
    page.find("#rounds").clear()
    page.find("#rounds").send_keys("5", Keys.TAB)
    saved(page, "#rounds")
    assert table.chosen() == {"players": ["Anna", "Ben"], "options": ["minutes=2"], "rounds": 5}
    assert page.run("return document.getElementById('saved').textContent") == "✓ Saved"  # for a screen reader
    assert (page.violations(), page.complaints()) == ([], [])


def test_that_the_coach_may_be_asked_is_agreed_with_one_tap_and_is_no_question_in_gin(table, page):
    page.find("#house summary").click()
    page.find("#coach").click()
    saved(page, "#coach")
    table.ready(2)
    assert table.chosen() == {"coach": True}
    assert page.find("#coach").get_attribute("aria-describedby") == "coach-hint"
    assert (page.violations(), page.complaints()) == ([], [])
    page.find("input[value=gin]").click()
    page.wait(lambda: not any(one.is_displayed() for one in page.all("#coach")), "no question")


def test_another_book_is_saved_with_its_own_house_rules(table, page):
    assert table.configure(game__players=["Anna", "Ben"], game__options=["minutes=2"]) == (200, "")
    table.ready(2)
    page.open(f"{table.url}/setup/game?lang=en")
    page.find("input[value=classic]").click()
    saved(page, "input[value=classic]")
    table.ready(3)
    assert table.chosen() == {"rules": "classic", "players": ["Anna", "Ben"], "options": []}
    page.find("#house summary").click()
    page.find("#classic-exchange")
    assert not any(one.is_displayed() for one in page.all("#rummikub-minutes"))


def test_why_it_cannot_be_saved_stands_beside_the_field_and_goes_once_it_is_put_right(table, page):
    page.find("#player-0").send_keys("Anna")
    page.find("#player-1").send_keys("Anna", Keys.TAB)
    page.until(".field-error", "Every player needs a name of their own.")
    field = page.find("#player-1")
    assert field.get_attribute("aria-invalid") == "true"
    assert field.get_attribute("aria-describedby") == page.find(".field-error").get_attribute("id")
    assert page.violations() == []
    page.find(".onward .primary").click()
    page.until(".field-error", "Every player needs a name of their own.")
    assert page.driver.current_url.startswith(f"{table.url}/setup/game")
    field.clear()
    field.send_keys("Ben", Keys.TAB)
    saved(page, "#player-1")
    assert page.all(".field-error") == []
    assert not field.get_attribute("aria-invalid")
    page.find(".onward .primary").click()
    page.until("#summary", "Anna, Ben")


def test_one_name_is_too_few_only_once_somebody_goes_on(table, page):
    page.find("#player-0").send_keys("Anna")
    page.find(".onward .primary").click()
    page.until(".field-error", "At least 2 names")
    page.find(".onward .primary").click()  # all the same
    page.wait(lambda: page.driver.current_url == f"{table.url}/setup/start", "the next step")


def test_a_name_that_is_added_after_a_refusal_is_saved_before_the_page_is_left(table, page):
    page.find("#player-0").send_keys("Anna")
    page.find(".onward .button").click()
    page.until(".field-error", "At least 2 names")
    page.find("#player-1").send_keys("Ben")
    page.find(".onward .button").click()
    page.wait(lambda: page.driver.current_url.endswith("/setup/start"), "the next step")
    assert table.chosen()["players"] == ["Anna", "Ben"]


def test_during_a_match_it_is_said_that_nothing_can_be_changed(table, page):
    assert table.configure(game__options=["starts=next"], game__players=["Anna", "Ben"]) == (200, "")
    table.ready(2)
    assert table.post("begin") == (200, "")
    table.until(lambda parts: parts["match"]["phase"] == "turn")
    page.open(f"{table.url}/setup/game?lang=en")
    page.find("#player-1").send_keys("jamin", Keys.TAB)
    page.until(".field-error", "That can only be changed before a match.")
    assert table.chosen()["players"] == ["Anna", "Ben"]


def test_extra_time_goes_with_its_player(table, page):
    assert table.configure(game__players=["Anna", "Ben"]) == (200, "")
    table.ready(2)
    page.open(f"{table.url}/setup/extra?lang=en")
    page.find("#handicap-1").clear()
    page.find("#handicap-1").send_keys("30", Keys.TAB)
    saved(page, "#handicap-1")
    assert table.chosen()["handicaps"] == [0, 30]
    table.ready(3)
    page.open(f"{table.url}/setup/game?lang=en")
    for number, name in enumerate(("Ben", "Cleo")):
        page.find(f"#player-{number}").clear()
        page.find(f"#player-{number}").send_keys(name)
    page.find(".onward .primary").click()
    page.until("#summary", "Ben, Cleo")
    assert table.chosen() == {"players": ["Ben", "Cleo"], "handicaps": [30, 0]}
