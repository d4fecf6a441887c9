"""What the director has typed or chosen, and not sent yet, is still there after the hall was started anew."""

import pytest
from guarded import ENDLESS
from hall_evening import hall_evening
from test_tournament_evening import Director

from referee.page.access import Policy
from referee.pages.hall.server import HallServer

pytestmark = pytest.mark.page
CHOOSE = """var s = document.getElementById('result-table'); s.value = '1.1';
s.dispatchEvent(new Event('input', {bubbles: true})); s.dispatchEvent(new Event('change', {bubbles: true}));"""


def starts_anew(evening):
    """Another server at the same address."""
    port = evening.server.port
    evening.server.close()
    evening.server = HallServer(
        "127.0.0.1", port, evening.reader, "en", Policy(local=False, limits=ENDLESS),
        tournaments=evening.keeper, desk=evening.desk,
    )  # fmt: skip
    evening.server.start()


def comes_again(evening, screen):
    """The hall is started anew, and the page has heard of it."""
    screen.wait(lambda: screen.run("return Object.keys(Referee.parts).length > 0"), "the state of the first hall")
    screen.run("window.asIs = true; var on = Referee.restarted;"
               "Referee.restarted = function () { window.heard = true; on(); };")  # fmt: skip
    starts_anew(evening)
    screen.wait(lambda: screen.run("return Boolean(window.heard) || !window.asIs"), "the page knows of the new hall")


def test_a_half_typed_slip_stays(tmp_path, screen):
    with hall_evening(tmp_path, 0) as evening:
        evening_with_a_round(evening, screen)
        screen.run(CHOOSE)
        screen.find("#result-points-0").send_keys("40")
        screen.find("#result-points-1").send_keys("-10")
        comes_again(evening, screen)
        typed = "return [0, 1].map(function (at) { return document.getElementById('result-points-' + at).value; })"
        assert screen.run(typed) == ["40", "-10"]
        assert screen.run("return document.getElementById('result-table').value") == "1.1"
        assert screen.run("return window.asIs")


@pytest.mark.parametrize("at", ["#enter-names", "#rule-why", "#open-name"])
def test_other_texts_stay(tmp_path, screen, at):
    with hall_evening(tmp_path, 0) as evening:
        if at == "#open-name":
            Director(evening, screen)
        else:
            evening_with_a_round(evening, screen)
        screen.run("[].forEach.call(document.querySelectorAll('details'), function (one) { one.open = true; });")
        screen.find(at).send_keys("Maria")
        comes_again(evening, screen)
        assert screen.run(f"return document.querySelector('{at}').value") == "Maria"


def test_an_announcement_stays(tmp_path, screen):
    with hall_evening(tmp_path, 0) as evening:
        Director(evening, screen)
        screen.open(f"{evening.address}/director?lang=en")
        screen.find("#text").send_keys("Coffee at four")
        comes_again(evening, screen)
        assert screen.run("return document.getElementById('text').value") == "Coffee at four"


def test_a_page_on_which_nothing_is_typed_is_loaded_anew(tmp_path, screen):
    with hall_evening(tmp_path, 0) as evening:
        Director(evening, screen)
        screen.find("#open-name").send_keys("Cup")
        screen.find("#open-name").clear()
        comes_again(evening, screen)
        screen.wait(lambda: not screen.run("return Boolean(window.asIs)"), "another page")


def evening_with_a_round(evening, screen):
    director = Director(evening, screen)
    director.opens(names="Anna\nBen\nClara\nDora")
    director.all_here()
    director.draws()
    director.press("#begin")
    director.press("#begin-yes")
    director.stage("playing")
    return director
