"""`referee tournament`: on the file of a hall, which must not be running where something changes."""

import json
from contextlib import closing

import pytest
from kept_hall import KeptHall

from referee.cli.main import main
from referee.club.hall.store import HallStore
from referee.club.hall.tournaments.notes import Notes

PLAYERS = "Name;Verein;Elo\nAnn;North;1850\nBen;;\n"


@pytest.fixture
def state(tmp_path):
    """The state folder of a club that has one tournament."""
    folder = tmp_path / "state"
    (folder / "club").mkdir(parents=True)
    return folder


@pytest.fixture
def run(state, capfd):
    def call(*words):
        code = main(["tournament", *map(str, words), "--set", f"storage.state={state}"])
        out, err = capfd.readouterr()
        return code, out, err

    return call


def hall_in(state, run):
    """A hall at the place where the command looks for it; `referee tournament` says where that is."""
    _, _, err = run()
    path = err.partition("found none (")[2].partition(")")[0]
    assert path.endswith("hall.sqlite"), err
    from pathlib import Path

    folder = Path(path).parent
    folder.mkdir(parents=True, exist_ok=True)
    assert state in folder.parents
    return folder


@pytest.fixture
def folder(state, run):
    folder = hall_in(state, run)
    hall = KeptHall(folder)
    hall.do("open", name="Spring cup", rounds=3)
    hall.do("enter", names="Cleo\nDora")
    hall.close()
    return folder


def names(folder):
    with closing(Notes(folder / "hall.sqlite")) as notes:
        (hosted,) = notes.load_all()[0].values()
        return [(one.name, one.club, one.rating) for one in hosted.tournament.players]


def test_the_tournaments_are_listed(folder, run):
    assert run()[1] == "spring-cup-1: Spring cup, 2 players, under way\n"
    told = json.loads(run("--json")[1])["tournaments"]
    assert told == [{"tournament": "spring-cup-1", "name": "Spring cup", "players": 2, "rounds": 0, "ended": False}]
    assert folder.is_dir()


def test_players_are_shown_first_and_entered_as_a_whole(folder, run, tmp_path):
    file = tmp_path / "players.csv"
    file.write_text(PLAYERS)
    code, out, _ = run("--players", file, "--dry-run")
    assert (code, out) == (0, "2: Ann, North, 1850\n3: Ben\n")
    assert len(names(folder)) == 2
    code, out, _ = run("--players", file)
    assert (code, out.splitlines()[-1]) == (0, "2 players entered in spring-cup-1.")
    assert names(folder)[2:] == [("Ann", "North", 1850), ("Ben", "", None)]
    file.write_text(PLAYERS + "Eve;;strong\n")
    code, _, err = run("--players", file)
    assert code == 2
    assert "Line 4: The rating of Eve must be a whole number" in err
    assert len(names(folder)) == 4
    told = json.loads(run("--players", file, "--dry-run", "--json")[1])
    assert (told["entered"], len(told["wrong"])) == (False, 1)


def test_while_a_hall_runs_nothing_is_changed(folder, run, tmp_path):
    file = tmp_path / "players.csv"
    file.write_text(PLAYERS)
    with closing(HallStore(folder / "hall.sqlite")):
        for words in (("--players", file), ("--restore", tmp_path / "saved.json")):
            if words[0] == "--restore":
                assert run("--save", words[1])[0] == 0
            code, _, err = run(*words)
            assert code == 2
            assert "found a running hall" in err
        assert run("--players", file, "--dry-run")[0] == 0
    assert len(names(folder)) == 2


