"""The television: everything that matters is seen at once, whatever lies on the table and whatever is said."""

from dataclasses import replace

import pytest
from page import looked_at, served
from page_states import in_state

from referee.game.doubt import Doubt
from referee.game.match.events import MatchOver, Started, TimeUp
from referee.game.match.machine import new_match
from referee.game.match.phases import Phase
from referee.game.notation import parse_table
from referee.game.notice import Notice
from referee.game.scoring import RoundScore, ScoreSheet, no_score
from referee.table.looking.look import Look
from referee.table.preparation.values import SetUp
from referee.table.session import Players
from referee.vision.asked import asked_about

SIZES = [(1920, 1080), (1280, 720), (1024, 768)]
OPENING = "R10 R11 R12 | B10 B11 B12"
FULL = (
    "R10 R11 R12 R13 | B10 B11 B12 | K4 B4 R4 | O6 O7 O8 O9 | B1 B2 B3 B4 B5 | K10 O10 R10 | O1 O2 O3 | K6 K7 ** K9 | "
    "R1 R2 R3 R4 R5 R6 R7 R8 R9 | B5 B6 B7 B8 B9 B10 B11 B12 B13 | K1 K2 K3 K4 K5 K6 | O10 O11 O12 O13 | R7 B7 K7 | "
    "O4 O5 O6 O7 O8 | K11 K12 K13 | K8 O8 R8 | R12 K12 O12 | R13 K13 O13 | B1 K1 O1 | R2 B2 K2 O2 | R6 B6 **"
)
WRONG = "R10 R11 K12 | B10 B11 K13 | O1 O2 O4 | K3 K4 K6 | R1 R2"


@pytest.fixture
def table():
    with served() as made:
        yield made


def scored(table, rounds):
    """A score sheet on which the first two players win in turn, 10 points and 5."""
    names = tuple(seat.name for seat in table.game.state.seats)
    sheet = ScoreSheet(names)
    for number in range(rounds):
        points = -5 if number % 2 else 10
        scores = (points, -points, *(0 for _ in names[2:]))
        sheet = sheet.add(RoundScore(number % 2, (0,) * len(names), scores))
    return sheet


def opened(table, screen, size=(1920, 1080)):
    screen.resize(*size)
    screen.open(f"{table.address}/display?lang=de")
    screen.find("#live")
    # A part that arrives later would replace what a test puts there.
    screen.wait(lambda: screen.run("return 'clock' in Referee.parts"), "the parts of the page")
    return screen


def cut_off(screen):
    """What does not fit: boxes that hold more than is seen, and what lies outside of the screen."""
    return screen.run(
        "return [...document.querySelectorAll("
        "'.beside, .seen, .foot, .players, .now, .whose, .lobby, .scoreboard')].filter(box => "
        "box.offsetHeight && (box.scrollHeight > box.clientHeight + 1 || "
        "box.getBoundingClientRect().bottom > innerHeight + 1)).map(box => box.className)"
    )


def fits(screen):
    screen.wait(lambda: cut_off(screen) == [], "room for all")


@pytest.mark.parametrize("size", SIZES)
def test_a_table_with_all_tiles_on_it_is_seen_whole(table, screen, size):
    table.game.opened().fields(table=parse_table(FULL))
    table.follow()
    opened(table, screen, size)
    screen.wait(lambda: len(screen.all("#drawn .set")) == 21, "all sets")
    fits(screen)


@pytest.mark.parametrize("size", SIZES)
def test_many_faults_are_read_whole_and_the_drawn_table_makes_room(table, screen, size):
    table.game.opened().fields(table=parse_table(OPENING))
    table.press()
    table.see(WRONG)
    opened(table, screen, size)
    screen.until("#verdict", "Abgelehnt")
    fits(screen)
    assert not screen.all(".confirmed")[0].is_displayed()


def test_what_must_be_put_right_stands_alone(table, screen):
    table.game.opened().fields(table=parse_table(OPENING))
    table.game.t = table.game.state.clock.deadline
    table.game.do(TimeUp(table.game.t))
    table.follow()
    table.see(f"{OPENING} | K3 K4")
    opened(table, screen)
    screen.until("#due", "Nimm")
    assert not screen.all("#verdict")[0].is_displayed()
    fits(screen)


