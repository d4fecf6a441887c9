"""All matches and one of them, as `referee scores` has them: beside a referee, whatever state the journal is in."""

import json
import sqlite3
from contextlib import closing

import cv2
import numpy as np
import pytest
from kept_matches import UNTIMED, WINTER, keep_picture, page, two_matches
from played import short, write

from referee.cli.main import main
from referee.game.match.events import Corrected, Started
from referee.game.match.machine import apply
from referee.i18n import LANGUAGES
from referee.journal.opening import FILE, open_journal


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "state"


@pytest.fixture
def there(folder):
    with page(two_matches(folder)) as served:
        yield served


def of_the_command(capsys, folder, *arguments):
    capsys.readouterr()
    assert main(["scores", "--state", str(folder), *arguments]) == 0
    return capsys.readouterr().out


def test_without_a_journal_no_match_has_been_played(folder):
    with page(folder) as served:
        assert "No match has been played yet." in served.read("/scores")
        assert json.loads(served.get("/scores.json")[2]) == []
        assert "no such match" in served.read("/scores/1", 404)
    assert not folder.exists() or not (folder / FILE).exists()


def test_a_page_that_knows_no_journal_says_so():
    with page(None) as served:
        assert "has no journal to show" in served.read("/scores", 404)
        assert served.get("/scores/1/picture/3.jpg")[0] == 404
        assert "has no journal to show" in served.read("/scores/1/replay", 404)


def test_half_a_character_in_a_name_breaks_no_page_and_no_file(folder):
    journal = open_journal(folder).journal
    steps = short(UNTIMED, names=("A\ud800nn", "Ben"))
    write(journal, UNTIMED, steps)
    hands = Corrected(1, (0, 95), steps[-1].event.t, winner=0, who="E\udfffve", why="\udc80x")
    journal.append(hands, apply(steps[-1].state, hands)[0])
    journal.close()
    with page(folder) as served:
        for path in ("/scores", "/scores/1", "/scores/1/replay", "/scores/1/correct/1", "/scores.csv",
                     "/scores/players.csv", "/scores/1.csv"):  # fmt: skip
            assert "A?nn" in served.read(path), path
        assert "E?ve" in served.read("/scores/1")
        for path in ("/scores.json", "/scores/players.json", "/scores/1.json"):
            assert "nn" in json.dumps(json.loads(served.read(path))), path
        assert "A?nn" in served.read("/scores?player=A%ED%A0%80nn")


def test_all_matches_stand_there_the_newest_first(there):
    text = there.read("/scores")
    assert text.index("Match 2") < text.index("Match 1")
    assert "Ann won" in text


@pytest.mark.parametrize(
    ("query", "matches"),
    [
        ("season=Winter", [1]),
        ("season=&player=Ben", [1, 2]),
        ("player=Zoe", []),
        ("season=1999", []),
        ("season=Winter&player=Zoe", []),
    ],
)
def test_matches_are_chosen_by_season_and_player(there, query, matches):
    assert [one["match"] for one in json.loads(there.get(f"/scores.json?{query}")[2])] == matches
    text = there.read(f"/scores?{query}")
    assert [number for number in (1, 2) if f">Match {number}<" in text] == matches


@pytest.mark.parametrize("path", ["/scores", "/scores.csv", "/scores/players.json"])
def test_a_season_that_is_none_is_told(there, path):
    assert "There is no season Sommer" in there.read(f"{path}?season=Sommer", 404)


@pytest.mark.parametrize("form", ["csv", "json"])
def test_files_hold_what_the_command_prints(there, folder, capsys, form):
    matches = there.read(f"/scores.{form}")
    players = there.read(f"/scores/players.{form}")
    one = there.read(f"/scores/2.{form}")
    printed = [
        of_the_command(capsys, folder, "--format", form),
        of_the_command(capsys, folder, "--format", form, "--players"),
        of_the_command(capsys, folder, "--format", form, "--match", "2"),
    ]
    if form == "csv":
        # A file begins with the mark by which spreadsheets know UTF-8; what is piped to another program does not.
        mark = "\N{ZERO WIDTH NO-BREAK SPACE}"
        assert [matches, players, one] == [mark + text for text in printed]
    else:
        lines = [[json.loads(line) for line in text.splitlines()] for text in printed]
        assert [json.loads(matches), json.loads(players), [json.loads(one)]] == lines
    kind = there.get(f"/scores/2.{form}")[1]
    assert kind["Content-Disposition"] == f'attachment; filename="match-2.{form}"'


def test_a_match_shows_its_rounds_its_running_totals_and_what_was_corrected(there):
    text = there.read("/scores/2")
    assert "The Original Rummikub (Piatnik)" in text
    assert "<dt>Turns before the first meld</dt><dd>with the clock</dd>" in text
    assert "entry=timed" not in text
    assert "Ben won." in text
    assert text.count("<polyline") == 2 * 2
    dashes = {part.split('"')[1] for part in text.split("stroke-dasharray=")[1:]}
    assert len(dashes) == 2
    assert "Won by Ann. Points left in the hands: Ann: 0, Ben: 95." in text
    assert "round 1 was Ann +128, Ben \u2212128; corrected to Ann +95, Ben \u221295." in text
    assert "Corrected by Eve. Reason: a joker was counted twice" in text


