"""Every state of the table's pages, and a command that writes a screenshot of each: `make screenshots OUT=FOLDER`.

Each state is a match that was played to that point, so what a page shows of it is what players would see.
"""

import argparse
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from browser import Browser, browser
from bundle_files import bundle_bytes
from hall_day_states import write_day
from hall_states import write_hall
from kept_matches import UNTIMED, journal_with, just_ended, shown_to_the_camera, two_matches
from kept_matches import page as kept_page
from machine_page import WEAK, care_with_services
from page import Served, looked_at, pictures_before, served
from pictured_match import write_pictured_match
from played import short
from update_box import OLD_SCHEMA, Box

from referee.devices.panel.lights import Glow, Lights
from referee.devices.stick_bundles import find_bundles
from referee.devices.system.safe_mode import CRASHED
from referee.game.match.events import Coached, MatchOver, Paused, Started, TimeUp
from referee.game.match.machine import new_match
from referee.game.match.phases import Phase
from referee.game.notation import parse_table
from referee.game.notice import Notice
from referee.game.rulebooks import ruleset
from referee.game.scoring import RoundScore, ScoreSheet
from referee.pages.table.updates import Updating
from referee.report.bundle import make_bundle
from referee.settings.settings import load
from referee.table.desk_values import Announcement, CallState, DeskShown, HallClock, OwnCall
from referee.table.output.audience import Choosing, Way
from referee.table.preparation.values import SetUp
from referee.table.presence import OVER
from referee.vision.asked import asked_about

SIZES = {
    "phone-small": (360, 640),
    "phone": (390, 844),
    "phone-landscape": (844, 390),
    "phone-small-landscape": (740, 360),
    "tablet": (820, 1180),
    "television": (1920, 1080),
    "television-small": (1280, 720),
    "television-old": (1024, 768),
    "television-upright": (1080, 1920),
}
PAGES = {
    "table": "/",
    "panel": "/panel",
    "display": "/display",
    "overlay": "/overlay",
    "puzzle": "/puzzle",
    "coach": "/coach",
}
ONLY_IN = {"puzzle": ("lobby", "first-turn")}
"""Pages that look the same in most states."""
OPENING = "R10 R11 R12 | B10 B11 B12"
ADDRESS = "http://192.168.1.7:8080/"
REFUSED = "R10 R11 K12 | B10 B11 B12"
WRONG = "R10 R11 K12 | B10 B11 K13 | O1 O2 O4 | K3 K4 K6"
FULL = (
    "R10 R11 R12 R13 | B10 B11 B12 | K4 B4 R4 | O6 O7 O8 O9 | B1 B2 B3 B4 B5 | K10 O10 R10 | O1 O2 O3 | K6 K7 ** K9 | "
    "R1 R2 R3 R4 R5 R6 R7 R8 R9 | B5 B6 B7 B8 B9 B10 B11 B12 B13 | K1 K2 K3 K4 K5 K6 | O10 O11 O12 O13 | R7 B7 K7 | "
    "O4 O5 O6 O7 O8 | K11 K12 K13 | K8 O8 R8 | R12 K12 O12 | R13 K13 O13 | B1 K1 O1 | R2 B2 K2 O2 | R6 B6 **"
)


def scored(table: Served, rounds: int) -> ScoreSheet:
    """Return a score sheet with so many rounds, each won by another player in turn."""
    names = tuple(seat.name for seat in table.game.state.seats)
    sheet = ScoreSheet(names)
    for number in range(rounds):
        winner = number % 3 % len(names)
        scores = tuple(0 if seat == winner else -(7 + 5 * ((number + 2 * seat) % 4)) for seat in range(len(names)))
        scores = tuple(-sum(scores) if seat == winner else points for seat, points in enumerate(scores))
        sheet = sheet.add(RoundScore(winner, tuple(map(abs, scores)), scores))
    return sheet


def starting(table: Served) -> None:
    table.follower.sets_up(SetUp(values={}, buttons=4), (900.0, 600.0))


def lobby(table: Served) -> None:
    first_turn(table)
    scene = table.follower.facts.scene
    table.follower.on_update(replace(scene, state=new_match(table.game.state.rules), joined=frozenset({0, 2})))