def test_a_refusal_is_seen_where_only_the_picture_was_wanted(table, screen):
    table.press()
    table.see(OPENING)
    opened(table, screen)
    screen.run("localStorage.setItem('referee-display', 'picture')")
    opened(table, screen)
    screen.wait(lambda: screen.all("body.view-picture.quiet"), "the picture alone")
    assert not screen.all("#verdict")[0].is_displayed()
    table.press()
    table.see(f"{OPENING} | K3 K4")
    screen.until("#verdict", "Abgelehnt")
    screen.run("localStorage.clear()")


def test_the_likeliest_tiles_are_named_in_a_question(table, screen):
    look = looked_at(OPENING)
    place = next(number for number, read in enumerate(look.sighting.reads) if read.name == "red-12")
    reads = list(look.sighting.reads)
    reads[place] = replace(reads[place], confidence=0.6, doubtful=True, alternatives=(("red-2", 0.3),))
    look = replace(look, sighting=replace(look.sighting, reads=tuple(reads)))
    table.press()
    table.see(OPENING, tuple(asked_about(look.sighting)), look)
    opened(table, screen)
    screen.until("#question", "rote 12")
    screen.until("#question .likely", "rote 2")
    assert screen.text("#question .sentence")[0].isupper()
    fits(screen)


@pytest.mark.parametrize("path", ["/", "/display"])
def test_who_draws_is_told(table, screen, path):
    screen.open(f"{table.address}{path}?lang=de")
    table.press()
    table.see("")
    screen.until("#news", "Ann zieht 1 Stein.")
    table.press()
    screen.wait(lambda: not screen.all("#news")[0].is_displayed(), "no news")


@pytest.mark.parametrize("path", ["/", "/display"])
def test_a_hand_over_the_table_leaves_the_last_picture_dimmed_with_its_age(table, screen, path):
    screen.open(f"{table.address}{path}?lang=de")
    table.press()
    table.see(OPENING)
    screen.find("#picture")
    assert not screen.all(".age")[0].is_displayed()
    table.press()
    table.see("", (Doubt(Notice("play.nothing_at_all")),), Look(None, None, trouble=Notice("play.hands")))
    screen.until(".age", "Bild von vor")
    assert float(screen.run("return getComputedStyle(document.querySelector('#picture img')).opacity")) < 1
    assert not screen.all("#no-picture")[0].is_displayed()
    table.press()
    table.see(OPENING)
    screen.wait(lambda: not screen.all(".age")[0].is_displayed(), "a picture of now")
    assert screen.complaints() == []


@pytest.mark.parametrize("path", ["/", "/display"])
def test_who_only_drew_is_not_said_to_be_accepted(table, screen, path):
    screen.open(f"{table.address}{path}?lang=de")
    table.press()
    table.see("")
    screen.until("#verdict", "Ann zieht")
    assert "Angenommen" not in screen.text("#verdict")


def test_everybody_can_open_the_page_before_the_first_picture(table, screen):
    table.follower.sets_up(SetUp(where=lambda: "http://192.168.1.7:8080/"), (900.0, 600.0))
    table.follow()
    opened(table, screen)
    screen.until("#join", "http://192.168.1.7:8080/")
    screen.wait(lambda: screen.run("return document.querySelector('#join img').naturalWidth") > 0, "the code")
    table.press()
    table.see(OPENING)
    screen.wait(lambda: not screen.all("#join")[0].is_displayed(), "the picture instead")
    assert screen.complaints() == []


def test_no_time_is_told_before_the_clock_is_known(table, screen):
    screen.driver.execute_cdp_cmd("Network.enable", {})
    screen.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/api/now"]})
    try:
        opened(table, screen)
        screen.until("#clock", "\u2013:\u2013\u2013")
    finally:
        screen.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
    opened(table, screen)
    screen.find("#clock", lambda clock: clock.text[:1].isdigit())


WARNED = "return document.getElementById('clock-warning').textContent"
CLOCK = "Referee.parts.clock = {limit: 60, running: %s, ends_at: null, left: %s, warnings: [30, 10]}"
"""A clock as the server tells it; without an end its time stays as it is, so that the test need not hurry."""


@pytest.mark.parametrize(
    "then",
    [
        pytest.param(CLOCK % ("false", 10), id="the clock is stopped"),
        pytest.param(CLOCK % ("true", 60), id="the next turn"),
        pytest.param("Referee.parts.clock = null", id="no match any more"),
        pytest.param("Object.assign(Referee.parts.clock, {limit: null})", id="a clock without a limit"),
    ],
)
def test_seconds_told_to_screen_readers_go_once_no_such_clock_runs(table, screen, then):
    opened(table, screen)
    screen.run(CLOCK % ("true", 10))
    screen.wait(lambda: "10" in screen.run(WARNED), "the warning")
    screen.run(then)
    screen.wait(lambda: screen.run(WARNED) == "", "no warning")


