"""A tournament directed in a real browser from its opening to its last standings, with a real hall behind it."""

import pytest
from browser import SIZES
from hall_evening import hall_evening

NAMES = "Ann\nBen\nCem\nDora\nEve\nFay\nGus"
ENTER, ESCAPE, TAB = "\ue007", "\ue00c", "\ue004"


@pytest.fixture
def evening(tmp_path):
    with hall_evening(tmp_path) as made:
        yield made


class Director:
    """Somebody who has told the PIN, before the page."""

    def __init__(self, evening, screen):
        self.evening, self.screen = evening, screen
        screen.open(f"{evening.address}/enter?next=/tournament/director")
        screen.find("#pin").send_keys(evening.pin)
        screen.find("form.enter button").click()
        screen.find(".director-page #name")  # its text soon is the name of the tournament, if one is on

    @property
    def told(self):
        return self.screen.run("return Referee.parts.tournament")

    def fill(self, selector, text):
        field = self.screen.find(selector)
        field.clear()
        field.send_keys(text)

    def press(self, selector, done=None):
        """Press something, and wait until the page says what came of it."""
        self.screen.find(selector).click()
        if done is not None:
            self.screen.until("#answer", done)

    def stage(self, stage):
        self.screen.wait(lambda: self.told and self.told["stage"] == stage, stage)

    def opens(self, names=NAMES, rounds="2"):
        self.fill("#open-name", "Spring cup")
        self.fill("#open-rounds", rounds)
        self.press("#open button", "The tournament is open.")
        self.fill("#enter-names", names)
        self.press("#enter button", "The names are on the list.")

    def all_here(self):
        self.press("#all-here")
        self.press("#all-here-yes", "Everybody on the list is checked in.")

    def draws(self, number=1):
        self.press("#draw", f"Round {number} is drawn.")
        self.screen.wait(lambda: (self.told["stage"], self.told["round"]) == ("drawn", number), f"round {number}")

    def begins(self):
        self.press("#begin")
        self.press("#begin-yes", "The round has begun.")
        self.stage("playing")

    def writes(self, table, *points):
        self.press(f"#hand-{table}")
        for seat, one in enumerate(points):
            self.fill(f"#result-points-{seat}", str(one))
        self.press("#result-do")
        if sum(points) > 0:
            self.press(".sure-yes")
            assert all("409" in one for one in self.screen.complaints())  # the question
        self.screen.until("#answer", f"Table {table}: the result has been entered.")

    def players(self, table):
        return [one["name"] for one in self.told["tables"][table - 1]["players"]]


@pytest.fixture
def director(evening, screen):
    return Director(evening, screen)


def test_without_the_pin_nobody_directs(evening, screen):
    screen.open(f"{evening.address}/tournament/director")
    # With its typeface the text moves, and a tap would miss the link.
    screen.wait(lambda: screen.run("return document.readyState === 'complete' && document.fonts.status === 'loaded'"))
    screen.find("#pin-first a").click()
    screen.find("#pin").send_keys(evening.other_pin)
    screen.find("form.enter button").click()
    screen.until("#refused", "not the PIN")
    screen.find("#pin").send_keys(evening.pin)
    screen.find("form.enter button").click()
    screen.find("#open-name")
    assert screen.driver.current_url == f"{evening.address}/tournament/director"


def test_a_tournament_by_the_standings_tells_everybody_why_they_sit_there(evening, director):
    screen = director.screen
    screen.run("document.getElementById('open-drawing').value = 'swiss'")
    director.opens()
    director.all_here()
    director.draws()
    screen.until("#why-draw", "The first round was drawn by lot")
    director.begins()
    for table in (1, 2):
        director.writes(table, *range(40, 40 - 10 * len(director.players(table)), -10))
    director.stage("between")
    director.draws(2)
    screen.until(
        "#why-draw", "The seats follow the tournament points after round 1, without the strength of opponents"
    )
    screen.find("#why-1 summary").click()
    best = max(director.told["standings"], key=lambda one: one["points"])["name"]
    screen.until("#why-1", f"{best}: place 1 of the 7 in this round by tournament points (12). The others here: place")
    director.begins()
    director.writes(1, *range(len(director.players(1))))
    screen.wait(lambda: screen.find("#why-1").get_attribute("open"), "what was opened stays open")
    screen.open(f"{evening.address}/tournament?lang=de")
    screen.until("#why-draw", "Die Plätze richten sich nach den Turnierpunkten nach Runde 1")
    screen.find("#why-1 summary").send_keys(ENTER)
    screen.until("#why-1", f"{best}: nach Turnierpunkten (12) Rang 1")
    assert screen.complaints() == []