def test_a_tournament_is_saved_restored_elsewhere_and_exported(folder, run, tmp_path, capfd):
    file, other = tmp_path / "saved.json", tmp_path / "other"
    assert run("--save", file)[0] == 0
    assert file.stat().st_mode & 0o077 == 0
    assert run("--restore", file, "--dry-run")[1] == "Spring cup: can be restored.\n"
    assert "under way" in run("--restore", file)[2]
    assert main(["tournament", "--restore", str(file), "--set", f"storage.state={other}"]) == 0
    assert capfd.readouterr().out == "Spring cup: restored as spring-cup-1.\n"
    assert main(["tournament", "--set", f"storage.state={other}"]) == 0
    assert capfd.readouterr().out.startswith("spring-cup-1: ")
    sheets = tmp_path / "sheets"
    assert run("--export", sheets, "--of", "spring-cup-1")[0] == 0
    assert sorted(one.name for one in sheets.iterdir()) == [
        "spring-cup-1-meetings.csv", "spring-cup-1-results.csv", "spring-cup-1-standings.csv", "spring-cup-1.json",
    ]  # fmt: skip
    assert json.loads((sheets / "spring-cup-1.json").read_text())["version"] == 1
    assert (sheets / "spring-cup-1-standings.csv").read_bytes().startswith(b'\xef\xbb\xbf"place"')
    file.write_bytes(file.read_bytes()[:-5])
    assert "damaged" in run("--restore", file, "--dry-run")[2]
    assert folder.is_dir()


def test_the_tables_of_all_leagues_are_written(folder, run, tmp_path):
    sheets = tmp_path / "sheets"
    assert "--leagues: expected a league, found none" in run("--leagues", sheets)[2]
    hall = KeptHall(folder)
    hall.do("league-found", name="Thursday", evenings=6, best=3, worth="place")
    hall.do("league-add", league="thursday-1", tournament="spring-cup-1")
    hall.do("check-in")
    hall.do("draw")
    hall.do("begin")
    hall.do("result", table=1, points=[-player for player in hall.drawn.tables[0].players])
    told = json.loads(run("--leagues", sheets, "--json")[1])  # the hall runs, and nothing of it is changed
    hall.close()
    assert told["leagues"] == ["thursday-1"]
    assert sorted(one.name for one in sheets.iterdir()) == ["thursday-1.csv", "thursday-1.json"]
    document = json.loads((sheets / "thursday-1.json").read_text())
    assert [(one["player"], one["total"]) for one in document["table"]] == [("Cleo", 100), ("Dora", 0)]
    assert run("--leagues", sheets)[1] == f"{sheets / 'thursday-1.csv'}\n{sheets / 'thursday-1.json'}\n"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--save", "a", "--export", "b"), "expected one thing to do, found --export and --save"),
        (("--dry-run",), "--dry-run: expected --players or --restore"),
        (("--of", "x"), "--of: expected --export or --save"),
        (("--save", "a", "--of", "x"), "--of: expected one of spring-cup-1, found 'x'"),
        (("--players", "/nowhere/at-all"), "--players: expected a file to read, found: No such file"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(folder, run, words, why):
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert why in err
    assert err.count("\n") == 1
    assert folder.is_dir()


@pytest.mark.parametrize("name", ["spring-cup-1-standings.csv", "spring-cup-1-meetings.csv", "spring-cup-1.json"])
@pytest.mark.parametrize("other", ["name,club\nZoe,Bern\n", '{"id": "spring", "photos": []}', "[1]", "{"])
def test_an_export_replaces_an_earlier_one_and_no_other_file(folder, run, tmp_path, name, other):
    sheets = tmp_path / "sheets"
    sheets.mkdir()
    (sheets / name).write_text(other)
    code, _, err = run("--export", sheets)
    assert code == 2
    assert f"{name}: expected no file there, or an earlier export to be replaced, found another file" in " ".join(
        err.split()
    )
    assert (sheets / name).read_text() == other
    assert [one.name for one in sheets.iterdir()] == [name]  # nothing was written before that was noticed
    (sheets / name).unlink()
    assert run("--export", sheets)[0] == 0
    hall = KeptHall(folder)
    hall.do("enter", names="Egon")
    hall.close()
    assert run("--export", sheets)[0] == 0
    assert "Egon" in (sheets / "spring-cup-1.json").read_text()


@pytest.mark.usefixtures("folder")
def test_a_saved_tournament_replaces_an_earlier_one_and_no_other_file(run, tmp_path):
    file = tmp_path / "cup.json"
    file.write_text(other := '{"format": "photos"}')
    code, _, err = run("--save", file)
    assert code == 2
    assert "or a tournament that was saved earlier to be replaced" in " ".join(err.split())
    assert file.read_text() == other
    file.unlink()
    assert [run("--save", file)[0] for _ in range(2)] == [0, 0]
