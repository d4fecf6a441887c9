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


BUILDING = """
const real = window.fetch;
let times = arguments[0];
window.fetch = (address, post) => {
  if (address !== "/api/command" || !post.body.includes('"configure"') || !times) { return real(address, post); }
  times -= 1;
  return Promise.resolve(new Response(JSON.stringify({told: "not ready"}), {status: 503}));
};
"""
"""The page is answered that many times as while a slow camera is being opened."""


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


def test_what_was_typed_last_is_saved_although_the_page_is_left_at_once(table, page):
    page.find("#player-0").send_keys("Anna", Keys.TAB)
    page.run("document.getElementById('player-1').value = 'Ben'; location.href = '/help?lang=en';")
    table.ready(2)
    assert table.chosen() == {"players": ["Anna", "Ben"]}


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
    assert page.find(".field-error").get_attribute("id") in field.get_attribute("aria-describedby").split()
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


def test_a_name_that_is_entered_while_the_table_is_being_built_is_saved_once_it_stands(table, page):
    page.run(BUILDING, 3)
    page.find("#player-0").send_keys("Anna")
    page.find("#player-1").send_keys("Ben")
    page.find(".onward .primary").click()
    page.until("#summary", "Anna, Ben")
    assert table.chosen()["players"] == ["Anna", "Ben"]


def test_whoever_goes_on_is_led_to_the_field_that_keeps_them_from_it(page):
    page.resize(390, 844)
    page.find("#player-0").send_keys("Anna")
    page.find(".onward .primary").click()
    page.until(".field-error", "At least 2 names")
    assert page.run("return document.activeElement.id") == "player-0"
    top, bottom = page.run("const at = document.querySelector('.field-error').getBoundingClientRect();"
                           "return [at.top, at.bottom];")  # fmt: skip
    assert 0 <= top < bottom < page.run("return document.querySelector('.tabs').getBoundingClientRect().top")


FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
ENTER = """
const field = document.querySelector(arguments[0]);
field.value = arguments[1];
field.dispatchEvent(new Event("input", {bubbles: true}));
field.dispatchEvent(new Event("change", {bubbles: true}));
"""


def test_an_emoji_of_several_characters_is_part_of_a_name(table, page):
    page.run(ENTER, "#player-0", f"Anna {FAMILY}")
    page.run(ENTER, "#player-1", "\u202eBen\u200b")
    saved(page, "#player-1")
    assert table.chosen() == {"players": [f"Anna {FAMILY}", "Ben"]}


def test_how_many_letters_are_left_stands_at_the_field_and_a_name_that_is_too_long_is_not_cut(table, page):
    page.run(ENTER, "#player-1", "Ben")
    page.run(ENTER, "#player-0", "x" * 31)
    saved(page, "#player-0")
    assert not page.all("#left-0")[0].is_displayed()
    page.run(ENTER, "#player-0", "x" * 37 + FAMILY)
    page.until("#left-0", "Characters left: 2")
    page.wait(lambda: table.chosen()["players"][0].endswith(FAMILY), "that name")
    page.find("#player-0").send_keys("yzw", Keys.TAB)
    page.until("#left-0", "Characters left: \u22121")
    page.until(".field-error", "A name may have at most 40 characters.")
    assert page.find("#player-0").get_attribute("value") == "x" * 37 + FAMILY + "yzw"
    assert (page.violations(), page.complaints()) == ([], [])
    assert table.chosen() == {"players": ["x" * 37 + FAMILY, "Ben"]}
    page.run(ENTER, "#player-0", "Anna")
    saved(page, "#player-0")
    assert page.all(".field-error") == []


def test_a_name_that_is_too_long_is_refused_in_the_players_own_language(table):
    status, told = table.configure(game__players=["x" * 41, "Ben"])
    assert (status, told) == (409, "A name may have at most 40 characters.")
    assert table.configure(game__players=["x" * 40, "Ben"])[0] == 200