def test_that_time_is_up_is_still_told_while_the_clock_stands_at_nothing(table, screen):
    opened(table, screen)
    screen.run(CLOCK % ("true", 0))
    screen.wait(lambda: screen.run(WARNED) != "", "the end of the time")
    text = screen.run(WARNED)
    screen.run(CLOCK % ("false", 0))
    screen.wait(lambda: screen.run("return document.querySelector('#clock.stands') !== null"), "a clock that stands")
    assert screen.run(WARNED) == text


@pytest.mark.parametrize("language", ["de", "en", "fr", "it"])
def test_on_a_phone_the_button_of_the_voice_breaks_no_word(table, screen, language):
    screen.resize(360, 740)
    screen.open(f"{table.address}/display?lang={language}")
    screen.find("#facts", lambda line: line.text)
    lines = screen.run(
        "var button = document.getElementById('voice'), text = button.firstChild, words = /\\S+/g, found, most = 0;"
        "button.hidden = false;"
        "while (found = words.exec(text.data)) {"
        "  var range = document.createRange(), tops = {}; range.setStart(text, found.index);"
        "  range.setEnd(text, found.index + found[0].length);"
        "  [...range.getClientRects()].forEach(box => { tops[Math.round(box.top)] = 1; });"
        "  most = Math.max(most, Object.keys(tops).length);"
        "} return most"
    )
    assert lines == 1


def test_points_stand_beside_the_name_and_what_was_not_laid_yet_below(table, screen):
    opened(table, screen)
    screen.find(".players .opened")
    name, total, below = screen.run(
        "return ['.name', '.total', '.opened'].map(name => {"
        "const box = document.querySelector('.players ' + name).getBoundingClientRect();"
        "return {left: box.left, right: box.right, top: box.top, bottom: box.bottom}})"
    )
    assert total["left"] >= name["right"]
    assert total["top"] < name["bottom"] <= below["top"] + 1
    assert screen.text(".players .total") == "0"


HEADER_END = "return document.querySelector('.now').getBoundingClientRect().bottom"
BELOW = "return document.querySelector(arguments[0]).getBoundingClientRect().top"


@pytest.mark.parametrize("size", [*SIZES, (1080, 1920)])
def test_round_stock_and_leader_stand_in_the_header_and_are_read_from_afar(table, screen, size):
    table.game.fields(sheet=scored(table, 2), rounds=4)
    table.follow()
    opened(table, screen, size)
    screen.until("#facts", "Runde 3 von 4")
    assert [one.text for one in screen.all(".now #facts li")] == [
        "Runde 3 von 4",
        "78 Steine im Vorrat",
        "Vorn: Ann +5",
    ]
    letters = screen.run("return parseFloat(getComputedStyle(document.querySelector('#facts li')).fontSize)")
    assert letters >= 0.035 * size[1]
    assert screen.sideways() == 0


@pytest.mark.parametrize("size", SIZES)
def test_leaders_with_long_names_are_counted_where_they_have_no_room(screen, size):
    with in_state("tied", long_names=True) as table:
        opened(table, screen, size)
        screen.until("#facts", "3 Spieler führen gemeinsam: +12")
        fits(screen)
        letters = screen.run(
            "return parseFloat(getComputedStyle(document.querySelector('#facts').lastChild).fontSize)"
        )
        assert letters >= 0.035 * size[1]
    with in_state("tied", players=3) as table:
        opened(table, screen, size)
        screen.until("#facts", "Vorn: Ann und Ben +12")
        fits(screen)


def test_nobody_is_in_the_lead_while_all_have_equal_points(table, screen):
    table.game.fields(sheet=scored(table, 0).add(no_score(2)), rounds=4)
    table.follow()
    opened(table, screen)
    screen.until("#facts", "Runde 2 von 4")
    assert "Vorn" not in screen.text("#facts")


def test_nothing_moves_when_the_clock_goes(table, screen):
    table.press()
    table.see(OPENING)
    opened(table, screen)
    screen.until("#verdict", "Gilt")
    with_clock = screen.run(HEADER_END), screen.run(BELOW, ".views"), screen.run(BELOW, ".players")
    assert screen.all("#clock")[0].is_displayed()
    table.game.fields(phase=Phase.PUTTING_RIGHT)
    table.follow()
    screen.wait(lambda: not screen.all("#clock")[0].is_displayed(), "no clock")
    screen.find(".mark")
    without = screen.run(HEADER_END), screen.run(BELOW, ".views"), screen.run(BELOW, ".players")
    assert without == with_clock


