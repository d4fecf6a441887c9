"""On a phone of 360 pixels, with text of twice the size and names of 40 letters, no page scrolls sideways."""

from dataclasses import replace

import pytest
from browser import browser
from hall_pages import HallPages
from hosting import Hosting, views
from kept_hall import snapshot
from kept_matches import page
from page import looked_at, served
from played import SETUPS, short, write

from referee.club.protocol import Player
from referee.club.protocol.documents import Clock
from referee.club.protocol.told import Told
from referee.club.tournament.events import CheckedIn, Entered, ResultCorrected, ResultTold, Swapped
from referee.game.match.events import Corrected, Started, TimeUp
from referee.game.match.machine import apply, new_match
from referee.game.match.phases import Phase
from referee.game.notation import parse_table
from referee.game.notice import Notice
from referee.i18n import LANGUAGES
from referee.journal.opening import open_journal
from referee.letters import NAME_LETTERS
from referee.table.preparation.values import SetUp
from referee.vision.asked import asked_about

WIDE, HIGH = 360, 740
NAMES = (
    "Wolfeschlegelsteinhausenbergerdorffmwalt",
    "Maximiliane-Katharina-Wilhelmine Mustern",
    "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
    "Anna",
)
assert {len(name) for name in NAMES[:3]} == {NAME_LETTERS}
OPENING = "R10 R11 R12 | B10 B11 B12"
STEPS = (
    *("", "/camera", "/game", "/start"),
    *("/more", "/language", "/table", "/panel", "/lens", "/box", "/extra"),
)
SCORES = ("/scores", "/scores/2", "/scores/2/replay?turn=2", "/scores/2/correct/1")
HALL = (
    *("/", "/table/Vereinsheim-Nebenzimmer-12", "/results", "/director", "/tournament", "/tournament/director"),
    *("/tournament/wall", *(f"/tournament/wall#{view}" for view in ("names", "tables", "standings"))),
)
WHAT = """
var wide = document.documentElement.clientWidth;
return Array.prototype.filter.call(document.querySelectorAll("body *"), function (one) {
  var box = one.getBoundingClientRect();
  if (!box.width || box.right <= wide + 0.5 || getComputedStyle(one).visibility === "hidden") { return false; }
  for (var at = one.parentNode; at !== document.documentElement; at = at.parentNode) {
    if (["auto", "scroll", "hidden", "clip"].indexOf(getComputedStyle(at).overflowX) >= 0) { return false; }
  }
  return true;
}).map(function (one) { return one.outerHTML.slice(0, 160); });
"""
"""Elements that reach beyond the right edge of the page, and not into a box that scrolls by itself."""


@pytest.fixture(scope="module")
def large():
    """A browser of somebody who has chosen text of 32 pixels where 16 are usual."""
    with browser(text_px=32) as opened:
        yield opened


@pytest.fixture
def screen(large):
    screen = large.as_new()
    screen.resize(WIDE, HIGH)
    yield screen
    large.open("about:blank")


def fits(screen, where):
    """Nothing is wider than the page, whatever is shown after it was laid out."""
    if not screen.all(".display-page"):  # sizes there follow the screen
        assert screen.run("return parseFloat(getComputedStyle(document.documentElement).fontSize)") == 32, where
    screen.wait(lambda: screen.run("return document.readyState") == "complete", where)
    assert (screen.sideways(), screen.run(WHAT)) == (0, []), where


def begin(table, names=NAMES):
    """A match of these players."""
    table.game.state = new_match(table.game.state.rules)
    table.game.do(Started(names, 0.0))
    table.follow()


@pytest.fixture
def table():
    with served() as made:
        begin(made)
        yield made


def doubtful():
    """A look at the opening, with a tile in doubt."""
    look = looked_at(OPENING)
    reads = tuple(
        replace(read, confidence=0.6, doubtful=True, alternatives=(("red-2", 0.3),)) if read.name == "red-12" else read
        for read in look.sighting.reads
    )
    return replace(look, sighting=replace(look.sighting, reads=reads))


@pytest.mark.parametrize("path", ["/", "/panel", "/display"])
def test_the_table_fits_whatever_is_told(table, screen, path):
    table.follower.follows(("button-1", "button-2", "button-3", "button-4", "button-pause"), touchable=True)
    table.follower.troubles((Notice("play.others_turn", player=NAMES[2]),))
    for language in LANGUAGES:
        screen.open(f"{table.address}{path}?lang={language}")
        screen.until("#live", "Wolfeschlegel")
        fits(screen, f"a turn, {language}")
    table.press()
    table.see("R10 R11 R12 | B10 B11 K12")
    screen.wait(lambda: screen.run("return Referee.parts.verdict && !Referee.parts.verdict.accepted"), "a refusal")
    fits(screen, "a refusal")
    table.press()
    look = doubtful()
    table.see(OPENING, tuple(asked_about(look.sighting)), look)
    screen.wait(lambda: screen.run("return !!Referee.parts.question"), "a question")
    fits(screen, "a question")