@pytest.mark.parametrize(
    ("counting", "columns"),
    [("", ["Ranking score", "Tournament points"]), ("points", ["Tournament points", "Rounds"])],
)
def test_the_director_chooses_what_decides_the_order(evening, director, counting, columns):
    screen = director.screen
    screen.run("document.getElementById('open-drawing').value = 'swiss'")
    screen.run("document.getElementById('open-counting').value = arguments[0]", counting)
    director.opens()
    director.all_here()
    director.draws()
    director.begins()
    for table in (1, 2):
        director.writes(table, *range(40, 40 - 10 * len(director.players(table)), -10))
    director.stage("between")
    first = director.told["standings"][0]
    screen.open(f"{evening.address}/tournament?lang=en")
    screen.until("#standings tbody", first["name"])
    heads = screen.all("#standings th[scope=col]")
    assert [one.text for one in heads][2:4] == columns
    shown = [one.text for one in screen.all("#standings tbody tr:first-child td")]
    assert float(shown[1]) == first["score" if counting == "" else "points"]
    assert screen.violations() == []
    assert screen.complaints() == []


def test_after_a_cut_the_best_four_play_on(director):
    screen = director.screen
    director.opens()
    director.all_here()
    director.draws()
    assert screen.run("return document.getElementById('cut-section').hidden")
    director.begins()
    for table in (1, 2):
        director.writes(table, *range(40, 40 - 10 * len(director.players(table)), -10))
    director.stage("between")
    best = {one["name"] for one in director.told["standings"][:4]}
    director.fill("#cut-players", "4")
    director.press("#cut button", "Players who go on: 4.")
    screen.until("#players-count", "Here: 4 · on the list: 7")
    director.draws(2)
    assert [len(one["players"]) for one in director.told["tables"]] == [4]
    assert set(director.players(1)) == best
    assert screen.complaints() == []


def test_seven_play_a_whole_tournament(evening, director):
    screen = director.screen
    director.opens()
    screen.until("#players-count", "Here: 0 · on the list: 7")
    assert not screen.find("#draw").is_enabled()
    for number in range(1, 7):  # one tap each
        director.press(f"#check-in-{number}")
    screen.find("#check-in-7").send_keys(ENTER)
    screen.until("#players-count", "Here: 7 · on the list: 7")
    screen.wait(lambda: screen.find("#draw").is_enabled(), "the draw")

    director.draws()
    assert [len(one["players"]) for one in director.told["tables"]] == [4, 3]
    director.press("#begin")
    screen.until("#begin-count", "Tables in this round: 2. Tables connected to the hall: 2.")
    director.press("#begin-yes", "The round has begun.")
    screen.wait(lambda: len(evening.begun) == 2, "what the tables are asked")
    assert [evening.begun[f"table-{table}"]["players"] for table in (1, 2)] == [
        director.players(1),
        director.players(2),
    ]

    evening.starts("table-1")
    evening.starts("table-2")
    screen.until("#state-1", "Round 1 of 1 of the match is under way.")
    evening.ends("table-1", 60, 10, -30, -40)
    screen.until("#tables", "The table has reported its result.")
    director.writes(2, 5, 30, -35)  # its box has gone home before it told
    director.stage("between")
    first = director.players(1)[0]
    assert director.told["standings"][0]["name"] in (first, director.players(2)[1])

    director.draws(2)
    director.begins()
    screen.wait(
        lambda: all(one["draw"].endswith(f"r2-t{one['draw'][-1]}") for one in evening.begun.values()), "round 2"
    )
    for table, points in (("table-1", (1, 2, 3, 4)), ("table-2", (9, 8, 7))):
        evening.starts(table)
        evening.ends(table, *points)
    director.stage("between")
    assert not screen.all("#draw")[0].is_displayed()  # all rounds are drawn
    director.press("#end")
    director.press("#end-yes", "The tournament has ended.")
    screen.until("#told", "The tournament is over.")
    assert screen.violations() == []

    screen.open(f"{evening.address}/tournament")
    screen.until("#told", "The tournament is over.")
    places = [row.text.split()[0] for row in screen.all("#standings tbody tr")]
    assert places == ["1", "2", "3", "4", "5", "6", "7"]
    assert [one.text.split("\n")[0] for one in screen.all("#past article")] == ["Round 2", "Round 1"]
    assert screen.complaints() == []


