"""A match set up from the first page to its first turn, in a browser and in each language; a box enrolled by page."""

import cv2
import numpy as np
import pytest
from browser import browser
from page_process import PageProcess, ready_page, rendered, whole_box

pytestmark = pytest.mark.page

STEPS = (
    *("", "/camera", "/game", "/start"),
    *("/more", "/language", "/table", "/panel", "/lens", "/box", "/extra"),
)
FIRST = {
    "en": ("Camera", "Start the match", "'s turn"),
    "de": ("Kamera", "Partie beginnen", "ist am Zug"),
    "fr": ("Caméra", "Commencer la partie", "de jouer"),
    "it": ("Telecamera", "Inizia la partita", "Tocca a"),
}


GIN = ("game.rules=gin", 'game.players=["Ann","Ben"]')


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pictures")
    cv2.imwrite(str(folder / "0.png"), rendered())
    return folder


def fill(page, selector, text):
    field = page.find(selector)
    field.clear()
    field.send_keys(text)


def choose(page, selector, value):
    page.find(f"{selector} option[value='{value}']").click()


def applied(page):
    """Take the form over, and wait until the table stands."""
    page.find("#settings button[type=submit]").click()
    taken = page.run("return document.getElementById('answer').dataset.taken")
    page.until("#answer", taken.replace("\N{NO-BREAK SPACE}", " "))  # as a browser tells what is seen


@pytest.mark.parametrize("language", sorted(FIRST))
def test_a_match_is_set_up_from_the_first_page_to_its_first_turn(language, tmp_path, pictures):
    title, start, turn = FIRST[language]
    process = PageProcess(tmp_path / "state")  # a Pi's camera and a Pi's panel: here is neither
    try:
        with browser() as page:
            page.open(f"{process.url}/setup")
            page.until("#stage", "Still missing")
            page.find("a[href='/setup/more']").click()
            page.wait(lambda: page.run("return !!Referee.parts.setup && location.pathname === '/setup/more'"), "more")
            page.find("a[href='/setup/language']").click()  # the list no longer moves under the pointer
            page.find(f"button[data-language={language}]").click()
            page.wait(lambda: page.driver.current_url.endswith(f"/setup?lang={language}"), "the first step")
            assert page.run("return document.documentElement.lang") == language
            assert title in page.text("h1")
            page.open(f"{process.url}/setup/table")
            fill(page, "#width", "900")
            process.until(lambda parts: parts["setup"]["run"] >= 2)  # the width is saved as soon as it is typed
            page.open(f"{process.url}/setup/panel")
            choose(page, "#panel", "console")
            page.find("#settings button[type=submit]").click()
            process.until(lambda parts: parts["setup"]["run"] >= 3)
            page.open(f"{process.url}/setup/camera")
            choose(page, "#kind", "folder")
            fill(page, "#source", str(pictures))
            applied(page)
            page.find("#view img")
            page.wait(lambda: len(page.all("#markers li.seen")) == 4, "four markers")
            page.open(f"{process.url}/setup/game")
            page.find("input[value=classic]").click()
            for number, name in enumerate(("Zoë", "Søren", "Li")):
                fill(page, f"#player-{number}", name)
            page.find("#house summary").click()
            choose(page, "#classic-starts", "next")
            fill(page, "#rounds", "2")
            page.find(".onward .button").click()
            page.until("#summary", "Zoë, Søren, Li")
            assert page.text("#start") == start
            page.find("#start").click()
            page.until("#live", "Zoë")
            assert turn in page.text("#live")
            assert page.driver.current_url == f"{process.url}/"
            assert page.complaints() == []
    finally:
        process.close()


def test_what_is_missing_stands_on_every_page_and_leads_to_a_match_of_virtual_people(tmp_path):
    process = PageProcess(tmp_path / "state", arguments=("--speed", "20"))
    try:
        with browser() as page:
            for where in ("/display", "/panel", "/"):
                page.open(f"{process.url}{where}")
                page.until("#live", "Something is still missing")
                page.until("#troubles", "choose another camera")
            page.find("#to-setup a").click()
            page.until("#stage", "Still missing")
            page.open(f"{process.url}/setup/camera")
            choose(page, "#kind", "virtual")
            page.find(".onward .button").click()  # taken over on the way
            page.wait(lambda: page.driver.current_url.endswith("/setup/game"), "the next step")
            process.ready()
            page.open(f"{process.url}/setup/game")
            fill(page, "#player-0", "Ann")
            fill(page, "#player-1", "Ben")
            page.find(".onward .button").click()
            page.wait(lambda: page.driver.current_url.endswith("/setup/start"), "the start")
            page.until("#summary", "Ann, Ben")
            page.open(process.url)
            page.find("#to-setup a", lambda link: link.text == "Start the match").click()
            page.find("#start:not([disabled])").click()
            process.until(lambda parts: parts["match"]["phase"] == "turn")
            process.until(lambda parts: any("it is your turn" in one["text"] for one in parts["said"][-1:]) and len(
                [one for one in parts["said"] if "it is your turn" in one["text"]]) > 1)  # fmt: skip
            page.open(f"{process.url}/setup/camera")
            page.find("#another summary").click()
            choose(page, "#kind", "usb")
            page.find(".onward .button").click()
            page.until("#answer", "only be changed before a match")
            page.find(".onward .button").click()
            page.wait(lambda: page.driver.current_url.endswith("/setup/game"), "the next step all the same")
    finally:
        process.close()