def test_what_must_be_put_right_fits(table, screen):
    table.game.opened().fields(table=parse_table(OPENING))
    table.game.t = table.game.state.clock.deadline
    table.game.do(TimeUp(table.game.t))
    table.follow()
    table.see(f"{OPENING} | K3 K4")
    for path in ("/", "/panel", "/display"):
        screen.open(f"{table.address}{path}?lang=de")
        screen.wait(lambda: screen.run("return !!Referee.parts.due"), "what is due")
        fits(screen, path)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_of_the_set_up_fits(screen, language):
    with served() as table:
        values = {"game.players": NAMES, "panel.kind": "page", "camera.kind": "usb", "game.season": "W" * 60}
        kinds = {"panels": ("gpio", "page", "console"), "cameras": ("pi", "usb", "network", "folder", "video")}
        address = "http://referee-in-the-club-house.example.local:8080/"
        setup = SetUp(values=values, buttons=4, where=lambda: address, wifi="WIFI:S:x;;", **kinds)
        table.follower.sets_up(setup, (900.0, 600.0))
        begin(table)
        for step in STEPS:
            screen.open(f"{table.address}/setup{step}?lang={language}")
            screen.wait(lambda: screen.run("return !!Referee.parts.setup"), step)
            fits(screen, step)
        screen.open(f"{table.address}/enter?lang={language}")
        fits(screen, "/enter")


@pytest.fixture
def sheets(tmp_path):
    """Two matches of people with long names, with a correction."""
    journal = open_journal(tmp_path / "state").journal
    write(journal, SETUPS[1], short(SETUPS[1], names=NAMES[1:3]))
    steps = short(SETUPS[0], rounds=2, names=NAMES[:2])
    write(journal, SETUPS[0], steps)
    points = (0, *[95] * (len(steps[-1].state.seats) - 1))
    event = Corrected(
        1, points, steps[-1].event.t, winner=0, who=NAMES[0], why=f"a joker was counted twice {NAMES[2]}"
    )
    journal.append(event, apply(steps[-1].state, event)[0])
    journal.close()
    with page(tmp_path / "state") as there:
        yield there


@pytest.mark.parametrize("language", LANGUAGES)
def test_scores_fit(sheets, screen, language):
    for path in SCORES:
        screen.open(f"{sheets.address}{path}{'&' if '?' in path else '?'}lang={language}")
        assert "Wolfeschlegel" in screen.driver.page_source, path
        fits(screen, path)


@pytest.fixture(scope="module")
def hall():
    """A table in a match with a question, results, and a tournament in its second round, corrected and swapped."""
    hosting = Hosting(0, rounds=3)
    hosting.views = views("Vereinsheim-Nebenzimmer-12", "table-2")
    for number, name in enumerate((*NAMES[:3], *(f"{name[:-1]}{one}" for one in "XYZ" for name in NAMES[:3])), 1):
        hosting.do(Entered(name, 1.0), CheckedIn(number, 1.0))
    for _ in range(2):
        hosting.draw()
        hosting.begin()
        for number, drawn in enumerate(hosting.drawn.tables, 1):
            hosting.do(ResultTold(number, tuple(7000 * seat - 20 for seat in range(len(drawn.players))), 4.0))
    hosting.do(ResultCorrected(1, 1, tuple(range(len(hosting.drawn.tables[0].players))), 5.0, NAMES[0], NAMES[2]))
    hosting.draw()
    one, other = hosting.drawn.tables[0].players[0], hosting.drawn.tables[-1].players[-1]
    hosting.do(Swapped(one, other, 5.0, why=NAMES[2]))
    hosting.play(1, [7, 8, 9, 10][: len(hosting.drawn.tables[0].players)])
    players = tuple(Player(name, -1234, 7, opened=True) for name in NAMES)
    asked = (Told.from_notice(Notice("words.text", text=NAMES[0])),)
    state = snapshot(
        phase=Phase.ASKING, match=1, round=2, rounds=3, players=players, current=0, stock=40, table=OPENING,
        clock=Clock(55.0, running=True), scores=((12, -12, 0, 0),), question=asked,
    )  # fmt: skip
    sits = {name: replace(view, snapshot=state, heard=1.0) for name, view in hosting.views.items()}
    pages = HallPages()
    pages.tell(replace(hosting.facts, tables=sits, trouble=Notice("words.text", text=NAMES[0])))
    yield pages
    pages.close()


@pytest.mark.parametrize("path", HALL)
def test_the_hall_and_its_tournament_fit(hall, screen, path):
    for language in LANGUAGES:
        address, _, view = path.partition("#")
        screen.open(f"{hall.address}{address}?lang={language}{'#' * bool(view)}{view}")
        if path != "/director":
            screen.wait(lambda: "Wolfeschlegel" in screen.driver.page_source, path)
        fits(screen, f"{path}, {language}")