def test_a_correction_leaves_its_trace_for_everybody(evening, director):
    screen = director.screen
    director.opens(rounds="1")
    director.all_here()
    director.draws()
    director.begins()
    director.writes(1, 1, 2, 3, 4)
    director.press("#hand-1")
    screen.until("#result-do", "Correct the result")
    assert [one.get_attribute("value") for one in screen.all("#result-points input")] == ["1", "2", "3", "4"]
    director.fill("#result-points-0", "-9")
    screen.find("#result-do").click()  # who and why are missing
    assert director.told["traces"] == []
    director.fill("#result-who", "Eve")
    director.fill("#result-why", "a joker was counted twice")
    director.press("#result-do", "Round 1, table 1: the result has been corrected.")
    screen.open(f"{evening.address}/tournament")
    screen.until("#changes", " was corrected to ")
    screen.until("#changes", "Eve")
    screen.until("#changes", "a joker was counted twice")


def test_two_players_swap_by_being_picked(director):
    screen = director.screen
    director.opens()
    director.all_here()
    director.draws()
    one, other = (director.told["tables"][at]["players"][0] for at in (0, 1))
    director.press("#swap-start")
    assert not screen.all("#swap-do")[0].is_displayed()
    director.press(f"#pick-{one['number']}")
    screen.until("#picked", f"{one['name']} and …")
    screen.find(f"#pick-{other['number']}").send_keys(ENTER)
    screen.until("#picked", f"{one['name']} and {other['name']} change places.")
    director.fill("#swap-who", "Eve")
    director.fill("#swap-why", "they live together")
    director.press("#swap-do", "have changed places.")
    screen.wait(lambda: director.players(1)[0] == other["name"], "the swap")
    assert director.players(2)[0] == one["name"]
    screen.until("#changes", f"Round 1: {one['name']} and {other['name']} have swapped seats.")
    screen.find("#swap-start")
    assert not screen.all("#swap")[0].is_displayed()


def test_rule_book_sizes_and_tie_breaks_can_be_agreed(evening, director):
    screen = director.screen
    screen.find("#open summary").click()
    assert screen.violations() == []
    screen.find("#open-book").send_keys("Gin Rummy")
    screen.find("#open-match").send_keys("5")
    for number, tie in enumerate(("Head to head", "Head to head", "Drawing lots", "none"), 1):
        screen.find(f"#open-tie-{number}").send_keys(tie)
    director.opens("Ann\nBen\nCem\nDora")
    rules = evening.keeper.facts.current.tournament.rules
    assert (rules.smallest, rules.largest, rules.tie_breaks) == (2, 2, ("direct", "lots"))
    assert (rules.book, rules.match_rounds) == ("gin", 5)
    director.all_here()
    director.draws()
    assert [len(one["players"]) for one in director.told["tables"]] == [2, 2]


def test_older_tournaments_stay_as_files(evening, director):
    screen = director.screen
    director.opens("Ann\nBen\nCem", rounds="1")
    director.all_here()
    director.draws()
    director.begins()
    director.writes(1, 1, 2, 3)
    director.stage("between")
    director.press("#end")
    director.press("#end-yes", "The tournament has ended.")
    director.press("#open-heading button")  # it is folded below the podium
    director.fill("#open-name", "Summer cup")
    director.press("#open button", "The tournament is open.")
    screen.open(f"{evening.address}/tournament")
    screen.until("#older", "Spring cup")
    link = screen.find("#older a")
    assert link.get_attribute("href").endswith("/tournament-standings.csv?of=spring-cup-1")
    assert screen.violations() == []


def test_who_comes_late_takes_the_place_of_whoever_leaves(director):
    screen = director.screen
    director.opens()
    for number in range(1, 7):
        director.press(f"#check-in-{number}", "is checked in.")
    screen.until("#players-count", "Here: 6")
    director.draws()
    gone = director.told["tables"][0]["players"][1]
    director.press(f"#leave-{gone['number']}")
    director.fill(f"#leave-text-{gone['number']}", "a headache")
    screen.find(f"#leave-text-{gone['number']}").send_keys(ENTER)
    screen.until("#answer", f"{gone['name']} still has a seat in round 1: undo the draw and draw again, or swap.")
    director.press("#check-in-7", "Gus is checked in. Gus has no seat in round 1, because it is drawn already: ")
    screen.until("#answer", f"{gone['name']} is not here and still has a seat: swap there.")
    screen.until("#without-seat", "Gus")
    director.press("#begin")
    screen.until("#begin-without", "Here, but without a seat in this round: Gus.")
    screen.until("#begin-gone", f"With a seat in this round, but not here: {gone['name']}.")
    director.press("#begin-sure [data-close]")
    director.press("#swap-start")
    director.press("#without-seat button")
    director.press(f"#pick-{gone['number']}")
    director.fill("#swap-who", "Eve")
    director.fill("#swap-why", "a headache")
    director.press("#swap-do", "have changed places.")
    screen.wait(lambda: director.players(1)[1] == "Gus", "Gus")
    screen.wait(lambda: not screen.all("#without-seat button"), "nobody without a seat")
    director.press("#begin")
    assert not screen.all("#begin-without")[0].is_displayed()
    assert not screen.all("#begin-gone")[0].is_displayed()


