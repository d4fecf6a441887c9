"""A family's first evening: from the first page to the first turn of two named players, with its taps counted."""

import pytest
from page_process import ready_page

pytestmark = pytest.mark.page

MOST_TAPS = 12
STEPS = {
    "en": ("Camera and light", "Players", "Start", "Anna's turn"),
    "de": ("Kamera und Licht", "Spieler", "Start", "Anna ist am Zug"),
    "fr": ("Caméra et lumière", "Joueurs", "Départ", "Anna"),
    "it": ("Telecamera e luce", "Giocatori", "Via", "Tocca ad Anna"),
}
PRIMARY = "main .button.primary, main button.primary"


class Finger:
    """Taps on a phone, and counts them."""

    def __init__(self, screen):
        self.screen, self.taps = screen, 0

    def tap(self, selector):
        self.screen.find(selector).click()
        self.taps += 1

    def tap_next(self):
        """Tap the one button that is filled."""
        shown = [one for one in self.screen.all(PRIMARY) if one.is_displayed()]
        assert len(shown) == 1
        self.tap(PRIMARY)

    def enter(self, selector, text):
        self.tap(selector)
        self.screen.find(selector).send_keys(text)


@pytest.fixture
def table(tmp_path):
    """A table that nobody has set up: its camera and its markers are there, its buttons are those of the page."""
    with ready_page(tmp_path) as process:
        yield process


def step(screen, number, name):
    screen.wait(lambda: screen.text("h1").split("\n") == [str(number), name], f"step {number}")


@pytest.mark.parametrize("language", sorted(STEPS))
def test_it_takes_few_taps_from_the_first_page_to_the_first_turn(table, screen, language):
    camera, players, start, turn = STEPS[language]
    screen.resize(360, 640)
    screen.open(f"{table.url}/?lang={language}")
    finger = Finger(screen)
    finger.tap("#to-setup a")
    step(screen, 1, camera)
    screen.until("#remarks li.ok", "✓")
    assert screen.sideways() <= 0
    finger.tap_next()
    step(screen, 2, players)
    finger.enter("#player-0", "Anna")
    finger.enter("#player-1", "Ben")
    finger.tap_next()
    step(screen, 3, start)
    screen.until("#summary", "Anna, Ben")
    screen.find("#start:not([disabled])")
    finger.tap_next()
    screen.wait(lambda: screen.driver.current_url == f"{table.url}/panel", "the buttons")
    finger.tap("[data-button='button-1'].glow-blink")  # Anna begins
    screen.until("#live", turn)
    assert [one["name"] for one in table.parts["match"]["players"]] == ["Anna", "Ben"]
    assert finger.taps == 7 <= MOST_TAPS
    assert screen.complaints() == []


def test_on_the_second_evening_the_names_are_one_tap_away(table, screen):
    finger = Finger(screen)
    assert table.configure(game__players=["Anna", "Ben"], game__options=["starts=next"]) == (200, "")
    table.ready(2)
    assert table.post("begin") == (200, "")
    table.until(lambda parts: parts["match"]["phase"] == "turn")
    assert table.post("discard_match") == (200, "")
    table.ready(2)
    screen.resize(360, 640)
    screen.open(f"{table.url}/?lang=en")
    finger.tap("#to-setup a")
    step(screen, 3, "Start")
    finger.tap(".card a")
    step(screen, 2, "Players")
    assert not any(chip.is_displayed() for chip in screen.all(".chip"))  # both play already
    for field in ("#player-0", "#player-1"):
        screen.find(field).clear()
    finger.tap(".chip[data-name=Ben]")
    finger.tap(".chip[data-name=Anna]")
    finger.tap_next()
    step(screen, 3, "Start")
    screen.until("#summary", "Ben, Anna")
    assert screen.complaints() == []


def test_what_most_families_never_change_lies_behind_more_settings(table, screen):
    screen.open(f"{table.url}/setup?lang=en")
    screen.find("a[href='/setup/more']").click()
    links = [link.get_attribute("href").rpartition("/")[2] for link in screen.all(".ways a")]
    assert links == ["language", "table", "panel", "lens", "box", "extra"]
    for name in links:
        screen.find(f".ways a[href='/setup/{name}']").click()
        screen.wait(lambda name=name: screen.driver.current_url == f"{table.url}/setup/{name}", name)
        screen.find("a[href='/setup/more']").click()
    screen.find("a[href='/setup']").click()
    step(screen, 1, "Camera and light")
