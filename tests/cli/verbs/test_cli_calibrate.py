"""`referee calibrate`, from pictures to a profile that `read` uses; whatever will not do stores nothing."""

import json

import numpy as np
import pytest
from command_line import run
from sheets import LENS, SIZE, photograph, poses

from referee.cli.parts.lens_profiles import load
from referee.devices.camera.stills import save_picture

OLD = 'version = 0\nchecksum = "of an older version"\n'


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sheets")
    files = []
    for i, view in enumerate(poses()):
        files.append(folder / f"v{i:02}.png")
        save_picture(files[-1], photograph(view))
    return files


def test_pictures_give_a_profile_of_the_lens_they_were_taken_through(pictures, tmp_path, capsys):
    out = tmp_path / "lens.toml"
    code, _ = run(["calibrate", *pictures, "--out", out, "--bar", "100.2", "--lens-position", "1.2"])
    assert code == 0
    told = capsys.readouterr().out
    assert "13 views of 1152 x 648 cover" in told
    assert " px, that is 0." in told
    found = load(out)
    assert found.lens.focal_px == pytest.approx(LENS.focal_px, rel=0.006)
    assert found.lens.k1 == pytest.approx(LENS.k1, abs=0.02)
    assert found.optics.lens_position == 1.2
    other = tmp_path / "other.png"
    save_picture(other, np.zeros((48, 64, 3), np.uint8))
    assert run(["read", other, "--lens", out])[0] == 2
    assert "expected pictures of 1152 x 648 as calibrated, found 64 x 48" in capsys.readouterr().err


def refusal(arguments, out, capsys):
    out.write_text(OLD, encoding="utf-8")
    code, _ = run(["calibrate", *arguments, "--out", out])
    told = [line for line in capsys.readouterr().err.splitlines() if line.startswith("referee:")]
    assert code == 2
    assert len(told) == 1
    assert out.read_text(encoding="utf-8") == OLD
    assert [path.name for path in out.parent.glob("*lens*")] == ["lens.toml"]
    return told[0]


def test_figures_as_one_object(pictures, tmp_path, capsys):
    out = tmp_path / "lens.toml"
    assert run(["calibrate", *pictures, "--out", out, "--bar", "100", "--json"])[0] == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["file"], told["views"], told["width_px"], told["height_px"]) == (str(out), 13, 1152, 648)
    assert told["focal_px"] == pytest.approx(LENS.focal_px, rel=0.006)
    assert 0.5 < told["coverage"] <= 1


def test_too_few_pictures_are_refused(pictures, tmp_path, capsys):
    assert "in at least 8 pictures, but was found in 3" in refusal(pictures[:3], tmp_path / "lens.toml", capsys)


def test_one_picture_over_and_over_is_refused(pictures, tmp_path, capsys):
    assert "only 1 of 9" in refusal([pictures[0]] * 9, tmp_path / "lens.toml", capsys)


def test_a_print_that_was_scaled_is_refused_before_any_work(tmp_path, capsys):
    told = refusal(["none.png", "--bar", "96"], tmp_path / "lens.toml", capsys)
    assert "--bar: expected a line of 100 mm, found 96: print the sheet again at 100 %" in told


def test_a_picture_without_the_sheet_and_one_of_another_size_are_named(pictures, tmp_path, capsys):
    empty, small = tmp_path / "empty.png", tmp_path / "small.png"
    save_picture(empty, np.full((SIZE[1], SIZE[0], 3), 90, np.uint8))
    save_picture(small, np.full((480, 640, 3), 90, np.uint8))
    out = tmp_path / "lens.toml"
    assert "empty.png: expected the calibration sheet, found none" in refusal([pictures[0], empty], out, capsys)
    told = refusal([pictures[0], small], out, capsys)
    assert "small.png: expected a picture of 1152 x 648" in told
    assert "found 640 x 480" in told


def test_pictures_that_cannot_be_of_the_named_camera_are_refused(pictures, tmp_path, capsys):
    told = refusal([*pictures, "--sensor", "imx477"], tmp_path / "lens.toml", capsys)
    assert "The view of imx477 should be about" in told or "from another camera" in told


def test_a_profile_that_was_edited_is_refused_by_read(tmp_path, capsys):
    lens, picture = tmp_path / "lens.toml", tmp_path / "p.png"
    lens.write_text("version = 7\n", encoding="utf-8")
    save_picture(picture, np.zeros((48, 64, 3), np.uint8))
    assert run(["read", picture, "--lens", lens])[0] == 2
    assert "expected a lens profile of version 1, found version 7" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["my notes", "[camera]\nversion = 1\n"])
def test_another_file_is_not_replaced_by_a_profile(pictures, tmp_path, capsys, text):
    out = tmp_path / "settings.toml"
    out.write_text(text, encoding="utf-8")
    assert run(["calibrate", *pictures, "--out", out])[0] == 2
    assert f"{out}: expected no file there, or an earlier lens profile to be replaced" in capsys.readouterr().err
    assert out.read_text(encoding="utf-8") == text


def test_an_earlier_profile_is_replaced_even_if_it_is_of_another_version(pictures, tmp_path):
    out = tmp_path / "lens.toml"
    out.write_text(OLD, encoding="utf-8")
    assert run(["calibrate", *pictures, "--out", out])[0] == 0
    assert load(out).views == 13