def test_why_another_camera_does_not_answer_is_seen_by_whoever_applied_it_on_a_phone(tmp_path):
    process = PageProcess(tmp_path / "state")
    try:
        with browser() as page:
            page.resize(390, 844)
            page.open(f"{process.url}/setup/camera")
            choose(page, "#kind", "network")
            fill(page, "#source", "http://127.0.0.1:1/video")
            page.find("#settings button[type=submit]").click()
            page.wait(lambda: page.run("return Referee.parts.setup.run") >= 2, "the other camera")
            page.until("#missing", "The camera in your network")
            top = "return document.getElementById('stage').getBoundingClientRect().top >= 0"
            page.wait(lambda: page.run(top), "what is missing")
    finally:
        process.close()


@pytest.mark.parametrize("size", [(320, 640), (820, 1180), (1920, 1080)])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_step_fits_the_screen_and_is_for_everybody(size, scheme, steps):
    process, page = steps
    page.resize(*size)
    page.prefers(scheme=scheme)
    for step in STEPS:
        page.open(f"{process.url}/setup{step}")
        page.until("h1", "")
        page.wait(
            lambda: page.run("return !!Referee.parts.setup && Referee.parts.setup.stage === 'ready'"), "the stage"
        )
        assert page.sideways() <= 0, step
        low = page.run(
            "return [].filter.call(document.querySelectorAll('main a, main button, main select, main input'), "
            "function (one) { var box = (one.closest('label') || one).getBoundingClientRect(); "
            "return box.height > 0 && box.height < 43.5 && !one.closest('p > a, li > a:not(.steps a)'); })"
            ".map(function (one) { return one.outerHTML; })"
        )
        assert low == [], step
        assert page.complaints() == []


@pytest.fixture(scope="module")
def steps(tmp_path_factory):
    wifi = ("web.wifi_name=The house", "web.wifi_password=open;sesame")
    with ready_page(tmp_path_factory.mktemp("table"), "panel.kind=console", *wifi) as process, browser() as page:
        yield process, page


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(step, scheme, steps):
    process, page = steps
    page.prefers(scheme=scheme, motion="reduce")  # otherwise colours fade from one scheme to the other
    page.open(f"{process.url}/setup{step}")
    page.wait(lambda: page.run("return !!Referee.parts.setup"), "the stage")
    assert page.violations() == []


def state_of_box(page):
    script = "const box = Referee.parts.enrolment; return box && {busy: box.busy, pictures: box.pictures, "
    return page.run(script + "tiles: box.tiles.length, under: box.under_way}")


def step(page, name, holds):
    page.find(f"[data-enrol={name}]:not([disabled])").click()
    page.wait(lambda: (box := state_of_box(page)) and not box["busy"] and holds(box), f"the step {name}")


def name_tile(page, cell, name):
    """Tap a tile of the sheet, and choose what it is."""
    page.find(f"#{cell}").click()
    page.find(f"#which-every button:has([aria-label='{name}'])").click()
    page.wait(lambda: page.find(f"#{cell} .cell-name").text == name and not state_of_box(page)["busy"], "the name")


def test_a_box_is_enrolled_by_page_and_a_wrong_tile_put_right_with_one_tap(tmp_path):
    folder, state = tmp_path / "pictures", tmp_path / "state"
    with ready_page(tmp_path, "panel.kind=console", *GIN) as process, browser() as page:
        page.open(f"{process.url}/setup/box")
        step(page, "begin", lambda box: box["under"])
        step(page, "picture", lambda box: box["pictures"] == 0)  # an empty table
        page.until("#box-told", "I cannot see any tiles in it")
        for number, picture in enumerate(whole_box(), 1):
            cv2.imwrite(str(folder / f"{number}.png"), picture)
            step(page, "picture", lambda box, taken=number: box["pictures"] == taken)
        assert state_of_box(page)["tiles"] == len(page.all("#sheet-tiles .cell")) == 52
        step(page, "back", lambda box: box["pictures"] == 3 and box["tiles"] == 39)
        step(page, "picture", lambda box: box["pictures"] == 4)
        right = page.find("#cell-0-0 .cell-name").text
        wrong = next(one for one in ("black 9", "red 3") if one != right)
        name_tile(page, "cell-0-0", wrong)
        step(page, "learn", lambda box: box["under"])
        page.until("#box-told", right)  # is missing
        name_tile(page, "cell-0-0", right)
        step(page, "learn", lambda box: not box["under"])
        page.until("#box-told", "enrolled as gin")
        assert list((state / "boxes").iterdir())
        before = process.parts["enrolment"]["tiles"]
        page.find("#cell-1-1").click()
        again = page.find("#cell-1-1 .cell-name").text
        page.find(
            f"#which-every button:has([aria-label='{again}'])"
        ).click()  # learnt once more, though nothing was wrong
        page.wait(lambda: not state_of_box(page)["busy"] and not state_of_box(page)["under"], "the box")
        assert [one["tile"] for one in process.parts["enrolment"]["tiles"]] == [one["tile"] for one in before]
        assert page.complaints() == []