@pytest.mark.parametrize("size", SIZES)
def test_the_picture_is_cut_to_the_tiles_and_fills_its_place(table, screen, size):
    table.press()
    table.see(OPENING)
    opened(table, screen, size)
    screen.until("#verdict", "Gilt")
    left, top, right, bottom = screen.run(
        "const box = document.getElementById('frame').getBoundingClientRect();"
        "return [box.left, box.top, box.right, box.bottom]"
    )
    place = screen.run("const box = document.querySelector('.seen'); return [box.clientWidth, box.clientHeight]")
    assert right - left >= 0.98 * place[0]
    assert bottom - top >= 0.98 * place[1]
    tiles = screen.run(
        "return [...document.querySelectorAll('#picture .outline')].map(one => {"
        "const box = one.getBoundingClientRect(); return [box.left, box.top, box.right, box.bottom]})"
    )
    assert len(tiles) == 6
    assert all(x0 >= left and y0 >= top and x1 <= right and y1 <= bottom for x0, y0, x1, y1 in tiles)
    assert screen.run("return document.getElementById('picture').clientWidth") > 1.4 * place[0]
    beside = screen.run("return document.querySelector('.beside').getBoundingClientRect().left")
    assert beside >= right


@pytest.mark.parametrize("size", SIZES)
def test_names_in_the_picture_can_be_read_from_afar_or_are_left_out(table, screen, size):
    drawn = (
        "const box = document.getElementById('picture').clientWidth; return [...document.querySelectorAll("
        "'#picture .label')].map(name => name.getAttribute('font-size') * box / 1000)"
    )
    table.press()
    table.see(OPENING)
    opened(table, screen, size)
    screen.wait(lambda: len(screen.run(drawn)) == 6, "the names")
    assert min(screen.run(drawn)) >= 0.02 * min(size)
    table.press()
    table.see(FULL)
    screen.wait(lambda: len(screen.all("#picture .outline")) > 70, "more tiles")
    assert min(screen.run(drawn), default=size[1]) >= 0.0139 * min(size)


def lobby(table, joined=(0, 2), names=("Ann", "Ben", "Cleo", "Dan")):
    """A table before a match; these buttons have been pressed."""
    table.follower.sets_up(SetUp(where=lambda: "http://192.168.1.7:8080/"), (900.0, 600.0))
    table.follow()
    scene, players = table.follower.facts.scene, Players(names, tuple(range(len(names))))
    state = new_match(table.game.state.rules)
    table.follower.on_update(replace(scene, state=state, players=players, joined=frozenset(joined)))


@pytest.mark.parametrize("size", SIZES)
def test_before_a_match_code_guests_and_rules_are_seen(table, screen, size):
    lobby(table)
    opened(table, screen, size)
    screen.until("#invitation", "http://192.168.1.7:8080/")
    screen.wait(lambda: screen.run("return document.querySelector('#invitation img').naturalWidth") > 0, "the code")
    assert [one.text.replace("\n", " ") for one in screen.all("#guests li")] == [
        "Ann ist dabei", "Ben zum Mitspielen drücken", "Cleo ist dabei", "Dan zum Mitspielen drücken",
    ]  # fmt: skip
    assert 3 <= len(screen.all("#brief li")) <= 5
    assert screen.text("#facts") == table.game.state.rules.title
    screen.until("#brief", "Erstauslage: mindestens 30 Punkte")
    assert cut_off(screen) == []
    lobby(table, joined=(0, 1, 2))
    screen.wait(lambda: len(screen.all("#guests .joined")) == 3, "another guest")
    table.follow()
    screen.wait(lambda: not screen.all("#lobby")[0].is_displayed(), "the match")
    assert screen.complaints() == []


def rows(screen):
    return [[cell.text for cell in row.find_elements("css selector", "th, td")] for row in screen.all("#sheet tr")]


