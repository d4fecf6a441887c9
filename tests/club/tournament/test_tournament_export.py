import csv
import io
import json
import re

import pytest
from tournaments import Log

from referee.club.tournament.events import Described, DrawWithdrawn, ResultCorrected, Swapped, TeamGiven
from referee.club.tournament.export import VERSION, as_json, meetings_csv, results_csv, standings_csv, teams_csv
from referee.club.tournament.rules import Counting, Drawing, GroupStage


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def example():
    log = Log(players=5, largest=2)
    log.draw()
    log.do(DrawWithdrawn(2.0, "Director", "one more came"))
    log.enter('=HYPERLINK("x")')
    one = log.draw()
    log.do(Swapped(one.tables[0].players[0], one.tables[1].players[0], 3.0))
    log.tell()
    log.do(ResultCorrected(1, 3, (50, -50), 4.0, "Director", "other way round"))
    log.draw()
    return log


def test_json_holds_everything_and_is_json():
    told = json.loads(json.dumps(as_json(example().now), allow_nan=False))
    assert told["tournament"] == "Spring cup"
    assert [len(one["tables"]) for one in told["rounds"]] == [3, 3]
    assert told["rounds"][0]["tables"][2]["totals"] == [50, -50]
    assert told["rounds"][0]["tables"][2]["points"] == [12, 0]
    assert told["rounds"][1]["tables"][0]["points"] is None
    assert [one["change"] for one in told["changes"]] == ["withdrawal", "swap", "correction"]
    assert told["changes"][2]["who"] == "Director"
    assert told["changes"][2]["after"] == [50, -50]
    assert [line["place"] for line in told["standings"]] == [1, 2, 3, 4, 5, 6]
    assert told["standings"][0]["rounds"] == [12, None]


def test_standings_are_a_table():
    found = rows(standings_csv(example().now))
    assert [row["place"] for row in found] == list("123456")
    assert found[0]["points"] == found[0]["round 1"] == "12"
    assert found[0]["round 2"] == ""
    assert {"wins", "opponents", "margin"} <= found[0].keys()


def test_results_are_a_table():
    found = rows(results_csv(example().now))
    assert len(found) == 12
    corrected = [row for row in found if row["corrected"] == "1"]
    assert [(row["round"], row["table"], row["total"], row["points"]) for row in corrected] == [
        ("1", "3", "50", "12"),
        ("1", "3", "-50", "0"),
    ]
    assert [row["points"] for row in found if row["round"] == "2"] == [""] * 6


def test_byes_stand_in_the_results():
    log = Log(players=3, largest=2)
    log.play()
    free = [row for row in rows(results_csv(log.now)) if not row["table"]]
    assert [(row["round"], row["points"]) for row in free] == [("1", "6")]


def test_no_name_is_a_formula_in_a_spreadsheet():
    for text in (standings_csv(example().now), results_csv(example().now)):
        names = {row["player"] for row in rows(text)}
        assert '\'=HYPERLINK("x")' in names
        assert not any(name.startswith("=") for name in names)


def test_nothing_can_be_exported_too():
    assert rows(standings_csv(Log().now)) == rows(results_csv(Log().now)) == []
    assert as_json(Log().now)["standings"] == []


def test_meetings_count_tables_with_a_result_and_who_was_ahead():
    log = Log(players=5, largest=2)
    log.play()
    log.play()
    log.draw()  # without a result, nobody has met
    found = rows(meetings_csv(log.now))
    told = {(row["player"], row["other"]): row for row in found}
    assert sum(int(row["met"]) for row in found) == 4
    for one in log.now.rounds[:2]:
        for table in one.tables:
            first, second = sorted(table.players)
            row = told[f"Player {first}", f"Player {second}"]
            assert (row["ahead"], row["behind"]) == (row["met"], "0")  # the lower number is better
            assert str(log.now.rounds.index(one) + 1) in row["rounds"].split()


