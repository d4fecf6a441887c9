"""`referee scores`: sheets, totals, seasons, in three formats."""

import csv
import io
import json
import os
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import cv2
import pytest
from command_line import run
from played import short, write

import referee.cli.verbs.scores
from referee.cli.main import main
from referee.game.match.events import Corrected, Started
from referee.game.match.machine import apply
from referee.journal.opening import FILE, open_journal
from referee.journal.rows import Setup

Captured = pytest.CaptureFixture[str]
COMMAND_LINE = (Path(__file__).parents[3] / "docs" / "command-line.md").read_text(encoding="utf-8")

TRACE = ("--who", "Ben", "--why", "a joker was counted as 13")
"""Who corrects a round, and why."""


@pytest.fixture(autouse=True)
def utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """This machine lies in Greenwich."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A journal with a corrected match, one of another season and rule book, one given up, and one under way."""
    moments = [datetime(2026, 3, 1, 18, 30, tzinfo=UTC)]
    journal = open_journal(tmp_path / "state", lambda: moments[-1]).journal
    rummikub, ravensburger = Setup("rummikub"), Setup("ravensburger", {"jokers": "2"}, "Winter")
    steps = short()
    write(journal, rummikub, steps)
    moments.append(datetime(2026, 3, 1, 19, 4, tzinfo=UTC))
    event = Corrected(1, (0, 95), 60.0, winner=0)
    journal.append(event, apply(steps[-1].state, event)[0])
    moments.append(datetime(2026, 12, 31, 23, 0, tzinfo=UTC))
    write(journal, ravensburger, short(ravensburger, rounds=2))
    write(journal, ravensburger, short(ravensburger)[:3])
    journal.give_up()
    write(journal, rummikub, short(rounds=2)[:6])
    journal.close()
    return tmp_path / "state"


@pytest.fixture
def scores(state: Path, capsys: Captured) -> Callable[..., str]:
    def run_scores(*arguments: str, code: int = 0) -> str:
        assert run(["scores", "--state", state, *arguments])[0] == code
        captured = capsys.readouterr()
        return captured.err if code else captured.out

    return run_scores


def test_the_readme_shows_what_is_printed(scores: Callable[..., str]) -> None:
    chapter = COMMAND_LINE[COMMAND_LINE.index("    $ referee scores --match 1") :].split("\n\n")[0]
    shown = [line[4:].rstrip() for line in chapter.splitlines()[1:]]
    assert [line.rstrip() for line in scores("--match", "1").splitlines()] == shown


def test_without_options_all_matches_are_listed_and_the_newest_sheet(scores: Callable[..., str]) -> None:
    out = scores()
    assert "Ann won" in out
    assert "given up" in out
    assert "1 March 2026, 18:30" in out
    assert "Match 4: rummikub" in out
    assert out.splitlines()[-1] == "not over."


def test_json_has_an_object_for_every_match(scores: Callable[..., str]) -> None:
    first, second, third, fourth = map(json.loads, scores("--format", "json").splitlines())
    assert first["players"] == ["Ann", "Ben"]
    assert first["totals"] == [95, -95]
    assert first["winners"] == ["Ann"]
    assert first["corrections"][0]["before"]["scores"] == [128, -128]
    assert first["corrections"][0]["corrected"] == "2026-03-01T19:04:00+00:00"
    assert first["rounds"] == [
        {"round": 1, "winner": "Ann", "ending": "went-out", "hands": [0, 95], "scores": [95, -95]}
    ]
    assert (second["options"], second["season"], len(second["rounds"])) == ({"jokers": "2"}, "Winter", 2)
    assert [match["state"] for match in (first, second, third, fourth)] == ["over", "over", "given up", "not over"]
    assert len(fourth["rounds"]) == 1


def test_csv_has_a_line_for_every_player_in_every_round(scores: Callable[..., str]) -> None:
    lines = list(csv.DictReader(io.StringIO(scores("--format", "csv"))))
    assert len(lines) == 2 + 4 + 2
    assert lines[0] == {
        "match": "1",
        "begun": "2026-03-01T18:30:00+00:00",
        "rules": "rummikub",
        "season": "",
        "state": "over",
        "round": "1",
        "player": "Ann",
        "hand": "0",
        "score": "95",
        "won": "1",
        "corrected": "1",
        "agreed": "0",
        "begun_is_guess": "0",
    }


