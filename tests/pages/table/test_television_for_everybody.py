"""The television and the overlay in every state: nothing keeps anybody from reading them, and nothing is cut off."""

import pytest
from page_states import STATES, arrived, in_state

SIZES = ((1280, 720), (1920, 1080))
SCHEMES = ("light", "dark")
CARDS = ".now, .beside, .seen, .lobby, .scoreboard, .players, [data-part]"
CUT_OFF = f"""
return [...document.querySelectorAll("{CARDS}")].filter(one => one.offsetHeight && (
  one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1 ||
  one.getBoundingClientRect().bottom > innerHeight + 1 || one.getBoundingClientRect().right > innerWidth + 1
)).map(one => one.id || one.className);
"""


@pytest.mark.parametrize("state", STATES)
def test_every_state_can_be_read_by_everybody(screen, state):
    with in_state(state) as table:
        for path in ("/display", "/overlay"):
            screen.open(f"{table.address}{path}?lang=de")
            arrived(screen)
            for size in SIZES:
                screen.resize(*size)
                screen.wait(lambda: screen.run(CUT_OFF) == [], f"room on {path} at {size}")
                assert screen.sideways() == 0
            assert screen.complaints() == []
            for scheme in SCHEMES:
                screen.prefers(scheme=scheme)
                assert screen.violations() == [], (path, scheme)