def choosing(table: Served) -> None:
    lobby(table)
    scene = table.follower.facts.scene
    table.follower.on_update(replace(scene, choosing=Choosing(Way.PRESS, {0: Glow.BLINK, 1: Glow.BLINK})))


def first_turn(table: Served) -> None:
    table.follower.sets_up(SetUp(values={}, buttons=4, where=lambda: ADDRESS), (900.0, 600.0))
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


def coached(table: Served) -> None:
    accepted(table)
    table.game.fields(coach=True)
    for laid in (5, 0):
        table.game.do(Coached(laid, table.game.t, table.game.state.current))
        table.follow()


def in_club(table: Served, **told) -> None:
    accepted(table)
    table.follower.on_desk(DeskShown(True, True, True, **told))


def round_time(table: Served) -> None:
    in_club(table, clock=HallClock(1, 1500.0, None, 300.0))


def called(table: Served) -> None:
    call = OwnCall("call-1", "dispute", "A tile was moved", True)
    in_club(table, clock=HallClock(1, 252.0, None, 300.0), call=call, state=CallState.WAITING, place=3)


def director_comes(table: Served) -> None:
    told = Announcement(1, "The buffet is open until nine. The next round begins at half past eight.", 1e9)
    in_club(table, call=OwnCall("call-1"), state=CallState.COMING, who="Maximiliane", announcement=told)


def round_time_up(table: Served) -> None:
    in_club(table, clock=HallClock(1, 0.0, None, 300.0))


def championship(table: Served) -> None:
    """A match with a chess clock, in its last round: the time in which rounds may begin is over."""
    rules = ruleset("rummikub").choose(chess_clock="10+10", match_time="60", unopened="100-or-200")
    names = tuple(seat.name for seat in table.game.state.seats)
    table.game.state = new_match(rules)
    table.game.do(Started(names, 0.0, 4))
    table.press()
    table.see(OPENING)
    banks = (459.0, 583.0, 600.0, 600.0)
    seats = tuple(replace(seat, bank=bank) for seat, bank in zip(table.game.state.seats, banks, strict=False))
    table.game.fields(seats=seats)
    table.press()
    table.see(f"{OPENING} | K10 K11 K12")
    table.game.fields(sheet=scored(table, 2), closing=True)
    table.follow()


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
    table.see(REFUSED)


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


def interrupted(table: Served) -> None:
    """The program was stopped in the middle of a match, and has started again."""
    paused(table)
    table.follower.on_update(replace(table.follower.facts.scene, cut=True))


def in_trouble(table: Served) -> None:
    accepted(table)
    table.follower.troubles((Notice("page.camera_silent"), Notice("page.markers_hidden")))


def confirming(table: Served) -> None:
    """Somebody with a phone wants to reset the machine, and start at the table must allow it."""
    paused(table)
    scene = table.follower.facts.scene
    table.follower.on_update(replace(scene, lights=Lights((), red=Glow.BLINK, green=Glow.OPPOSITE)))
    table.say(Notice("presence.asked", what=Notice("presence.to_reset")))


def unconfirmed(table: Served) -> None:
    """Nobody was there to allow it."""
    confirming(table)
    paused_lights = replace(table.follower.facts.scene, lights=Lights(()))
    table.follower.on_update(paused_lights)
    table.say(OVER)


def in_safe_mode(table: Served) -> None:
    accepted(table)
    table.follower.troubles((CRASHED,))


def after_reset(table: Served) -> None:
    """The first page after a factory reset: nobody has joined, and nothing is chosen."""
    first_turn(table)
    scene = table.follower.facts.scene
    table.follower.on_update(replace(scene, state=new_match(table.game.state.rules), joined=frozenset()))


def leading(table: Served) -> None:
    accepted(table)
    table.game.fields(sheet=scored(table, 2), rounds=4)
    table.follow()


def tied(table: Served) -> None:
    accepted(table)
    names = tuple(seat.name for seat in table.game.state.seats)
    points = (*(len(names) - 1) * (12,), -12 * (len(names) - 1))
    table.game.fields(sheet=ScoreSheet(names).add(RoundScore(0, tuple(map(abs, points)), points)), rounds=4)
    table.follow()