def test_players_add_up_by_rule_book(scores: Callable[..., str]) -> None:
    totals = [json.loads(line) for line in scores("--players", "--format", "json").splitlines()]
    ann = next(total for total in totals if (total["player"], total["rules"]) == ("Ann", "rummikub"))
    assert ann == {
        "player": "Ann",
        "rules": "rummikub",
        "matches": 1,
        "matches_won": 1,
        "rounds": 2,
        "rounds_won": 2,
        "points": 95 + 128,
    }
    assert len(totals) == 4


def test_players_in_a_table_and_in_csv(scores: Callable[..., str]) -> None:
    assert "+223" in scores("--players")
    lines = list(csv.reader(io.StringIO(scores("--players", "--format", "csv"))))
    assert lines[0] == ["player", "rules", "matches", "matches_won", "rounds", "rounds_won", "points"]
    assert len(lines) == 5


@pytest.mark.parametrize(
    ("season", "matches"),
    [
        pytest.param("Winter", [2, 3], id="by name"),
        pytest.param("2026", [1, 2, 3, 4], id="a year"),
        pytest.param("2026-03", [1], id="a month"),
        pytest.param("2026-12-31..2027-01-01", [2, 3, 4], id="days"),
        pytest.param("2025", [], id="before it all"),
    ],
)
def test_a_season_is_a_name_or_a_span_of_time(scores: Callable[..., str], season: str, matches: list[int]) -> None:
    lines = scores("--season", season, "--format", "json").splitlines()
    assert [json.loads(line)["match"] for line in lines] == matches


def test_a_season_without_a_match_is_told(state: Path, capsys: Captured) -> None:
    assert run(["scores", "--state", state, "--season", "2025"])[0] == 0
    assert capsys.readouterr() == ("", "No match was played in 2025.\n")


@pytest.mark.parametrize("season", ["Summer", "2026-13", "2026-01-02..2026-01-01", "2026-01-01..", "26"])
def test_an_unknown_season_is_told_with_the_known_ones(scores: Callable[..., str], season: str) -> None:
    err = scores("--season", season, code=2)
    assert err.startswith("referee: --season: expected a season out of Winter")
    assert err.count("\n") == 1


def test_an_unknown_match_is_told_with_the_known_ones(scores: Callable[..., str]) -> None:
    assert "one of 1-4, found 9" in scores("--match", "9", code=2)
    assert "one of 2-3, found 1" in scores("--season", "Winter", "--match", "1", code=2)


