"""In every state of a match, what the referee says and the table are seen without scrolling, on every screen."""

import pytest
from page_states import SIZES, STATES, arrived, in_state

LANDSCAPE = [name for name in SIZES if name.endswith("landscape")]
UNSEEN = """
var tabs = document.querySelector(".tabs"), floor = innerHeight, wide = document.documentElement.clientWidth;
if (getComputedStyle(tabs).position === "sticky") { floor = tabs.getBoundingClientRect().top; }
function seen(one, least) {
  var box = one.getBoundingClientRect(), high = Math.min(box.bottom, floor) - Math.max(box.top, 0);
  return !box.height || box.left >= -0.5 && box.right <= wide + 0.5 && high >= Math.min(box.height, least) - 0.5;
}
return [].filter.call(document.querySelectorAll(
  "#live, #clock, #troubles, #verdict h2, #verdict .fault:first-of-type, #due h2, #due li, #question h2, " +
  "#question .sentence, #question .likely button, #wrong, #to-setup a, #next-match, #go-on, #paused a, #paused-cut"
), function (one) { return !seen(one, Infinity); }).concat([].filter.call(
  document.querySelectorAll("#frame"), function (one) { return !seen(one, 130); }
)).map(function (one) { return one.id || one.className || one.textContent; });
"""
"""What is not wholly seen; of the picture, of which less than 130 pixels are seen."""


@pytest.mark.parametrize("state", STATES)
def test_the_table_and_what_is_said_of_it_are_seen_without_scrolling(screen, state):
    with in_state(state) as table:
        for size in SIZES:
            screen.resize(*SIZES[size])
            screen.open(f"{table.address}/?lang=en")
            arrived(screen)
            screen.wait(lambda: screen.run(UNSEEN) == [], f"all in sight, {size}: {screen.run(UNSEEN)}")
            assert screen.sideways() == 0, size


PICTURE_SHARE = """
var box = document.getElementById("frame").getBoundingClientRect();
return [box.width / innerWidth, box.height / innerHeight];
"""


@pytest.mark.parametrize("size", LANDSCAPE)
@pytest.mark.parametrize("state", ["asking", "full-table", "paused", "putting-right", "refused", "refused-for-much"])
def test_on_a_phone_on_its_side_the_picture_has_the_larger_part(screen, state, size):
    screen.resize(*SIZES[size])
    with in_state(state) as table:
        screen.open(f"{table.address}/?lang=de")
        arrived(screen)
        width, height = screen.run(PICTURE_SHARE)
        assert width > 0.5, width
        assert height > 0.6, height


BESIDE_THE_BUTTONS = """
return [].filter.call(document.querySelectorAll(
  ".tabs a, #live, #clock, #due h2, #due li, #last-said, #to-table a, .pad"
), function (one) {
  var box = one.getBoundingClientRect();
  return box.height && (box.top < 0 || box.bottom > innerHeight + 0.5);
}).map(function (one) { return one.id || one.textContent; });
"""
"""What of the buttons, of what is said beside them and of the way to the other pages is not wholly seen."""


@pytest.mark.parametrize("size", LANDSCAPE)
@pytest.mark.parametrize("state", ["first-turn", "refused", "putting-right", "paused", "between", "over"])
def test_on_a_phone_on_its_side_the_buttons_and_the_way_to_other_pages_are_seen(screen, state, size):
    screen.resize(*SIZES[size])
    with in_state(state) as table:
        screen.open(f"{table.address}/panel?lang=de")
        arrived(screen)
        screen.wait(lambda: screen.run(BESIDE_THE_BUTTONS) == [], f"all in sight: {screen.run(BESIDE_THE_BUTTONS)}")
        assert screen.sideways() == 0


@pytest.mark.parametrize("size", LANDSCAPE)
@pytest.mark.parametrize("state", ["asking", "refused-for-much", "paused"])
def test_nothing_keeps_anybody_from_a_page_on_its_side(screen, state, size):
    screen.resize(*SIZES[size])
    with in_state(state) as table:
        for page in ("/", "/panel"):
            screen.open(f"{table.address}{page}?lang=fr")
            arrived(screen)
            assert (screen.violations(), screen.complaints(), screen.small()) == ([], [], []), page


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("state", STATES)
def test_nothing_keeps_anybody_from_any_state(screen, state, scheme):
    screen.prefers(scheme=scheme)
    screen.resize(*SIZES["phone"])
    with in_state(state) as table:
        screen.open(f"{table.address}/?lang=en")
        arrived(screen)
        assert (screen.violations(), screen.complaints(), screen.small()) == ([], [], [])
