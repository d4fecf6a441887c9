"""Every state of the table's pages, and a command that writes a screenshot of each: `make screenshots OUT=FOLDER`.

Each state is a match that was played to that point, so what a page shows of it is what players would see.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from browser import Browser, browser
from page import Served, looked_at, served

from referee.devices.panel.lights import Glow
from referee.game.match.events import MatchOver, Paused, TimeUp
from referee.game.match.machine import new_match
from referee.game.match.phases import Phase
from referee.game.notation import parse_table
from referee.game.notice import Notice
from referee.table.output.audience import Choosing, Way
from referee.table.preparation.values import SetUp
from referee.vision.asked import asked_about

SIZES = {"phone-small": (360, 640), "phone": (390, 844), "tablet": (820, 1180), "television": (1920, 1080)}
PAGES = {"table": "/", "panel": "/panel", "display": "/display"}
OPENING = "R10 R11 R12 | B10 B11 B12"
WRONG = "R10 R11 K12 | B10 B11 K13 | O1 O2 O4 | K3 K4 K6"
FULL = (
    "R10 R11 R12 R13 | B10 B11 B12 | K4 B4 R4 | O6 O7 O8 O9 | B1 B2 B3 B4 B5 | K10 O10 R10 | O1 O2 O3 | K6 K7 ** K9 | "
    "R1 R2 R3 R4 R5 R6 R7 R8 R9 | B5 B6 B7 B8 B9 B10 B11 B12 B13 | K1 K2 K3 K4 K5 K6 | O10 O11 O12 O13 | R7 B7 K7 | "
    "O4 O5 O6 O7 O8 | K11 K12 K13 | K8 O8 R8 | R12 K12 O12 | R13 K13 O13 | B1 K1 O1 | R2 B2 K2 O2 | R6 B6 **"
)


def starting(table: Served) -> None:
    table.follower.sets_up(SetUp(values={}, buttons=4), (900.0, 600.0))


def lobby(table: Served) -> None:
    scene = replace(table.follower.facts.scene, state=new_match(table.game.state.rules))
    table.follower.on_update(scene)


def choosing(table: Served) -> None:
    lobby(table)
    scene = table.follower.facts.scene
    table.follower.on_update(replace(scene, choosing=Choosing(Way.PRESS, {0: Glow.BLINK, 1: Glow.BLINK})))


def first_turn(table: Served) -> None:
    table.follow()


def looking(table: Served) -> None:
    table.press()


def accepted(table: Served) -> None:
    table.press()
    table.see(OPENING)


def second_accepted(table: Served) -> None:
    accepted(table)
    table.press()
    table.see(f"{OPENING} | K10 K11 K12")


def full_table(table: Served) -> None:
    table.game.opened().fields(table=parse_table(FULL))
    table.follow(looked_at(FULL))


def asking(table: Served) -> None:
    table.press()
    look = looked_at(OPENING)
    reads = tuple(
        replace(read, confidence=0.6, doubtful=True, alternatives=(("red-2", 0.3),)) if read.name == "red-12" else read
        for read in look.sighting.reads
    )
    look = replace(look, sighting=replace(look.sighting, reads=reads))
    table.see(OPENING, tuple(asked_about(look.sighting)), look)


def refused(table: Served) -> None:
    table.press()
    table.see("R10 R11 K12 | B10 B11 B12")


def refused_for_much(table: Served) -> None:
    table.game.opened().fields(table=parse_table(OPENING))
    table.press()
    table.see(WRONG)


def putting_right(table: Served) -> None:
    table.game.opened().fields(table=parse_table(OPENING))
    table.game.t = table.game.state.clock.deadline
    table.game.do(TimeUp(table.game.t))
    table.follow()
    table.see(f"{OPENING} | K3 K4")


def paused(table: Served) -> None:
    accepted(table)
    table.game.do(Paused(table.game.t))
    table.follow()


def in_trouble(table: Served) -> None:
    accepted(table)
    table.follower.troubles((Notice("page.camera_silent"), Notice("page.markers_hidden")))


def between(table: Served) -> None:
    accepted(table)
    table.game.fields(phase=Phase.BETWEEN)
    table.follow()


def over(table: Served) -> None:
    accepted(table)
    table.game.fields(phase=Phase.OVER)
    table.game.effects = (MatchOver((0,), (64, -12, -31, -21)),)
    table.follow()


STATES: dict[str, Callable[[Served], None]] = {
    state.__name__.replace("_", "-"): state
    for state in (
        starting, lobby, choosing, first_turn, looking, accepted, second_accepted, full_table, asking, refused,
        refused_for_much, putting_right, paused, in_trouble, between, over,
    )
}  # fmt: skip


@contextmanager
def in_state(name: str) -> Iterator[Served]:
    """A table with its page, in that state."""
    with served(players=4) as table:
        table.follower.follows(("button-1", "button-2", "button-3", "button-4", "button-pause"), touchable=True)
        STATES[name](table)
        yield table


def arrived(screen: Browser) -> None:
    """Wait until the page shows all parts, and the picture with them."""
    screen.wait(lambda: screen.run("return 'clock' in Referee.parts && !!Referee.parts.live"), "the parts of the page")
    screen.wait(
        lambda: screen.run(
            "return [...document.querySelectorAll('#picture img')].every(image => image.complete) && "
            "document.fonts.status === 'loaded' && document.getAnimations().every(one => one.playState === 'finished')"
        ),
        "the picture",
    )


def main() -> int:
    parser = argparse.ArgumentParser(description="Write a screenshot of every state of the table's pages.")
    parser.add_argument("out", type=Path, help="the folder to write to")
    parser.add_argument("--language", default="en")
    parser.add_argument("--scheme", default="light", choices=("light", "dark"))
    parser.add_argument("--states", nargs="*", default=list(STATES), choices=list(STATES))
    parser.add_argument("--sizes", nargs="*", default=list(SIZES), choices=list(SIZES))
    parser.add_argument("--pages", nargs="*", default=list(PAGES), choices=list(PAGES))
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    with browser(chosen.language) as screen:
        screen.prefers(scheme=chosen.scheme)
        for name in chosen.states:
            with in_state(name) as table:
                for size in chosen.sizes:
                    screen.resize(*SIZES[size])
                    for page in chosen.pages:
                        screen.open(f"{table.address}{PAGES[page]}?lang={chosen.language}")
                        arrived(screen)
                        path = chosen.out / f"{page}-{size}-{name}.png"
                        path.write_bytes(screen.driver.get_screenshot_as_png())
            print(f"{name}: written to {chosen.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
