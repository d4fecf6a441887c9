"""One way in each place to a table's result: where players entered one, the director decides on its card."""

import pytest
from hall_evening import hall_evening
from test_player_results import Phones
from test_tournament_evening import Director

pytestmark = pytest.mark.page


def test_a_disputed_table_has_one_way_to_another_result(tmp_path, screen):
    with hall_evening(tmp_path, 0) as evening:
        phones = Phones(evening)
        one, other = phones.table.players[:2]
        Director(evening, screen)
        screen.find("#hand-1")
        assert phones.post(one, "report", [40, -10, -30])[0] == 200
        assert phones.post(other, "dispute", [40, -10, -30], otherwise=[30, -10, -20])[0] == 200
        screen.find("#report-third-fold-1 summary").click()
        screen.until("#report-third-fold-1", "For a result that nobody at the table has entered.")
        assert screen.all("#hand-1") == []
        # Whoever chooses this table by hand reads what the difference is.
        screen.open(f"{evening.address}/tournament/director?lang=en")
        screen.find("#report-third-fold-1")
        screen.wait(lambda: screen.run("return document.getElementById('result-table').options.length") > 1, "options")
        screen.run("var s = document.getElementById('result-table'); s.value = '1.1';"
                   " s.dispatchEvent(new Event('change'));")  # fmt: skip
        screen.until("#result-entered", "A result that you write here counts instead.")
        assert screen.violations() == []


def test_the_chosen_table_names_its_round(tmp_path, screen):
    with hall_evening(tmp_path, 0) as evening:
        phones = Phones(evening)
        Director(evening, screen)
        screen.find("#hand-1").click()
        line = "var s = document.getElementById('result-table'); return (s.options[s.selectedIndex] || {}).text || ''"
        screen.wait(lambda: screen.run(line).startswith("Round 1 · Table 1: "), "the round of the table")
        assert len(phones.table.players) == 3


@pytest.mark.parametrize("whose", ["confirm", "other", "third"])
def test_the_answer_says_whose_version_counts(tmp_path, screen, whose):
    with hall_evening(tmp_path, 0) as evening:
        phones = Phones(evening)
        one, other = phones.table.players[:2]
        names = {player.number: player.name for player in evening.keeper.facts.current.tournament.players}
        assert phones.post(one, "report", [40, -10, -30])[0] == 200
        assert phones.post(other, "dispute", [40, -10, -30], otherwise=[30, -10, -20])[0] == 200
        director = Director(evening, screen)
        director.fill("#report-who-1", "Eve")
        if whose == "third":
            screen.find("#report-third-fold-1 summary").click()
            for seat, total in enumerate((50, -20, -30)):
                director.fill(f"#report-third-1-{seat}", str(total))
            director.fill("#report-third-why-1", "Counted again")
            director.press("#report-third-do-1", "Table 1: the result that you entered counts.")
        else:
            counts = names[one if whose == "confirm" else other]
            director.press(f"#report-{whose}-1", f"Table 1: the version of {counts} counts.")
