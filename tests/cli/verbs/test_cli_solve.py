"""`referee solve`: a table and a hand in; the best legal turn out, step by step."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from command_line import DOUBTFUL, SEEN_GROUP, read_of, run, sighting_of

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), np.full((200, 300, 3), 200, np.uint8))
    return path


def test_the_turn_is_shown_step_by_step(capsys: Captured) -> None:
    assert run(["solve", "R4 R5 R6 | B9 K9 R9", "--hand", "R3 R7 O9 K1"])[0] == 0
    assert capsys.readouterr().out.splitlines() == [
        "lay R3 R7 O9: 3 tiles, 19 points",
        "  1. to R4 R5 R6: R3 R7 from the hand → R3 R4 R5 R6 R7",
        "  2. to B9 K9 R9: O9 from the hand → B9 K9 R9 O9",
    ]


def test_tiles_of_the_table_are_named_with_the_set_that_they_come_from(capsys: Captured) -> None:
    assert run(["solve", "R1 R2 R3 R4 R5 R6", "--hand", "R4 R7"])[0] == 0
    assert "to a new set: R4 R7 from the hand, R5 R6 from R1 R2 R3 R4 R5 R6 → R4 R5 R6 R7" in capsys.readouterr().out


def test_it_is_told_how_what_is_left_of_a_set_lies(capsys: Captured) -> None:
    assert run(["solve", "** B7 B8 ** | R7 R8 R9", "--hand", "R9 R6 B8 B9 O7"])[0] == 0
    assert "what is left of ** B7 B8 ** lies as ** B7 B8" in capsys.readouterr().out


def test_a_turn_that_is_not_proven_says_how_much_more_may_be_possible(capsys: Captured) -> None:
    arguments = ["solve", "** R8 ** | R7 ** R9", "--hand", "R10 B9", "--rules", "ravensburger"]
    assert run([*arguments, "--option", "rebuild=strict"])[0] == 0
    assert capsys.readouterr().out.splitlines()[-1] == "a turn with more may exist, up to 2"


def test_json_is_one_object(capsys: Captured) -> None:
    assert run(["solve", "R4 R5 R6", "--hand", "R7 K1", "--json"])[0] == 0
    assert json.loads(capsys.readouterr().out) == {
        "possible": True,
        "laid": ["red-7"],
        "points": 7,
        "steps": [{"set": "R4 R5 R6 R7", "place": 1, "moves": [{"tile": "red-7", "from": "hand"}]}],
        "table": "R4 R5 R6 R7",
        "most": 1,
        "doubts": [],
    }


def test_nothing_may_fit(capsys: Captured) -> None:
    assert run(["solve", "R4 R5 R6", "--hand", "K1"])[0] == 0
    assert capsys.readouterr().out == "nothing can be laid\n"


def test_a_first_meld_is_needed_on_an_empty_table(capsys: Captured) -> None:
    assert run(["solve", "", "--hand", "R1 R2 R3"])[0] == 0
    assert capsys.readouterr().out == "nothing can be laid\n"
    assert run(["solve", "B4 B5 B6", "--hand", "R1 R2 R3", "--not-opened"])[0] == 0
    assert capsys.readouterr().out == "nothing can be laid\n"
    assert run(["solve", "B4 B5 B6", "--hand", "R1 R2 R3"])[0] == 0
    assert "lay R1 R2 R3" in capsys.readouterr().out


def test_a_table_that_is_not_legal_is_put_in_order(capsys: Captured) -> None:
    assert run(["solve", "R1 R2 | R3 K5 B5 O5", "--hand", "R4"])[0] == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        "the table can lie in sets like this:",
        "  1. to R1 R2: R3 from R3 K5 B5 O5 → R1 R2 R3",
    ]
    assert "not legal" in err


def test_tiles_that_cannot_lie_in_sets_are_refused(capsys: Captured) -> None:
    assert run(["solve", "R1 R2 | K7"])[0] == 1
    assert "cannot all lie in sets" in capsys.readouterr().out
    assert run(["solve", "R1 R2 | K7", "--json"])[0] == 1
    assert json.loads(capsys.readouterr().out) == {"possible": False, "doubts": []}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["R4 R5 R6", "--rules", "gin"], "turn by turn"),
        (["R4 R5 R6", "--hand", "X9"], "--hand"),
        (["R4 R5 R6 | R4 R5 R6", "--hand", "R4"], "holds R4 2 times; found 3"),
        (["R4 R5 R6", "--hand", "G4"], "holds G4 0 times"),
        (["R4 R5 R6", "--overlay", "out.png"], "expected a picture"),
        (["missing.png"], "TABLE: expected a file"),
    ],
)
def test_what_cannot_be_used_is_named(arguments: list[str], said: str, capsys: Captured) -> None:
    assert run(["solve", *arguments])[0] == 2
    assert said in capsys.readouterr().err


def test_a_picture_is_read_and_the_moves_are_drawn_into_it(picture: Path, tmp_path: Path, capsys: Captured) -> None:
    out = tmp_path / "moves.png"
    code, reader = run(["solve", picture, "--hand", "O10", "--overlay", out], sighting_of(SEEN_GROUP))
    assert code == 0
    assert len(reader.asked) == 1
    assert "O10 from the hand" in capsys.readouterr().out
    drawn = cv2.imread(str(out))
    assert drawn is not None
    assert drawn.shape == (200, 300, 3)
    assert (drawn != 200).any()


def test_doubts_are_named_beside_the_turn(picture: Path, capsys: Captured) -> None:
    seen = sighting_of([*SEEN_GROUP, DOUBTFUL])
    assert run(["solve", picture], seen)[0] == 1
    assert "in doubt: R7? (or R1)" in capsys.readouterr().out
    assert run(["solve", picture, "--hand", "B7"], seen)[0] == 1
    assert "in the hand" not in capsys.readouterr().out


def test_a_hand_may_be_a_picture_whose_doubts_are_told(picture: Path, capsys: Captured) -> None:
    code, reader = run(["solve", "", "--hand", picture], sighting_of(loose=[*SEEN_GROUP, DOUBTFUL]))
    assert code == 0
    assert len(reader.asked) == 1
    assert capsys.readouterr().out.splitlines() == [
        "in doubt in the hand: R7? (or R1)",
        "lay K10 B10 R10: 3 tiles, 30 points",
        "  1. to a new set: K10 B10 R10 from the hand → K10 B10 R10",
    ]


def test_table_and_hand_may_both_be_pictures(picture: Path, capsys: Captured) -> None:
    hand = sighting_of([read_of("orange-10")], loose=[DOUBTFUL])
    code, reader = run(["solve", picture, "--hand", picture, "--json"], sighting_of(SEEN_GROUP), hand)
    assert code == 0
    assert len(reader.asked) == 2
    told = json.loads(capsys.readouterr().out)
    assert told["laid"] == ["orange-10"]
    assert [doubt["picture"] for doubt in told["doubts"]] == ["hand"]


def test_a_hand_may_be_a_text_file(tmp_path: Path, capsys: Captured) -> None:
    file = tmp_path / "hand.txt"
    file.write_text("R7\nB7 K1", encoding="utf-8")
    assert run(["solve", "R4 R5 R6", "--hand", file])[0] == 0
    assert "lay R7: 1 tile" in capsys.readouterr().out
    assert run(["solve", "R4 R5 R6", "--hand", tmp_path / "other.txt"])[0] == 2
    assert "--hand: expected a file" in capsys.readouterr().err