def test_without_a_journal_it_is_said_that_nothing_was_played(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    monkeypatch.setenv("REFEREE_STATE", str(tmp_path / "none"))
    for form in ("table", "csv", "json"):
        assert run(["scores", "--format", form])[0] == 0
        out, err = capsys.readouterr()
        assert "No match has been played yet" in err
        assert str(tmp_path) in err
        assert out.count("\n") == (1 if form == "csv" else 0)
    assert run(["scores", "--players"])[0] == 0
    capsys.readouterr()
    assert run(["scores", "--match", "1"])[0] == 2
    err = capsys.readouterr().err
    assert "--match: expected the number of a match, found 1: No match has been played yet" in err
    assert err.count("\n") == 1
    assert not (tmp_path / "none").exists()


def test_an_empty_journal_has_no_match(tmp_path: Path, capsys: Captured) -> None:
    open_journal(tmp_path).journal.close()
    assert run(["scores", "--state", tmp_path])[0] == 0
    assert "No match" in capsys.readouterr().err
    (tmp_path / FILE).write_bytes(b"")
    assert run(["scores", "--state", tmp_path])[0] == 0


@pytest.mark.parametrize("variable", ["REFEREE_STATE", "STATE_DIRECTORY"])
def test_the_environment_says_where_the_journal_lies(
    state: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.delenv("REFEREE_STATE", raising=False)
    monkeypatch.setenv(variable, str(state))
    assert run(["scores", "--match", "1"])[0] == 0
    assert "Ann won" in capsys.readouterr().out


def test_a_folder_that_is_not_there_is_bad_input(tmp_path: Path, capsys: Captured) -> None:
    assert run(["scores", "--state", tmp_path / "none"])[0] == 2
    assert "--state: expected the folder of a journal" in capsys.readouterr().err


def test_a_file_that_is_no_journal_is_told_in_one_line(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / FILE).write_bytes(b"my shopping list\n" * 1000)
    assert run(["scores", "--state", tmp_path])[0] == 2
    err = capsys.readouterr().err
    assert "damaged" in err
    assert "start the referee once" in err
    assert err.count("\n") == 1


def test_a_file_in_the_place_of_the_folder_is_bad_input(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("REFEREE_STATE", str(tmp_path / "file"))
    for arguments in ([], ["--state", tmp_path / "file"], ["--state", tmp_path / "file" / "below"]):
        assert run(["scores", *arguments])[0] == 2
        err = capsys.readouterr().err
        assert f"expected the folder of a journal, found a file ({tmp_path / 'file'})" in err
        assert err.count("\n") == 1


def test_no_folder_at_all_is_not_the_current_one(
    state: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(state)
    for chosen in ("", " "):
        assert run(["scores", "--state", chosen])[0] == 2
        told = capsys.readouterr().err
        assert told == f"referee: --state: expected the folder of a journal, found {chosen!r}\n"
    assert run(["scores", "--state", "."])[0] == 0


def test_where_the_service_has_a_journal_and_this_user_none_it_is_said(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(referee.cli.verbs.scores, "SERVICE", tmp_path)
    monkeypatch.setenv("REFEREE_STATE", str(tmp_path / "mine"))
    assert run(["scores"])[0] == 0
    told = f"The service keeps its own journal in {tmp_path}: sudo -u referee referee scores"
    assert told in capsys.readouterr().err
    monkeypatch.setenv("REFEREE_STATE", str(tmp_path))
    assert run(["scores"])[0] == 0
    assert "sudo" not in capsys.readouterr().err


def test_without_a_home_it_is_told_what_to_do(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("REFEREE_STATE", "STATE_DIRECTORY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    assert run(["scores"])[0] == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_folder_with_a_name_that_is_no_text_is_read(state: Path, capsys: Captured) -> None:
    other = state.rename(os.fsdecode(os.fsencode(state.parent) + b"/st\xff"))
    assert main(["scores", "--state", str(other)]) == 0
    assert "Ann" in capsys.readouterr().out
    assert main(["scores", "--state", str(other), "--match", "2", "--correct", "1", "--points", "0,9",
                 "--winner", "Ann", *TRACE]) == 0  # fmt: skip


def test_reading_leaves_the_folder_as_it_was(state: Path) -> None:
    before = {one.name: one.read_bytes() for one in state.iterdir()}
    assert run(["scores", "--state", state])[0] == 0
    assert {one.name: one.read_bytes() for one in state.iterdir()} == before


class TestCorrecting:
    @pytest.fixture
    def played(self, tmp_path: Path) -> Path:
        journal = open_journal(tmp_path / "state").journal
        write(journal, Setup("rummikub"), short())
        journal.close()
        return tmp_path / "state"

    def test_a_round_is_written_anew_and_leaves_a_trace(self, played: Path, capsys: Captured) -> None:
        assert (
            run(["scores", "--state", played, "--correct", 1, "--points", "0,95", "--winner", "Ann", *TRACE])[0] == 0
        )
        out = capsys.readouterr().out
        assert "Ann +95" in out
        assert "corrected to" in out
        assert run(["scores", "--state", played, "--correct", 1, "--points", "7,0", "--winner", "Ben", *TRACE])[0] == 0
        assert json.loads(self.json_of(played, capsys))["rounds"]

    def json_of(self, played: Path, capsys: Captured) -> str:
        capsys.readouterr()
        assert run(["scores", "--state", played, "--match", 1, "--format", "json"])[0] == 0
        return capsys.readouterr().out

    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (["--correct", "2", "--points", "0,5", "--winner", "Ann", *TRACE], "Round 2 has not been played"),
            (
                ["--correct", "1", "--points", "0,5,9", "--winner", "Ann", *TRACE],
                "--points: expected 2 numbers, for Ann, Ben",
            ),
            (["--correct", "1", "--points", "0,-5", "--winner", "Ann", *TRACE], "--points: expected whole numbers"),
            (["--correct", "1", "--points", "0,5", "--winner", "Eve", *TRACE], "--winner: expected one of Ann, Ben"),
            (
                ["--correct", "1", "--points", "3,5", "--winner", "Ann", *TRACE],
                "cannot have points left in hand, but you entered 3 points",
            ),
            (["--correct", "1"], "--correct: expected a round together with --points"),
            (["--winner", "Ann"], "--correct: expected a round together with --points"),
            (["--correct", "1", "--points", "0,5", *TRACE[:2]], "--correct: expected --why beside it"),
            (["--correct", "1", "--points", "0,5", *TRACE[2:]], "--correct: expected --who beside it"),
            (["--correct", "1", "--points", "0,5", *TRACE[:2], "--why", " "], "--correct: expected --why beside it"),
        ],
    )
    def test_what_cannot_have_been_changes_nothing(
        self, played: Path, capsys: Captured, arguments: list[str], told: str
    ) -> None:
        before = self.json_of(played, capsys)
        assert run(["scores", "--state", played, *arguments])[0] == 2
        assert told in capsys.readouterr().err
        assert self.json_of(played, capsys) == before

    def test_values_that_stand_there_already_leave_no_trace(self, played: Path, capsys: Captured) -> None:
        before = self.json_of(played, capsys)
        rounds = json.loads(before)["rounds"]
        points = ",".join(str(hand) for hand in rounds[0]["hands"])
        assert (
            run(["scores", "--state", played, "--correct", 1, "--points", points, "--winner", "Ann", *TRACE])[0] == 0
        )
        out, err = capsys.readouterr()
        assert err == "Nothing changed: round 1 of match 1 stands so already.\n"
        assert "corrected" not in out
        assert self.json_of(played, capsys) == before

    def test_beside_a_running_referee_it_is_refused(self, played: Path, capsys: Captured) -> None:
        journal = open_journal(played).journal
        assert run(["scores", "--state", played, "--correct", 1, "--points", "0,5", "--winner", "Ann", *TRACE])[0] == 2
        assert capsys.readouterr().err.count("\n") == 1
        journal.close()

    def test_without_a_match_there_is_nothing_to_correct(
        self, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert (
            run(["scores", "--state", tmp_path, "--correct", 1, "--points", "0,5", "--winner", "Ann", *TRACE])[0] == 2
        )
        assert "expected a journal, found none" in capsys.readouterr().err
        assert list(tmp_path.iterdir()) == []
        monkeypatch.setenv("REFEREE_STATE", str(tmp_path / "none"))
        assert run(["scores", "--correct", 1, "--points", "0,5", "--winner", "Ann", *TRACE])[0] == 2
        assert capsys.readouterr().err.count("\n") == 1
        assert list(tmp_path.iterdir()) == []
        open_journal(tmp_path).journal.close()
        assert (
            run(["scores", "--state", tmp_path, "--correct", 1, "--points", "0,5", "--winner", "Ann", *TRACE])[0] == 2
        )
        assert "found none that was played" in capsys.readouterr().err

    def test_any_match_can_be_corrected_and_only_that_one_changes(self, state: Path, capsys: Captured) -> None:
        def sheets() -> list[dict[str, object]]:
            capsys.readouterr()
            assert run(["scores", "--state", state, "--format", "json"])[0] == 0
            return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

        before = sheets()
        arguments = [
            "scores",
            "--state",
            state,
            "--match",
            2,
            "--correct",
            2,
            "--points",
            "9,0",
            "--winner",
            "Ben",
            *TRACE,
        ]
        assert run(arguments)[0] == 0
        out = capsys.readouterr().out
        assert out.startswith("Match 2: ravensburger")
        assert "round 2 was Ann" in out
        after = sheets()
        assert [one == other for one, other in zip(before, after, strict=True)] == [True, False, True, True]
        assert len(after[1]["corrections"]) == 1
        opened = open_journal(state)
        opened.journal.close()
        assert opened.notices == ()
        assert opened.kept is not None
        assert opened.kept.match == 4

    def test_a_match_that_is_not_there_cannot_be_corrected(self, state: Path, capsys: Captured) -> None:
        arguments = [
            "scores",
            "--state",
            state,
            "--match",
            9,
            "--correct",
            1,
            "--points",
            "0,9",
            "--winner",
            "Ann",
            *TRACE,
        ]
        assert run(arguments)[0] == 2
        assert "--match: expected the number of a match, at most 4, found 9" in capsys.readouterr().err

    def test_what_was_mended_before_a_correction_is_told(self, played: Path, capsys: Captured) -> None:
        (played / FILE).write_bytes(b"x" + (played / FILE).read_bytes()[1:])
        assert (
            run(["scores", "--state", played, "--correct", 1, "--points", "0,95", "--winner", "Ann", *TRACE])[0] == 0
        )
        captured = capsys.readouterr()
        assert "The journal was damaged" in captured.err
        assert "Ann +95" in captured.out

    def test_in_gin_the_points_are_those_that_were_got(self, tmp_path: Path, capsys: Captured) -> None:
        journal = open_journal(tmp_path).journal
        setup = Setup("gin")
        state, _ = apply(setup.state(), event := Started(("Ann", "Ben"), 0.0))
        journal.begin(setup, event, state)
        journal.close()
        assert (
            run(["scores", "--state", tmp_path, "--correct", 1, "--points", "0,5", "--winner", "Ben", *TRACE])[0] == 2
        )
        assert "Round 1 has not been played" in capsys.readouterr().err


class TestEnding:
    def test_a_match_is_ended_and_stays_on_the_sheet(self, state: Path, capsys: Captured) -> None:
        assert run(["scores", "--state", state, "--end", 4])[0] == 0
        out, err = capsys.readouterr()
        assert out.startswith("Match 4: rummikub")
        assert out.endswith("given up.\n")
        assert err == ""
        assert run(["scores", "--state", state, "--end", 4])[0] == 0
        assert capsys.readouterr().err == "Nothing changed: match 4 has ended already.\n"
        opened = open_journal(state)
        opened.journal.close()
        assert opened.kept is not None
        assert opened.kept.is_over

    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (["--end", 9], "--end: expected the number of a match, at most 4, found 9"),
            (["--end", 0], "--end: expected the number of a match, at most 4, found 0"),
            (["--end", 2**63], f"--end: expected the number of a match, at most 4, found {2**63}"),
            (["--end", -(2**63) - 1], "--end: expected the number of a match, at most 4, found -"),
            (
                ["--match", 2**63, "--correct", 1, "--points", "0,1", *TRACE],
                f"--match: expected the number of a match, at most 4, found {2**63}",
            ),
            (["--end", 4, "--match", 4], "--end: expected a match to end and nothing else"),
        ],
    )
    def test_what_cannot_be_ended_is_told(
        self, state: Path, capsys: Captured, arguments: list[object], told: str
    ) -> None:
        assert run(["scores", "--state", state, *arguments])[0] == 2
        err = capsys.readouterr().err
        assert told in err
        assert err.count("\n") == 1


def test_a_format_that_there_is_not_is_told_in_our_own_words(capsys: Captured) -> None:
    assert run(["scores", "--format", "xml"])[0] == 2
    err = capsys.readouterr().err
    assert err == "referee: --format: expected one of table, csv, json, found 'xml'\n"


def printed(capsys: Captured, *arguments: object) -> str:
    assert run(["scores", *arguments])[0] == 0
    return capsys.readouterr().out


def test_a_match_is_drawn_as_a_card(state: Path, tmp_path: Path) -> None:
    target, sheet = tmp_path / "evening.png", ["scores", "--state", state, "--match", "1"]
    assert run([*sheet, "--card", target])[0] == 0
    assert cv2.imread(str(target)).shape[1] == 1080
    before = target.read_bytes()
    assert run([*sheet, "--card", target, "--language", "de"])[0] == 0
    assert target.read_bytes() != before


def test_a_card_is_a_png_and_nothing_else(state: Path, tmp_path: Path, capsys: Captured) -> None:
    assert run(["scores", "--state", state, "--card", tmp_path / "evening.jpg"])[0] == 2
    assert "--card: expected a file that ends in .png" in capsys.readouterr().err.replace("\n", " ")
    assert not (tmp_path / "evening.jpg").exists()


def test_without_a_match_there_is_no_card(tmp_path: Path) -> None:
    open_journal(tmp_path / "state").journal.close()
    assert run(["scores", "--state", tmp_path / "state", "--card", tmp_path / "evening.png"])[0] == 0
    assert not (tmp_path / "evening.png").exists()


def test_statistics_count_what_was_corrected(state: Path, capsys: Captured) -> None:
    out = printed(capsys, "--state", state, "--statistics", "--format", "csv")
    rows = {row["player"]: row for row in csv.DictReader(io.StringIO(out))}
    assert set(rows) == {"Ann", "Ben"}
    assert "rummikub:+95" in rows["Ann"]["points"]
    assert rows["Ann"]["matches"] == "2"
    out = printed(capsys, "--state", state, "--statistics", "--season", "Winter", "--format", "json")
    assert json.loads(out.splitlines()[0])["matches"] == 1
    assert "rating" in printed(capsys, "--state", state, "--statistics")


def test_pairs_say_who_finished_ahead_of_whom(state: Path, capsys: Captured) -> None:
    out = printed(capsys, "--state", state, "--pairs", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert {(row["player"], row["other"]) for row in rows} == {("Ann", "Ben"), ("Ben", "Ann")}
    assert all(int(row["ahead"]) + int(row["behind"]) + int(row["equal"]) == int(row["matches"]) for row in rows)