def test_the_console_tells_who_corrected_and_why(folder, capsys):
    two_matches(folder)
    out = of_the_command(capsys, folder, "--match", "2")
    assert "Corrected by Eve. Reason: a joker was counted twice" in out


def test_names_are_shown_as_they_are(folder):
    journal = open_journal(folder).journal
    event = Started(("<b>&\ud83c", "Ben"), 0.0)
    journal.begin(UNTIMED, event, apply(UNTIMED.state(), event)[0])
    journal.close()
    with page(folder) as served:
        assert b"&lt;b&gt;&amp;?" in served.get("/scores")[2]
        for path in ("/scores/1", "/scores.csv", "/scores.json", "/scores/1/replay", "/scores/players.csv"):
            served.read(path)


@pytest.mark.parametrize(
    "path",
    [
        "/scores/3",
        "/scores/0",
        "/scores/-1",
        "/scores/x",
        "/scores/" + "9" * 5000,
        "/scores/1.xml",
        "/scores.xml",
        "/scores/3.csv",
        "/scores/3/replay",
        "/scores/1/correct/9",
        "/scores/1/correct/x",
        "/scores/1/picture/9.jpg",
        "/scores/1/picture/..%2f..%2fjournal.db.jpg",
        "/scores/..%2f..%2fetc%2fpasswd",
    ],
)
def test_what_does_not_exist_is_told_in_one_sentence(there, path):
    status, _, body = there.get(path)
    assert status == 404
    assert b"Traceback" not in body


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_speaks_every_language(there, language):
    for path in ("/scores", "/scores/2", "/scores/2/correct/1", "/scores/2/replay", "/scores/9"):
        _, _, body = there.get(f"{path}?lang={language}")
        assert f'<html lang="{language}"' in body.decode()


def test_the_pictures_behind_the_verdicts_stand_beside_their_rounds(there, folder):
    picture = np.full((600, 900, 3), 90, np.uint8)
    cv2.putText(picture, "R7", (100, 300), cv2.FONT_HERSHEY_SIMPLEX, 9, (0, 0, 255), 20)
    keep_picture(folder, 2, 3, cv2.imencode(".jpg", picture)[1].tobytes())
    assert "/scores/2/picture/3.jpg" in there.read("/scores/2")
    assert "1 picture" in there.read("/scores/2")
    status, headers, data = there.get("/scores/2/picture/3.jpg?w=300")
    assert status == 200
    assert cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR).shape[1] == 320
    assert there.get("/scores/2/picture/3.jpg?w=300", If_None_Match=headers["ETag"])[0] == 304
    (folder / "pictures" / "000002" / "00003-1.jpg").write_bytes(b"no picture at all")
    assert there.get("/scores/2/picture/3.jpg?w=300", If_None_Match=headers["ETag"])[0] == 404


def test_a_picture_that_leads_elsewhere_is_not_shown(there, folder, tmp_path):
    keep_picture(folder, 2, 3, b"x")
    secret = tmp_path / "secret.jpg"
    secret.write_bytes(cv2.imencode(".jpg", np.zeros((9, 9, 3), np.uint8))[1].tobytes())
    (folder / "pictures" / "000002" / "00005-1.jpg").symlink_to(secret)
    assert there.get("/scores/2/picture/5.jpg")[0] == 404


def test_a_match_whose_rows_were_altered_says_so(there, folder):
    with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER never_changed")
        connection.execute("UPDATE events SET t = t + 1 WHERE match = 2 AND number = 3")
        connection.execute("UPDATE events SET t = t + 1 WHERE match = 2 AND number = 0")
    assert "The journal of this match is damaged" in there.read("/scores/2")
    assert "damaged" in there.read("/scores")


def test_a_journal_that_is_none_any_more_is_told(there, folder):
    for path in folder.glob("journal.db-*"):
        path.unlink()
    (folder / FILE).write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    for path in ("/scores", "/scores/1", "/scores.csv"):
        status, _, body = there.get(path)
        assert status == 503
        assert b"not working" in body


def test_a_newer_journal_is_told(there, folder):
    with closing(sqlite3.connect(folder / FILE)) as connection:
        connection.execute(f"PRAGMA application_id = {0x52756D00 + 99}")
        connection.execute("PRAGMA user_version = 99")
    assert there.get("/scores")[0] == 503


def test_scores_are_read_while_a_referee_writes(folder):
    journal = open_journal(folder).journal
    with page(folder) as served:
        for step in short(WINTER):
            write(journal, WINTER, [step])
            assert "Match 1" in served.read("/scores")
    journal.close()


def test_many_matches_come_page_by_page(folder):
    journal = open_journal(folder).journal
    for _ in range(60):
        write(journal, WINTER, short(WINTER)[:1])
        journal.give_up()
    journal.close()
    with page(folder) as served:
        first, second = served.read("/scores"), served.read("/scores?page=2")
    assert ">Match 60<" in first
    assert ">Match 10<" not in first
    assert ">Match 10<" in second
    assert 'rel="next"' in first
    assert 'rel="next"' not in second