def test_between_rounds_players_stand_by_their_points(table, screen):
    table.game.fields(phase=Phase.BETWEEN, sheet=scored(table, 3), rounds=4)
    table.follow()
    opened(table, screen)
    screen.find("#scoreboard")
    assert rows(screen) == [
        ["Platz", "Spieler", "Runde 1", "Runde 2", "Runde 3", "Gesamt"],
        ["1.", "Ann", "+10", "\u22125", "+10", "+15"],
        ["2.", "Ben", "\u221210", "+5", "\u221210", "\u221215"],
    ]
    assert not screen.all("#winner")[0].is_displayed()
    assert not screen.all("#people")[0].is_displayed()
    assert cut_off(screen) == []


def test_where_the_lowest_total_wins_it_stands_first(screen):
    with served("piatnik") as table:
        table.game.fields(phase=Phase.BETWEEN, sheet=scored(table, 1), rounds=2)
        table.follow()
        opened(table, screen)
        screen.find("#scoreboard")
        assert [row[1] for row in rows(screen)[1:]] == ["Ben", "Ann"]
        screen.until("#facts", "Vorn: Ben")


def test_the_first_rounds_of_a_long_match_are_added_up(table, screen):
    table.game.fields(phase=Phase.BETWEEN, sheet=scored(table, 20), rounds=30)
    table.follow()
    opened(table, screen)
    screen.find("#scoreboard")
    first, ann, _ = rows(screen)
    assert first == ["Platz", "Spieler", "1\u201314", "15", "16", "17", "18", "19", "20", "Gesamt"]
    assert ann[2:] == ["+35", "+10", "\u22125", "+10", "\u22125", "+10", "\u22125", "+50"]
    assert screen.sideways() == 0


@pytest.mark.parametrize(("motion", "falls"), [("no-preference", True), ("reduce", False)])
def test_a_win_is_celebrated_with_falling_tiles_for_who_likes_motion(table, screen, motion, falls):
    screen.prefers(motion=motion)
    opened(table, screen)
    assert not screen.all("#scoreboard")[0].is_displayed()
    table.game.fields(phase=Phase.OVER, sheet=scored(table, 1))
    table.game.effects = (MatchOver((0,), (10, -10)),)
    table.follow()
    screen.until("#winner", "★ Ann gewinnt!")
    assert screen.all("#sheet .won")
    assert screen.all("#rain")[0].is_displayed() is falls
    assert [row[1].strip("★\u00a0 ") for row in rows(screen)[1:]] == ["Ann", "Ben"]
    lobby(table)
    screen.wait(lambda: not screen.all("#winner")[0].is_displayed() and not screen.all("#rain .tile"), "no winner")


LONG = ("Wolfeschlegelsteinhausenbergerdorffmwalt", "Maximiliane-Katharina-Wilhelmine Mustern", "W" * 40, "Anna")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("count", [2, 4])
def test_names_of_40_letters_fit_and_leave_room_for_the_picture(screen, size, count):
    with served(players=count) as table:
        table.game.state = new_match(table.game.state.rules)
        table.game.do(Started(LONG[:count], 0.0)).opened().fields(table=parse_table(OPENING))
        table.press()
        table.see(WRONG)
        opened(table, screen, size)
        screen.until("#verdict", "Abgelehnt")
        fits(screen)
        assert screen.run("return document.getElementById('frame').clientHeight") >= 0.4 * size[1]
        assert screen.sideways() == 0
        table.game.fields(phase=Phase.BETWEEN, sheet=scored(table, 20), rounds=20)
        table.follow()
        screen.find("#scoreboard")
        fits(screen)
        lobby(table, names=LONG)
        screen.find("#lobby")
        fits(screen)


FILLED = "return document.fullscreenElement !== null"


def test_the_button_and_a_key_fill_the_screen(table, screen):
    opened(table, screen)
    screen.run("localStorage.removeItem('referee-display')")
    screen.until("#full-screen", "Vollbild")
    screen.find("#full-screen").click()
    screen.wait(lambda: screen.run(FILLED), "the whole screen")
    screen.until("#full-screen", "Vollbild beenden")
    assert screen.all("body.view-both")  # the click meant nothing else
    screen.find("body").send_keys("f")
    screen.wait(lambda: not screen.run(FILLED), "a window")
    screen.wait(lambda: screen.text("#full-screen") == "Vollbild", "the first text")


def test_a_browser_that_cannot_fill_the_screen_has_no_button_for_it(table, screen):
    without = "delete Element.prototype.requestFullscreen; delete Element.prototype.webkitRequestFullscreen;"
    added = screen.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": without})
    try:
        opened(table, screen)
        assert not screen.all("#full-screen")[0].is_displayed()
        screen.find("body").send_keys("f")
        assert screen.complaints() == []
    finally:
        screen.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)
