"""Turns that count by agreement, on the sheets of the page and of the command, and in files."""

import csv
import io
import json

import pytest
from kept_matches import page
from played import Step, short, write

from referee.cli.main import main
from referee.game.match.events import Agreed, HandShown, Pressed, Seen, Started
from referee.game.match.machine import apply
from referee.game.notation import parse_table
from referee.journal.opening import open_journal
from referee.journal.rows import Setup

SETUP = Setup.now("rummikub", {"entry": "timed"})
WRONG = parse_table("R1 R2 R3")


@pytest.fixture
def folder(tmp_path):
    """A match with a turn to which all agreed, and one whose second round has such a turn and goes on."""
    journal = open_journal(tmp_path / "state").journal
    steps, first = [], short(SETUP, rounds=2)

    def do(event):
        before = steps[-1].state if steps else SETUP.state()
        steps.append(Step(event, apply(before, event)[0]))

    def agree(t, by):
        for event in (Pressed(steps[-1].state.current, t), Seen(WRONG, t), Agreed(WRONG, t, by)):
            do(event)

    do(Started(("Ann", "Ben"), 0.0, 1))
    agree(1.0, (0, 1))
    do(Pressed(1, 2.0))
    do(Seen(parse_table("R1 R2 R3 | B1 B2 B3 B4 B5 B6 B7 | K1 K2 K3 K4 K5 K6 K7"), 2.0))
    do(HandShown(0, parse_table("R8 R9 R10 R11 R12 R13 B8 B9 B10 B11 B12")[0], 3.0))
    write(journal, SETUP, steps)
    steps.clear()
    for step in first[:5]:
        do(step.event)
    agree(100.0, ())
    write(journal, SETUP, steps)
    journal.close()
    return tmp_path / "state"


@pytest.mark.parametrize(
    ("language", "sentence", "by"),
    [
        ("en", "+ Round 1: Ann's turn counts by agreement, despite this:", "Confirmed by Ann and Ben."),
        ("de", "+ Runde 1: Der Zug von Ann zählt nach Absprache.", "Bestätigt von Ann und Ben."),
        ("fr", "+ Manche 1 : le tour joué par Ann compte d'un commun accord", "Confirmé par Ann et Ben."),
        ("it", "+ Mano 1: il turno di Ann vale di comune accordo", "Confermato da Ann e Ben."),
    ],
)
def test_the_sheet_says_what_was_wrong_and_who_agreed(folder, capsys, language, sentence, by):
    with page(folder) as served:
        text = served.read(f"/scores/1?lang={language}").replace("\N{NO-BREAK SPACE}", " ")
    assert main(["scores", "--state", str(folder), "--match", "1", "--language", language]) == 0
    for told in (text, " ".join(capsys.readouterr().out.split())):
        assert sentence in told
        assert by in told
        assert "30" in told  # points that a first meld needs


def test_a_round_with_such_a_turn_has_a_mark(folder, capsys):
    with page(folder) as served:
        text = served.read("/scores/1")
        assert ">1+</th>" in text
        assert "Round 1+</h3>" in text
        text = served.read("/scores/2")
        assert "+ Round 2:" in text
        assert "+ with a turn that counts by agreement" in text
        assert "Confirmed by" not in text
        assert ">1+<" not in text
    assert main(["scores", "--state", str(folder), "--match", "1"]) == 0
    assert "1+" in capsys.readouterr().out


def test_files_have_it_too(folder):
    with page(folder) as served:
        (mark,) = json.loads(served.get("/scores/1.json")[2])["agreements"]
        text = served.get("/scores.csv")[2].decode("utf-8-sig")
    assert (mark["round"], mark["player"], mark["by"]) == (1, "Ann", ["Ann", "Ben"])
    assert "30" in mark["wrong"][0]
    lines = [(line["match"], line["player"], line["agreed"]) for line in csv.DictReader(io.StringIO(text))]
    assert lines == [("1", "Ann", "1"), ("1", "Ben", "0"), ("2", "Ann", "0"), ("2", "Ben", "0")]