FORMULA = re.compile(r"[=+@＝]|-(?!\d)")  # noqa: RUF001
HOSTILE = ("=1+1", "+A1", "-2+3", "@SUM(A1)", "＝1+1", 'x";=1+1', "a;=1+1", 'Ann"')  # noqa: RUF001


def test_no_file_has_a_cell_that_a_spreadsheet_takes_for_a_formula():
    log = Log()
    for name in HOSTILE:
        log.enter(name)
        log.do(Described(len(log.now.players), 1.0, club=f"={len(log.now.players)}"))
    log.play()
    for text in (standings_csv(log.now), results_csv(log.now), meetings_csv(log.now)):
        cells = [cell for row in rows(text) for cell in row.values()]
        assert not [cell for cell in cells if FORMULA.match(cell)]
        assert "'=1+1" in cells
        # Whoever separates by semicolons still gets whole names: each is in quotes.
        assert '"a;=1+1"' in text


def test_the_version_of_the_document_is_told_with_clubs_and_ratings():
    log = Log(players=4)
    log.do(Described(1, 1.0, "North", 1850))
    log.play()
    told = as_json(log.now)
    assert told["version"] == VERSION
    assert (told["players"][0]["club"], told["players"][0]["rating"]) == ("North", 1850)
    assert {one["club"] for one in told["standings"]} == {"North", ""}
    assert "North" in {row["club"] for row in rows(standings_csv(log.now))}


def test_columns_for_teams_and_groups_are_there_only_if_these_are():
    plain = rows(standings_csv(example().now))
    assert not {"team", "group", "group_place"} & plain[0].keys()
    log = Log(players=6, largest=2, drawing=Drawing.GROUPS, groups=GroupStage(3, 2))
    log.do(TeamGiven(1, "=Reds", 1.0))
    log.do(TeamGiven(2, "Blues", 1.0))
    log.play()
    log.enter("Late")
    found = {row["player"]: row for row in rows(standings_csv(log.now))}
    assert (found["Player 1"]["team"], found["Player 3"]["team"]) == ("'=Reds", "")
    assert {row["group"] for row in found.values()} == {"A", "B", ""}
    assert sorted(row["group_place"] for row in found.values() if row["group"] == "A") != ["", "", ""]
    assert found["Late"]["group_place"] == ""
    teams = rows(teams_csv(log.now))
    assert {row["team"]: row["players"] for row in teams} == {"'=Reds": "Player 1", "Blues": "Player 2"}
    assert teams_csv(Log().now) == '"place","team","points","counted","players","score"\n'
    told = json.loads(json.dumps(as_json(log.now)))
    assert [one["group"] for one in told["groups"]] == ["A", "B"]
    assert (told["final"], told["group_stage"]["size"], told["team_counts"]) == (None, 3, None)
    assert {one["team"]: one["members"] for one in told["teams"]} == {"=Reds": [1], "Blues": [2]}
    assert told["players"][0]["team"] == "=Reds"


def test_what_the_strength_of_opponents_adds_is_in_all_files():
    log = Log(players=8, drawing=Drawing.SWISS, counting=Counting.STRENGTH)
    log.play()
    log.play()
    told = as_json(log.now)["standings"]
    assert all(line["score"] == pytest.approx(line["points"] + line["strength"], abs=1e-3) for line in told)
    assert any(line["strength"] for line in told)
    assert [float(row["strength"]) for row in rows(standings_csv(log.now))] == [line["strength"] for line in told]
    plain = as_json(example().now)["standings"]
    assert {line["strength"] for line in plain} == {0}


def test_groups_have_the_score_that_decides_their_order():
    log = Log(players=8, drawing=Drawing.GROUPS, groups=GroupStage(4, 2), counting=Counting.STRENGTH)
    log.play()
    for group in as_json(log.now)["groups"]:
        scores = [line["score"] for line in group["standings"]]
        assert scores == sorted(scores, reverse=True)
        assert all(line["score"] == line["points"] + line["strength"] for line in group["standings"])