def seen_before(table: Served) -> None:
    table.press()
    table.see(REFUSED)
    table.follower.on_before(pictures_before(("", "R10 R11", "R10 R11 K12", REFUSED, REFUSED)))


def between(table: Served) -> None:
    accepted(table)
    table.game.fields(phase=Phase.BETWEEN, sheet=scored(table, 3), rounds=4)
    table.follow()


def long_match(table: Served) -> None:
    accepted(table)
    table.game.fields(phase=Phase.BETWEEN, sheet=scored(table, 14), rounds=20)
    table.follow()


def over(table: Served) -> None:
    accepted(table)
    table.game.fields(phase=Phase.OVER, sheet=scored(table, 4), rounds=4)
    table.game.effects = (MatchOver((0,), table.game.state.sheet.totals),)
    table.follow()


KEPT = {
    "scores": "/scores",
    "match": "/scores/1",
    "replay": "/scores/1/replay?turn=18",
    "replay-refused": "/scores/1/replay?turn=14",
    "players": "/scores/players",
    "help": "/help",
    "more": "/more",
    "backup": "/backup",
    "update-laptop": "/update",
    "machine": "/machine",
}
"""Pages of a match that was played, beside those of the match at the table, and the one that leads to the others."""


def write_kept(out: Path, screen: Browser, sizes: list[str], language: str) -> None:
    """Write a screenshot of each page of a match that was played with pictures, and what can be passed on of it."""
    with TemporaryDirectory() as name:
        write_pictured_match(Path(name), 30)
        services = care_with_services(Path(name) / "machine", {**WEAK, "run/systemd/timesync/clock": ""})
        with kept_page(two_matches(Path(name))) as there, services as care:
            there.server.cares(care)
            there.server.helps(lambda: make_bundle(load(None, {}), Path(name), [], lambda _: None))
            for size in sizes:
                screen.resize(*SIZES[size])
                for page, path in KEPT.items():
                    screen.open(f"{there.address}{path}{'&' if '?' in path else '?'}lang={language}")
                    screen.wait(lambda: screen.run(ARRIVED), "the pictures")
                    (out / f"{page}-{size}.png").write_bytes(screen.driver.get_screenshot_as_png())
            for path in ("/scores/1/turn/18.png", "/scores/3/card.png"):
                data = there.get(f"{path}?lang={language}")[2]
                (out / path.removeprefix("/scores/").replace("/", "-")).write_bytes(data)


def update_done(box: Box) -> None:
    box.watch()


def update_waits(box: Box) -> None:
    with closing(sqlite3.connect(box.folder / "journal.db")) as journal, journal:
        journal.execute("INSERT INTO events VALUES (2, 0, 'match', NULL)")
    box.change.switch()


def update_installing(box: Box) -> None:
    box.watch()
    (box.folder / "updates").mkdir()
    (box.folder / "updates/bundle").touch()
    box.change.report_progress("installing", "0.3.0-c0ffee1")


UPDATES: dict[str, tuple[str, Callable[[Box], None]]] = {
    "update": ("works", update_done),
    "update-waits": ("works", update_waits),
    "update-installing": ("works", update_installing),
    "update-back": ("hangs", update_done),
}
"""By the name of its screenshot, how the new version of a machine behaves, and what happens to it."""


def write_updates(out: Path, screen: Browser, sizes: list[str], language: str) -> None:
    """Write a screenshot of each state of the page of updates, with a bundle on a stick."""
    for name, (manner, happens) in UPDATES.items():
        with TemporaryDirectory() as folder:
            box, stick, state = Box.made(Path(folder) / "box", manner), Path(folder) / "stick", Path(folder) / "state"
            for slot, version in {"a": "0.1.0-4f2a91c", "b": "0.2.0-a5fbdd3"}.items():
                (box.slots.path(slot) / "version").write_text(f"{version}\n")
            happens(box)
            stick.mkdir()
            (stick / "referee-0.3.0.bundle").write_bytes(bundle_bytes("0.3.0-c0ffee1"))
            found = find_bundles([stick])
            updating = Updating(box.slots.home, box.folder, box.folder, lambda found=found: found, OLD_SCHEMA)
            state.mkdir()
            with kept_page(state, updating=updating) as there:
                for size in sizes:
                    screen.resize(*SIZES[size])
                    screen.open(f"{there.address}/update?lang={language}")
                    screen.wait(lambda: screen.run(ARRIVED), "the page")
                    (out / f"{name}-{size}.png").write_bytes(screen.driver.get_screenshot_as_png())