def hidden_at(picture, outline):
    """The picture with what lies within an outline, in parts of it, hidden: the table goes on there."""
    height, width = picture.shape[:2]
    quad = np.asarray(outline, np.float32) * (width, height)
    wider = np.asarray(quad.mean(axis=0) + 1.5 * (quad - quad.mean(axis=0)), np.int32)
    around = cv2.fillConvexPoly(np.zeros((height, width), np.uint8), wider, 255)
    return cv2.inpaint(picture, around, 5, cv2.INPAINT_TELEA)


def place_in_photo(page, x, y):
    """Tap a place of the picture, in parts of it."""
    from selenium.webdriver.common.action_chains import ActionChains

    photo = page.find("#photo").look()
    page.run("arguments[0].scrollIntoView({ block: 'center' })", photo)
    size = photo.size
    chain = ActionChains(page.driver)
    chain.move_to_element_with_offset(photo, round((x - 0.5) * size["width"]), round((y - 0.5) * size["height"]))
    chain.click().perform()


SPOT = """
var spot = document.querySelector("#photo .spot").getBoundingClientRect();
var photo = document.getElementById("photo").getBoundingClientRect();
var x = spot.left + spot.width / 2 - photo.left, y = spot.top + spot.height / 2 - photo.top;
return [x / photo.width, y / photo.height];
"""


def test_a_tile_that_nobody_has_seen_is_tapped_in_the_picture_and_the_box_is_learnt_with_it(tmp_path):
    from selenium.webdriver.common.keys import Keys

    folder, state = tmp_path / "pictures", tmp_path / "state"
    with ready_page(tmp_path, "panel.kind=console", *GIN) as process, browser() as page:
        page.resize(375, 812)
        page.open(f"{process.url}/setup/box?lang=en")
        step(page, "begin", lambda box: box["under"])
        assert not page.all("#photos")[0].is_displayed()
        for number, picture in enumerate(whole_box(), 1):
            cv2.imwrite(str(folder / f"{number}.png"), picture)
            step(page, "picture", lambda box, taken=number: box["pictures"] == taken)
        tile = next(one for one in process.parts["enrolment"]["tiles"] if one["batch"] == 3)
        name, (x, y) = tile["name"], np.mean(tile["outline"], axis=0)
        step(page, "back", lambda box: box["pictures"] == 3)
        cv2.imwrite(str(folder / "5.png"), hidden_at(picture, tile["outline"]))
        step(page, "picture", lambda box: box["pictures"] == 4)
        assert sum(not one["passed"] for one in process.parts["enrolment"]["tiles"]) == 51
        step(page, "learn", lambda box: box["under"])
        page.until("#box-told", f"Missing from the pictures: {name}")
        pressed = page.find("#photo-choice [aria-pressed=true]")
        assert pressed.text.endswith("Picture 4")  # the newest one
        page.wait(lambda: page.run("return document.querySelector('#photo img').naturalWidth > 0"), "the picture")
        assert len(page.all("#photo .outline")) == 12
        page.find("#photo-enlarge").click()
        page.find("#photo").send_keys(Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ENTER)
        page.until("#which", "Which tile is this?")
        page.find("#which-close").click()
        assert page.all("#photo .spot") == []
        page.find("#photo-enlarge").click()
        place_in_photo(page, x, y)
        page.until("#which", "Not found yet")
        assert page.run(SPOT) == pytest.approx([x, y], abs=0.01)
        assert [one.get_attribute("aria-label") for one in page.all("#which-likely button .tile")] == [name]
        assert name not in [one.get_attribute("aria-label") for one in page.all("#which-every button .tile")]
        assert (page.sideways(), page.violations(), page.complaints()) == (0, [], [])
        page.find(f"#which-likely button:has([aria-label='{name}'])").click()
        page.wait(lambda: state_of_box(page)["tiles"] == 52 and not state_of_box(page)["busy"], "one more tile")
        page.until("#box-told", f"Picture 4: the {name} has been added; all 52 tiles have been shown.")
        assert page.find("#cell-3-12 .cell-name").text == name
        step(page, "learn", lambda box: not box["under"])
        page.until("#box-told", "enrolled as gin")
        assert list((state / "boxes").iterdir())
        assert not page.all("#photos")[0].is_displayed()


def test_what_is_good_about_the_camera_is_folded_away_until_it_is_wanted(steps):
    process, page = steps
    page.open(f"{process.url}/setup/camera?lang=en")
    page.until("#remarks", "Everything is fine.")
    folded = page.find("#remarks summary", lambda summary: summary.text.startswith("Good ("))
    assert not any(one.is_displayed() for one in page.all("#remarks details li"))
    folded.click()
    page.until("#remarks details", "All four markers can be seen")
