"""In every state of a match, what the referee says and the table are seen without scrolling, on every screen."""

import pytest
from page_states import SIZES, STATES, arrived, in_state

UNSEEN = """
var tabs = document.querySelector(".tabs"), floor = innerHeight, wide = document.documentElement.clientWidth;
if (getComputedStyle(tabs).position === "sticky") { floor = tabs.getBoundingClientRect().top; }
function seen(one, least) {
  var box = one.getBoundingClientRect(), high = Math.min(box.bottom, floor) - Math.max(box.top, 0);
  return !box.height || box.left >= -0.5 && box.right <= wide + 0.5 && high >= Math.min(box.height, least) - 0.5;
}
return [].filter.call(document.querySelectorAll(
  "#live, #clock, #troubles, #verdict h2, #verdict .fault:first-of-type, #due h2, #due li, #question h2, " +
  "#question .sentence, #question .likely button, #wrong, #to-setup a, #next-match"
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


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("state", STATES)
def test_nothing_keeps_anybody_from_any_state(screen, state, scheme):
    screen.prefers(scheme=scheme)
    screen.resize(*SIZES["phone"])
    with in_state(state) as table:
        screen.open(f"{table.address}/?lang=en")
        arrived(screen)
        assert (screen.violations(), screen.complaints(), screen.small()) == ([], [], [])