ARRIVED = """
return document.fonts.status === "loaded" && [...document.images].every(image => {
  const box = image.getBoundingClientRect();
  return image.complete || box.width === 0 || box.top > innerHeight || box.left > innerWidth || box.right < 0;
});
"""
"""Whether all that can be seen is there; other pictures are loaded when they are scrolled to."""


def commented(table: Served) -> None:
    """A match of the journal has just ended, so that something can be said about its last round."""
    first_turn(table)
    steps = shown_to_the_camera(short(UNTIMED))
    journal_with(table.folder, steps)
    table.follower.on_update(just_ended(steps))


STATES: dict[str, Callable[[Served], None]] = {
    state.__name__.replace("_", "-"): state
    for state in (
        starting, lobby, choosing, first_turn, looking, accepted, second_accepted, coached, championship, full_table,
        asking, refused, refused_for_much, seen_before, putting_right, paused, interrupted, in_trouble, confirming,
        unconfirmed, in_safe_mode, after_reset, leading, tied, between, long_match, over, commented, round_time,
        called, director_comes, round_time_up,
    )
}  # fmt: skip

OPENS = {"seen-before": "#before"}
"""What is tapped on the table's page before a state is photographed."""


LONG_NAMES = (
    "Wolfeschlegelsteinhausenbergerdorffmwalt",
    "Maximiliane-Katharina-Wilhelmine Mustern",
    "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
    "Anna-Sophia von und zu der Tannen-Gruber",
)


@contextmanager
def in_state(name: str, players: int = 4, *, long_names: bool = False) -> Iterator[Served]:
    """A table with its page, in that state."""
    with TemporaryDirectory() as folder, served(players=players, folder=Path(folder)) as table:
        if long_names:
            table.game.state = new_match(table.game.state.rules)
            table.game.do(Started(LONG_NAMES[:players], 0.0))
            table.follow()
        table.follower.follows(("button-1", "button-2", "button-3", "button-4", "button-pause"), touchable=True)
        STATES[name](table)
        yield table


def arrived(screen: Browser) -> None:
    """Wait until the page shows all parts, and the picture with them."""
    screen.wait(lambda: screen.run("return 'clock' in Referee.parts && !!Referee.parts.live"), "the parts of the page")
    screen.wait(
        lambda: screen.run(
            "return [...document.querySelectorAll('#picture img')].every(image => image.complete) && "
            "(document.getElementById('puzzle') || {}).hidden !== true && "
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
    parser.add_argument("--players", type=int, default=4, choices=(2, 3, 4))
    parser.add_argument("--long-names", action="store_true", help="with names of 40 letters")
    parser.add_argument("--kept", action="store_true", help="only pages of matches that were played")
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    with browser(chosen.language) as screen:
        screen.prefers(scheme=chosen.scheme)
        write_updates(chosen.out, screen, chosen.sizes, chosen.language)
        write_kept(chosen.out, screen, chosen.sizes, chosen.language)
        write_hall(chosen.out, screen, SIZES, chosen.sizes, chosen.language)
        write_day(chosen.out, screen, SIZES, chosen.sizes, chosen.language)
        for name in () if chosen.kept else chosen.states:
            with in_state(name, chosen.players, long_names=chosen.long_names) as table:
                for size in chosen.sizes:
                    screen.resize(*SIZES[size])
                    for page in (page for page in chosen.pages if name in ONLY_IN.get(page, (name,))):
                        screen.open(f"{table.address}{PAGES[page]}?lang={chosen.language}")
                        arrived(screen)
                        if page == "table" and name in OPENS:
                            screen.run(f"document.querySelector('{OPENS[name]}').click()")
                            arrived(screen)
                        path = chosen.out / f"{page}-{size}-{name}.png"
                        path.write_bytes(screen.driver.get_screenshot_as_png())
            print(f"{name}: written to {chosen.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