def test_a_draw_is_withdrawn_and_a_table_chosen(evening, director):
    screen = director.screen
    director.opens()
    director.all_here()
    director.draws()
    director.press("#withdraw")
    screen.find("#withdraw-why").send_keys(ESCAPE)
    assert screen.run("return document.activeElement.id") == "withdraw"
    director.press("#withdraw")
    director.fill("#withdraw-who", "Eve")
    director.fill("#withdraw-why", "Ida comes in a minute")
    director.press("#withdraw-sure [type=submit]", "The draw is undone.")
    director.stage("entering")
    director.draws()
    for table, at in ((1, "table-3"), (2, "table-3")):  # the second one changes places with the first
        screen.run("var s = arguments[0]; s.value = arguments[1]; s.dispatchEvent(new Event('change'));",
                   screen.all(f"#at-{table}")[0], at)  # fmt: skip
        screen.wait(lambda: director.told["tables"][table - 1]["at"] == at, at)  # noqa: B023 - called at once
    assert director.told["tables"][0]["at"] == "table-2"
    director.begins()
    screen.wait(lambda: sorted(evening.begun) == ["table-2", "table-3"], "what the tables are asked")


def test_what_is_refused_is_told_and_nothing_is_lost(evening, director):
    screen = director.screen
    director.opens("Ann\nBen\nCem")
    director.fill("#enter-names", "Dora\nann")
    director.press("#enter button", "ann")
    assert "refused" in screen.find("#answer").get_attribute("class")
    assert screen.find("#enter-names").get_attribute("value") == "Dora\nann"
    assert screen.violations() == []
    director.press("#answer button")
    assert not screen.all("#answer")[0].is_displayed()
    director.press("#rename-1")
    director.fill("#rename-text-1", "Ben")
    screen.find("#rename-text-1").send_keys(ENTER)
    screen.until("#answer", "Ben")
    director.fill("#rename-text-1", "Anna")
    screen.find("#rename-text-1").send_keys(ENTER)
    screen.until("#answer", "The name on the list is now: Anna.")
    screen.until("#players", "Anna")
    assert screen.run("return document.activeElement.id") == "rename-1"
    director.fill("#rounds-number", "3")
    director.press("#rounds button", "Number of rounds: 3.")
    screen.wait(lambda: director.told["rounds"] == 3, "three rounds")
    evening.server.access.new_pin()  # sessions end with the old one
    director.press("#all-here")
    director.press("#all-here-yes", "PIN")


def test_what_is_being_typed_stays_while_tables_tell_their_news(evening, director):
    screen = director.screen
    director.opens()
    director.all_here()
    director.draws()
    director.begins()
    screen.wait(lambda: len(evening.begun) == 2, "what the tables are asked")
    director.press("#hand-2")
    screen.find("#result-points-0").send_keys("12")
    screen.find("#result-points-1").send_keys("3")
    evening.starts("table-1")
    evening.ends("table-1", 40, 0, -10, -30)
    screen.until("#tables", "The table has reported its result.")
    assert [one.get_attribute("value") for one in screen.all("#result-points input")] == ["12", "3", ""]
    assert screen.run("return document.activeElement.id") == "result-points-1"


def test_a_round_is_begun_by_keyboard_on_a_phone(director):
    screen = director.screen
    screen.resize(*SIZES["phone"])
    director.opens()
    director.all_here()
    screen.find("#draw").send_keys(ENTER)
    director.stage("drawn")
    screen.wait(lambda: screen.run("return document.activeElement.id") == "steps-heading", "the next step")
    for wanted in ("begin", "withdraw"):
        screen.driver.switch_to.active_element.send_keys(TAB)
        assert screen.run("return document.activeElement.id") == wanted
    screen.find("#begin").send_keys(ENTER)
    assert screen.run("return document.activeElement.id") == "begin-count"
    assert screen.find("#begin").get_attribute("aria-expanded") == "true"
    assert screen.violations() == []
    screen.driver.switch_to.active_element.send_keys(TAB)
    assert screen.run("return document.activeElement.id") == "begin-yes"
    screen.driver.switch_to.active_element.send_keys(ENTER)
    director.stage("playing")
    assert screen.sideways() <= 0
