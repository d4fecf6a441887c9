"""Which type faces of a machine are used, and for what."""

import re
import shutil
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from PIL import ImageFont

from referee.train.pictures.typefaces import FONT_ROOT, HELD_OUT, Faces, choose_face, family, find_faces

ROOT = Path(__file__).resolve().parents[3]


def stated_family(path: Path) -> str | None:
    return ImageFont.truetype(str(path), 20).getname()[0]


def test_held_out_families_are_in_no_training_material(faces: Faces) -> None:
    assert [p.name for p in (*faces.training, *faces.validation, *faces.unusual) if p.name.startswith(HELD_OUT)] == []


def test_no_family_is_both_trained_on_and_calibrated_on(faces: Faces) -> None:
    training, validation, unusual = (
        {family(path) for path in part} for part in (faces.training, faces.validation, faces.unusual)
    )
    assert training & validation == training & unusual == validation & unusual == set()
    assert len(training) > 4 * len(validation) > 0


def test_the_same_machine_gives_the_same_faces(faces: Faces) -> None:
    assert find_faces() == faces


def test_a_machine_without_type_faces_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"expected at least 20 families .*, found 0"):
        find_faces(tmp_path)


def test_files_that_are_no_type_faces_are_passed_over(tmp_path: Path) -> None:
    for number in range(30):
        (tmp_path / f"Broken{chr(65 + number % 26)}{number // 26}-Bold.ttf").write_bytes(b"no type face")
    with pytest.raises(FileNotFoundError, match="found 0"):
        find_faces(tmp_path)


@pytest.mark.parametrize("held_out", ["a validation face", "Lato"])
def test_no_copy_of_a_held_out_type_face_is_trained_on_under_another_name(
    faces: Faces, tmp_path: Path, held_out: str
) -> None:
    kept = faces.validation[0]
    files = (path for path in FONT_ROOT.rglob("*.[to]tf") if path.name.startswith(held_out) and "-Bold." in path.name)
    original = kept if held_out == "a validation face" else next(files, None)
    if original is None:
        pytest.skip(f"no {held_out} on this machine")
    copy = tmp_path / f"Copied-Bold{original.suffix}"
    shutil.copy(original, copy)
    for path in (*faces.training, kept, original, faces.symbols):
        if not (tmp_path / path.name).exists():
            (tmp_path / path.name).symlink_to(path)
    found = find_faces(tmp_path)
    assert copy not in found.training
    assert len(found.training) > 20
    assert [path.name for path in found.validation] == [kept.name]


def test_no_other_weight_of_a_held_out_type_face_is_trained_on(faces: Faces) -> None:
    apart = [path for path in FONT_ROOT.rglob("*.[to]tf") if path.name.startswith(HELD_OUT)]
    held_out = {stated_family(path) for path in (*faces.validation, *faces.unusual, *apart)}
    assert [path.name for path in faces.training if stated_family(path) in held_out] == []


def test_the_packages_of_type_faces_are_named_once_and_whole() -> None:
    listed = re.search(r"^FONTS\s*:= (.*?[^\\])\n", (ROOT / "Makefile").read_text(), re.MULTILINE | re.DOTALL)
    assert listed is not None
    packages = listed[1].replace("\\\n", " ").split()
    assert len(packages) > 100
    assert [name for name, times in Counter(packages).items() if times > 1] == []
    assert [name for name in packages if not re.fullmatch(r"[a-z0-9.]+(-[a-z0-9.]+)*", name)] == []


def test_a_machine_without_the_families_for_calibration_is_told_so(faces: Faces, tmp_path: Path) -> None:
    names = sorted({family(path) for path in faces.training})[:20]
    for path in faces.training:
        if family(path) in names:
            shutil.copy(path, tmp_path)
    with pytest.raises(FileNotFoundError, match=r"expected one of Anonymous Pro B, .*, found none"):
        find_faces(tmp_path)


def test_a_family_in_a_crowded_folder_is_chosen_less_often() -> None:
    crowd = [Path(f"/crowd/F{chr(65 + n)}.ttf") for n in range(16)]
    alone = Path("/alone/Alone.ttf")
    rng = np.random.default_rng(1)
    drawn = Counter(choose_face(rng, (*crowd, alone)) for _ in range(3000))
    assert set(drawn) == {*crowd, alone}
    often = drawn[alone] / (sum(drawn[path] for path in crowd) / len(crowd))
    assert 1.6 < often < 2.5  # 16 ** 0.25 is 2
