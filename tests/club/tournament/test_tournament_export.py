import csv
import io
import json

from tournaments import Log

from referee.club.tournament.events import DrawWithdrawn, ResultCorrected, Swapped
from referee.club.tournament.export import as_json, results_csv, standings_csv


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
