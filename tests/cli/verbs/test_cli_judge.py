"""`referee judge`: notation, text files and pictures in; verdict or doubts out; never a guess."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from command_line import DOUBTFUL, SEEN_GROUP, read_of, run, sighting_of

from referee.cli.verbs.judge import verdict_json
from referee.game.judge.judge import Turn, judge
from referee.game.notation import parse_table
from referee.game.rulebooks.rummikub import RUMMIKUB as BOOK
from referee.game.tiles import TILE_SETS
from referee.vision.sighting import Quality

Captured = pytest.CaptureFixture[str]

RUMMIKUB = ["judge", "--rules", "rummikub"]
LAST_TILE = ["--rules", "piatnik", "--option", "last-tile=on", "--before", "", "--after", ""]
GROUP, RUN = "R10 B10 K10", "R1 R2 R3"


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "after.png"
    cv2.imwrite(str(path), np.full((40, 60, 3), 200, np.uint8))
    return path


def test_a_legal_first_meld_is_accepted(capsys: Captured) -> None:
    assert run([*RUMMIKUB, "--before", "", "--after", GROUP, "--not-opened", "--hand", "14"])[0] == 0
    out, err = capsys.readouterr()
    assert out.startswith("accepted: laid ")
    assert "30 points" in out
    assert err == ""


def test_nothing_laid_means_draw_a_tile(capsys: Captured) -> None:
    assert run([*RUMMIKUB, "--before", GROUP, "--after", GROUP])[0] == 0
    assert "draw a tile" in capsys.readouterr().out


def test_a_refusal_names_every_fault_in_a_sentence(capsys: Captured) -> None:
    assert run([*RUMMIKUB, "--before", GROUP, "--after", "R10 B10 | R7 B7 K8"])[0] == 1
    out = capsys.readouterr().out
    assert out.startswith("refused\n")
    assert "tile-vanished" in out
    assert "not-a-set" in out


def test_json_is_one_object_as_the_design_says(capsys: Captured) -> None:
    assert run([*RUMMIKUB, "--before", "", "--after", RUN, "--not-opened", "--json"])[0] == 1
    out, err = capsys.readouterr()
    verdict = json.loads(out)
    assert set(verdict) == {"accepted", "laid", "points", "faults", "doubts", "explanation"}
    assert verdict["accepted"] is False
    assert verdict["doubts"] == []
    assert [fault["kind"] for fault in verdict["faults"]] == ["opening-too-low"]
    assert set(verdict["faults"][0]) >= {"kind", "tiles", "text"}
    assert err == ""


def test_on_an_empty_table_nobody_can_have_opened() -> None:
    assert run([*RUMMIKUB, "--before", "", "--after", RUN])[0] == 1
    assert run([*RUMMIKUB, "--before", "", "--after", RUN, "--opened"])[0] == 0
    assert run([*RUMMIKUB, "--before", GROUP, "--after", f"{GROUP} | {RUN}"])[0] == 0


def test_more_tiles_than_the_hand_holds_are_refused() -> None:
    assert run([*RUMMIKUB, "--before", "", "--after", GROUP, "--hand", "2"])[0] == 1


def test_an_option_of_the_rule_book_can_be_chosen() -> None:
    two_jokers = ["judge", "--rules", "ravensburger", "--before", "", "--after", "** ** ** | R8 R9 R10", "--opened"]
    assert run([*two_jokers, "--option", "jokers=4"])[0] == 0
    assert run([*two_jokers, "--option", "jokers=2"])[0] == 1


def test_another_box_may_be_in_use(picture: Path) -> None:
    twice = [*RUMMIKUB, "--before", "", "--after", "R10 B10 K10 | R10 R11 R12"]
    assert run(twice)[0] == 0
    assert run([*twice, "--tileset", "gin"])[0] == 1
    asked = run([*RUMMIKUB, "--before", "", "--after", picture, "--tileset", "gin"], sighting_of(SEEN_GROUP))[1].asked
    assert asked[0][1] == TILE_SETS["gin"]


def test_tables_may_stand_in_text_files(tmp_path: Path) -> None:
    before, after = tmp_path / "before.txt", tmp_path / "after"
    before.write_text("\n")
    after.write_text(f"{GROUP}\n{RUN} | B4 B5 B6\n")
    assert run([*RUMMIKUB, "--before", before, "--after", after])[0] == 0


def test_a_picture_is_read_with_the_box_of_the_rule_book(picture: Path) -> None:
    arguments = [*RUMMIKUB, "--before", "", "--after", picture, "--table", "800x500"]
    code, reader = run(arguments, sighting_of(SEEN_GROUP, loose=[read_of("face-down")]))
    assert code == 0
    assert reader.asked[0][1:] == (TILE_SETS["rummikub"], (800.0, 500.0))


def test_a_picture_without_its_suffix_is_still_a_picture(picture: Path) -> None:
    assert (
        run([*RUMMIKUB, "--before", "", "--after", picture.rename(picture.with_suffix(""))], sighting_of(SEEN_GROUP))[
            0
        ]
        == 0
    )


def test_an_empty_table_between_markers_is_a_table(picture: Path) -> None:
    assert run([*RUMMIKUB, "--before", picture, "--after", GROUP], sighting_of())[0] == 0


def test_a_picture_of_nothing_cannot_be_judged(picture: Path, capsys: Captured) -> None:
    nothing = sighting_of(scale="tiles")
    assert run([*RUMMIKUB, "--before", "", "--after", picture, "--json"], nothing)[0] == 3
    out, err = capsys.readouterr()
    assert err.count("\n") == 1
    assert json.loads(out) == {"error": err.removeprefix("referee: ").strip(), "code": 3}


@pytest.mark.parametrize("side", ["before", "after"])
def test_a_doubt_on_either_side_is_asked_about_and_not_judged(picture: Path, side: str, capsys: Captured) -> None:
    other = {"before": "after", "after": "before"}[side]
    arguments = [*RUMMIKUB, f"--{side}", picture, f"--{other}", GROUP]
    seen = sighting_of([*SEEN_GROUP[:2], DOUBTFUL])
    assert run([*arguments, "--json"], seen)[0] == 3
    verdict = json.loads(capsys.readouterr().out)
    assert verdict["accepted"] is False
    assert verdict["faults"] == []
    (doubt,) = verdict["doubts"]
    assert doubt["picture"] == side
    assert doubt["id"] == 2
    assert doubt["alternatives"][1][0] == "red-1"
    assert run(arguments, seen)[0] == 3
    assert "R7? (or R1)" in capsys.readouterr().out


def test_a_hand_in_the_picture_is_a_doubt(picture: Path, capsys: Captured) -> None:
    seen = sighting_of(SEEN_GROUP, quality=Quality(hand=True))
    assert run([*RUMMIKUB, "--before", "", "--after", picture], seen)[0] == 3
    assert "a hand" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("quality", "told"),
    [
        pytest.param(Quality(cut_off_px=((1.0, 2.0),)), "1 tile cut off by the edge of the picture", id="cut off"),
        pytest.param(Quality(too_small=2), "2 tiles too small to read", id="too small"),
    ],
)
def test_tiles_that_were_not_read_are_not_missing(
    picture: Path, quality: Quality, told: str, capsys: Captured
) -> None:
    """They may make a set that is read without them, or break it."""
    seen = sighting_of(SEEN_GROUP, quality=quality)
    assert run([*RUMMIKUB, "--before", "", "--after", picture], seen)[0] == 3
    assert told in capsys.readouterr().out


def test_a_tile_that_is_cut_off_and_in_doubt_is_told_once(picture: Path, capsys: Captured) -> None:
    quality = Quality(cut_off_px=((1.0, 2.0),), cut=frozenset([2]))
    seen = sighting_of([*SEEN_GROUP[:2], DOUBTFUL], quality=quality)
    assert run([*RUMMIKUB, "--before", "", "--after", picture, "--json"], seen)[0] == 3
    assert len(json.loads(capsys.readouterr().out)["doubts"]) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["--rules", "chess", "--before", "", "--after", ""], id="unknown rules"),
        pytest.param(["--rules", "rummikub", "--before", ""], id="no table after"),
        pytest.param([*RUMMIKUB[1:], "--before", "", "--after", "R7 B7 X7"], id="no such tile"),
        pytest.param([*RUMMIKUB[1:], "--before", "", "--after", "R14"], id="no such number"),
        pytest.param([*RUMMIKUB[1:], "--before", "", "--after", "R7 R8 R9 | | B1"], id="nothing between bars"),
        pytest.param([*RUMMIKUB[1:], "--before", "", "--after", "none.jpg"], id="picture not there"),
        pytest.param([*RUMMIKUB[1:], "--before", "none.txt", "--after", ""], id="text file not there"),
        pytest.param([*RUMMIKUB[1:], "--before", "no/where", "--after", ""], id="path not there"),
        pytest.param([*RUMMIKUB[1:], "--before", ".", "--after", ""], id="a folder"),
        pytest.param([*RUMMIKUB[1:], "--before", "", "--after", "", "--hand", "-1"], id="hand below nothing"),
        pytest.param([*RUMMIKUB[1:], "--before", "", "--after", "", "--hand", "many"], id="hand in words"),
        pytest.param([*RUMMIKUB[1:], "--before", "", "--after", "", "--tileset", "auto"], id="unknown box"),
        pytest.param([*RUMMIKUB[1:], "--before", "", "--after", "", "--option", "jokers"], id="option without choice"),
        pytest.param([*RUMMIKUB[1:], "--before", "", "--after", "", "--option", "dogs=2"], id="unknown option"),
        pytest.param([*RUMMIKUB[1:], "--before", "", "--after", "x" * 5000], id="endless notation"),
        pytest.param([*RUMMIKUB[1:], "--before", "", "--after", "", "--aside", "B4"], id="no tile aside here"),
        pytest.param([*LAST_TILE, "--aside", "B44"], id="no such tile aside"),
        pytest.param([*RUMMIKUB[1:], "--before", "", "--after", "", "--opened", "--not-opened"], id="both"),
        pytest.param([*RUMMIKUB[1:], "--before", "", "--after", "/dev/zero"], id="a device"),
        pytest.param([*LAST_TILE, "--aside", "**"], id="joker aside"),
    ],
)
def test_bad_input_is_told_in_one_line(arguments: list[str], capsys: Captured) -> None:
    assert run(["judge", *arguments])[0] == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("referee: ")
    assert err.count("\n") == 1
    assert run(["judge", *arguments, "--json"])[0] == 2
    answer = json.loads(capsys.readouterr().out)
    assert answer == {"error": err.removeprefix("referee: ").strip(), "code": 2}


@pytest.mark.parametrize(
    ("name", "data"),
    [
        pytest.param("t.txt", b"\xff\xfe\x00", id="text that is no text"),
        pytest.param("t", b"R1 " * 50_000, id="text without end"),
        pytest.param("t.jpg", b"R7 B7 K7", id="notation with a picture's name"),
        pytest.param("t.webp", b"RIFF", id="picture of another kind"),
        pytest.param("t.txt", b"R7 B77", id="text with a typing error"),
    ],
)
def test_a_bad_file_is_told_by_name_in_one_line(tmp_path: Path, name: str, data: bytes, capsys: Captured) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    assert run([*RUMMIKUB, "--before", "", "--after", path])[0] == 2
    err = capsys.readouterr().err
    assert str(path) in err
    assert err.count("\n") == 1


def test_an_accepted_turn_is_explained(capsys: Captured) -> None:
    classic = ["judge", "--rules", "classic", "--before", "R5 ** R7", "--opened"]
    assert run([*classic, "--after", "R5 R6 R7 | Y9 ** Y11"])[0] == 0
    assert "The red 6 took the place of a joker in R5 ** R7." in capsys.readouterr().out
    assert run([*RUMMIKUB, "--before", "", "--after", GROUP, "--json"])[0] == 0
    verdict = json.loads(capsys.readouterr().out)
    assert verdict["explanation"] == ["The first meld was R10 B10 K10: 30 points."]


def test_jokers_alone_may_need_to_be_declared() -> None:
    alone = ["judge", "--rules", "classic", "--before", "", "--after", "** ** **", "--opened"]
    assert run(alone)[0] == 1
    assert run([*alone, "--declared"])[0] == 0


def test_a_tile_aside_is_no_set_of_the_table(capsys: Captured) -> None:
    variant = ["judge", "--rules", "piatnik", "--option", "last-tile=on", "--aside", "B4", "--before", "B4"]
    meld = "R13 B13 Y13 K13"
    assert run([*variant, "--after", f"B4 | {meld}", "--hand", "14"])[0] == 0
    assert "first meld" in capsys.readouterr().out  # nothing but the tile aside lay there before
    assert run([*variant, "--after", f"B4 | {meld}", "--hand", "4"])[0] == 1
    assert "last-tile-rule" in capsys.readouterr().out


def test_options_that_agree_only_together_can_be_chosen_in_any_order(capsys: Captured) -> None:
    options = ["--option", "winning-sum=at-least", "--option", "winning-set=12"]
    arguments = ["judge", "--rules", "piatnik", "--before", "R1 R2 R3", "--after", "R1 R2 R3 R4"]
    assert run([*arguments, *options])[0] == run([*arguments, *options[2:], *options[:2]])[0] == 0
    capsys.readouterr()


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (
            ["--option", "jokers=2", "--option", "jokers=4"],
            "expected one choice for the option jokers, found both 2 and",
        ),
        (["--hand", "109"], "--hand: expected at most the 108 tiles of the box, found 109"),
    ],
)
def test_what_cannot_be_is_bad_input(capsys: Captured, more: list[str], told: str) -> None:
    assert run(["judge", "--rules", "ravensburger", "--before", "", "--after", "R1 R2 R3", *more])[0] == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize("box", [[], ["--tileset", "rummikub"]])
def test_a_box_has_its_own_colours_only(box: list[str], capsys: Captured) -> None:
    assert run([*RUMMIKUB, "--before", "", "--after", "G13 Y13 K13", *box])[0] == 1
    assert "the box has no green tiles" in capsys.readouterr().out


def test_any_box_has_any_colours_but_still_so_many_of_a_tile(picture: Path, capsys: Captured) -> None:
    anything = [*RUMMIKUB, "--tileset", "any", "--before", "", "--after"]
    assert run([*anything, "G10 G11 G12"])[0] == 0
    assert run([*anything, "G13 Y13 K13 | G11 G12 G13 | G12 G13 **"])[0] == 1
    assert "the box has only 2" in capsys.readouterr().out
    assert run([*anything, picture], sighting_of(SEEN_GROUP))[1].asked[0][1] is None


@pytest.mark.parametrize("after", ["R7 B7 K8", "R7 B7 K8 | R10 B10 K10", "R7 B7 K7 | K6 K7 K8"])
def test_an_illegal_table_before_is_named_and_nobody_blamed_for_it(after: str, capsys: Captured) -> None:
    assert run([*RUMMIKUB, "--before", "R7 B7 K8", "--after", after, "--json"])[0] == 2
    out, err = capsys.readouterr()
    told = "expected a legal table before the turn, found one that is not: R7 B7 K8 is not a set: the numbers differ."
    assert err == f"referee: --before: {told}\n"
    assert json.loads(out) == {"error": f"--before: {told}", "code": 2}


def test_an_illegal_table_before_in_a_file_or_picture_is_named_with_it(
    picture: Path, tmp_path: Path, capsys: Captured
) -> None:
    note = tmp_path / "before.txt"
    note.write_text("R7 B7")
    for file in (note, picture):
        assert run([*RUMMIKUB, "--before", file, "--after", GROUP], sighting_of(SEEN_GROUP[:2]))[0] == 2
        assert f"--before ({file}): expected a legal table" in capsys.readouterr().err


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "with a byte order mark"])
def test_a_text_file_may_begin_with_the_mark_that_some_editors_write(tmp_path: Path, mark: bytes) -> None:
    path = tmp_path / "after.txt"
    path.write_bytes(mark + GROUP.encode())
    assert run([*RUMMIKUB, "--before", "", "--after", path])[0] == 0


def test_a_verdict_as_json_is_what_the_command_prints():
    verdict = judge((), parse_table("R7 B7 K8"), Turn(opened=False), BOOK)
    assert verdict_json(verdict, doubts=[{"id": 3}]) == {
        "accepted": False,
        "laid": ["blue-7", "red-7", "black-8"],
        "points": 0,
        "faults": [
            {
                "kind": "not-a-set",
                "tiles": ["red-7", "blue-7", "black-8"],
                "text": "R7 B7 K8 is not a set: the numbers differ.",
            },
            {
                "kind": "opening-too-low",
                "tiles": ["blue-7", "red-7", "black-8"],
                "text": "Your own sets are worth 0 points, but your first meld needs 30.",
            },
        ],
        "doubts": [{"id": 3}],
        "explanation": [],
    }


GIN = ["judge", "--rules", "gin"]
SETS = "R1 R2 R3 | Y9 B9 K9 | B4 B5 B6"
KNOCK, HIGH = f"{SETS} | K2", f"{SETS} | K10"
OPPONENT = "Y1 Y2 Y3 Y4 | K5 K6 K7 | K13 Y12"


def gin(capsys: Captured, before: str, after: str, *more: str) -> tuple[int, dict]:
    code = run([*GIN, "--before", before, "--after", after, *more, "--json"])[0]
    return code, json.loads(capsys.readouterr().out)


def test_in_gin_a_knockers_hand_is_judged(capsys: Captured) -> None:
    code, verdict = gin(capsys, "", KNOCK)
    assert (code, verdict["accepted"], verdict["points"]) == (0, True, 2)
    assert set(verdict) == {"accepted", "laid", "points", "faults", "doubts", "explanation"}
    assert verdict["explanation"] == ["The deadwood is worth 2 points, less than 10."]
    assert gin(capsys, "", "R1 R2 R3 R4 | Y9 B9 K9 | B4 B5 B6")[1]["explanation"] == ["There is no deadwood: gin!"]
    assert run([*GIN, "--before", "", "--after", KNOCK])[0] == 0
    assert "2 points left over" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("after", "kind"),
    [
        pytest.param(HIGH, "knock-too-high", id="rest of ten"),
        pytest.param("R1 R2 R3 | Y9 B9 K9 | B4 | B5 | B6 | K2", "knock-too-high", id="set not laid"),
        pytest.param(SETS, "wrong-number", id="nine tiles"),
        pytest.param(f"{KNOCK} | K1", "wrong-number", id="eleven tiles"),
        pytest.param("R1 R2 R3 K2 | Y9 B9 K9 | B4 B5 B6", "not-a-set", id="rest beside a set"),
        pytest.param(f"{SETS} | R1", "impossible-tile", id="twice"),
        pytest.param(f"{SETS} | **", "impossible-tile", id="joker"),
        pytest.param(f"{SETS} | G2", "impossible-tile", id="colour of another box"),
    ],
)
def test_in_gin_a_knock_is_refused_with_the_reason(after: str, kind: str, capsys: Captured) -> None:
    code, verdict = gin(capsys, "", after)
    assert (code, [fault["kind"] for fault in verdict["faults"]]) == (1, [kind])


def test_in_gin_any_box_will_do_but_of_each_tile_one(capsys: Captured) -> None:
    assert gin(capsys, "", f"{SETS} | G2", "--tileset", "any")[0] == 0
    assert gin(capsys, "", f"{SETS} | R1", "--tileset", "classic")[1]["faults"][0]["kind"] == "impossible-tile"


def test_in_gin_the_opponents_hand_is_judged_beside_the_knockers(capsys: Captured) -> None:
    code, verdict = gin(capsys, KNOCK, f"R1 R2 R3 R4 | Y9 B9 K9 | B4 B5 B6 | K2 | {OPPONENT}")
    assert (code, verdict["accepted"], verdict["points"]) == (0, True, 20)
    assert verdict["explanation"] == [
        "The red 4 was added to the knocker's sets.",
        "The knocker's deadwood is worth 2 points, the opponent's 20.",
        "The knocker gets 18 points.",
    ]
    sets = "Y1 Y2 Y3 Y4 | K5 K6 K7 | O10 O11 O12"
    assert gin(capsys, KNOCK, f"{KNOCK} | {sets}", "--tileset", "any")[1]["explanation"][1:] == [
        "The opponent gets 12 points."
    ]


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        pytest.param(
            KNOCK, f"R1 R2 | R3 R4 | Y9 B9 K9 | B4 B5 B6 | K2 | {OPPONENT}", "original-broken-up", id="parted"
        ),
        pytest.param(KNOCK, f"R1 R2 R3 R5 | Y9 B9 K9 | B4 B5 B6 | K2 | {OPPONENT}", "not-a-set", id="no set"),
        pytest.param(KNOCK, f"{SETS} | R4 | {OPPONENT}", "tile-vanished", id="rest gone"),
        pytest.param(KNOCK, KNOCK, "wrong-number", id="no hand"),
        pytest.param(KNOCK, f"{KNOCK} | R4 | K2 | {OPPONENT}", "impossible-tile", id="twice"),
        pytest.param(
            "R1 R2 R3 R4 | Y9 B9 K9 | B4 B5 B6",
            f"R1 R2 R3 R4 R5 | Y9 B9 K9 | B4 B5 B6 | {OPPONENT}",
            "too-many-tiles",
            id="after gin",
        ),
    ],
)
def test_in_gin_an_opponents_hand_is_refused_with_the_reason(
    before: str, after: str, kind: str, capsys: Captured
) -> None:
    code, verdict = gin(capsys, before, after)
    assert (code, [fault["kind"] for fault in verdict["faults"]][:1]) == (1, [kind])


def test_in_gin_the_hand_may_be_of_another_size(capsys: Captured) -> None:
    assert gin(capsys, "", "R1 R2 R3", "--hand", "3")[0] == 0
    assert gin(capsys, KNOCK, f"{KNOCK} | Y1 Y2 Y3", "--hand", "3")[0] == 0


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--opened"], "--opened: expected rules with a first meld and jokers, got gin"),
        (["--not-opened"], "--not-opened: expected rules with a first meld"),
        (["--declared"], "--declared: expected rules with a first meld"),
        (["--aside", "B4"], "--aside: expected rules with a tile aside"),
        (["--after", ""], "--after: expected a hand laid open after a knock, found an empty table"),
        (["--before", HIGH], "--before: expected a knocker's hand as it may lie, found one that may not: The knock"),
    ],
)
def test_in_gin_what_only_other_games_have_is_bad_input(more: list[str], told: str, capsys: Captured) -> None:
    sides = {"--before": "", "--after": KNOCK}
    others = [part for name, side in sides.items() if name not in more for part in (name, side)]
    assert run([*GIN, *others, *more])[0] == 2
    assert told in capsys.readouterr().err


def test_a_lens_is_looked_at_where_both_tables_are_notation(tmp_path: Path, capsys: Captured) -> None:
    turn = [*RUMMIKUB, "--before", "", "--after", GROUP, "--not-opened", "--hand", "14"]
    assert run([*turn, "--lens", str(tmp_path / "none.toml")])[0] == 2
    assert "expected a lens profile" in capsys.readouterr().err
