"""From nets to files: checked against ONNX Runtime, described, and loadable by the referee."""

import hashlib
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.devices.onnx import NETWORKS, OnnxModel, load_arrays, load_description
from referee.errors import BadInput
from referee.game.tiles import TILE_SETS
from referee.train.calibrate import MadeTable
from referee.train.pictures.typefaces import Faces
from referee.vision.finding import finder as find
from referee.vision.pipeline import TableReader
from referee.vision.placing import Nets
from referee.vision.reading import crops
from referee.vision.reading.answers import EMBEDDING
from referee.vision.reading.glyphs import BACK_KIND, GLYPHS, SUITS
from referee.vision.reading.joint import Calibration, Known
from referee.vision.reading.look_alikes import with_print

torch = pytest.importorskip("torch", reason="training needs the extra `train`: pip install -e '.[train]'")
pytest.importorskip("onnx", reason="exporting needs the extra `train`: pip install -e '.[train]'")

from referee.train import main, quantise  # noqa: E402
from referee.train.calibrate import THRESHOLDS, priors  # noqa: E402
from referee.train.nets import AlignerNet, FinderNet, LookAlikeNet, ReaderNet  # noqa: E402
from referee.train.networks import Trained, TrainingPlan, scale_plan  # noqa: E402
from referee.vision.reading.inks import priors_from  # noqa: E402

INK = np.zeros((2, 3, crops.HEIGHT, crops.WIDTH), np.float32)


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


values = st.one_of(
    st.booleans(), st.integers(-(2**53), 2**53), st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(min_codepoint=32, exclude_characters="\x7f", exclude_categories=("Cs",))),
)  # fmt: skip
names = st.from_regex(r"[a-z][a-z_0-9]{0,8}", fullmatch=True)
tables = st.dictionaries(names, st.dictionaries(names, st.one_of(values, st.lists(values, max_size=4))), max_size=4)


@settings(deadline=None, derandomize=True)
@given(tables)
def test_a_description_is_read_back_as_it_was_written(described: dict[str, dict[str, Any]]) -> None:
    assert tomllib.loads(main.to_toml(described)) == described


def test_a_checksum_is_the_sha256_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"tiles")
    assert main.checksum(tmp_path / "a") == hashlib.sha256(b"tiles").hexdigest()


def test_an_exported_net_answers_as_the_net_itself(tmp_path: Path) -> None:
    torch.manual_seed(1)
    net = ReaderNet()
    gap = main.export(net, INK, {0: "n"}, tmp_path / "reader.onnx")
    other = np.random.default_rng(1).uniform(-1, 0, (5, *INK.shape[1:])).astype(np.float32)
    with torch.no_grad():
        expected = net(torch.from_numpy(other)).numpy()
    assert gap < main.AGREEMENT
    assert OnnxModel(tmp_path / "reader.onnx", threads=1)(other)[0] == pytest.approx(expected, abs=main.AGREEMENT)


def test_an_exported_finder_takes_pictures_of_any_size(tmp_path: Path) -> None:
    main.export(FinderNet(), np.zeros((1, 3, 32, 48), np.float32), {2: "height", 3: "width"}, tmp_path / "f.onnx")
    answer = OnnxModel(tmp_path / "f.onnx", threads=1)(np.zeros((1, 3, 64, 160), np.float32))[0]
    assert answer.shape == (1, find.CHANNELS, 64 // find.STRIDE, 160 // find.STRIDE)


class Fickle(torch.nn.Module):  # type: ignore[name-defined,misc]
    """A net that answers otherwise each time, so that no file can agree with it."""

    calls = 0

    def forward(self, ink: Any) -> Any:
        self.calls += 1
        return ink.mean(dim=(1, 2, 3)) + float(self.calls)


def test_a_net_whose_file_disagrees_is_refused_and_nothing_is_left(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="expected the net and its ONNX file to agree"):
        main.export(Fickle(), INK, {0: "n"}, tmp_path / "fickle.onnx")
    assert list(tmp_path.iterdir()) == []


def table() -> MadeTable:
    """A picture of noise with a few quads, which some net that has learnt nothing may read."""
    rng = np.random.default_rng(2)
    picture = rng.integers(0, 255, (200, 300, 3)).astype(np.uint8)
    corners = np.asarray([[[x, 40], [x + 40, 40], [x + 40, 98], [x, 98]] for x in (20, 90, 160, 230)], np.float32)
    kinds = np.asarray([6, 7, BACK_KIND, 3], np.int8)
    return MadeTable(picture, corners, ("red-7", "red-8", "face-down", "blue-4"), TILE_SETS["rummikub"], kinds,
                     np.zeros(4, np.int8))  # fmt: skip


NO_FACES = Faces((Path("a.ttf"),), (), Path("s.ttf"), ())
FILES = ["aligner.onnx", "finder.onnx", "inks.npz", "look_alikes.onnx", "reader.onnx", "tiles.toml"]
PRIORS = priors(1, samples=300, components=2)


RNG = np.random.default_rng(3)
EXAMPLES = {
    "finder": [RNG.uniform(-1, 1, (1, 3, 64, 96)).astype(np.float32) for _ in range(2)],
    "aligner": [RNG.uniform(-1, 0, INK.shape).astype(np.float32)],
    "reader": [RNG.uniform(-1, 0, INK.shape).astype(np.float32)],
    "look_alikes": [with_print(RNG.uniform(-1, 0, INK.shape).astype(np.float32))],
}


def published(out: Path) -> Any:
    torch.manual_seed(4)
    trained = Trained(FinderNet(), AlignerNet(), ReaderNet(), LookAlikeNet())
    plan = TrainingPlan(pictures=3)
    return main.publish(trained, PRIORS, [table()], EXAMPLES, floats_beside(out), out, 7, plan, NO_FACES)


def floats_beside(out: Path) -> Path:
    return out.with_name(f"{out.name}-floats")


def test_published_models_are_the_ones_their_description_names(tmp_path: Path) -> None:
    measured = published(tmp_path)
    assert sorted(p.name for p in tmp_path.iterdir()) == FILES
    description = load_description(tmp_path)
    described = description.tables["reader"]
    assert Calibration.from_description(described) == measured.calibration
    assert described["input"] == [3, crops.HEIGHT, crops.WIDTH]
    assert (tuple(described["glyphs"]), tuple(described["suits"])) == (GLYPHS, SUITS)
    assert described["embedding"] == EMBEDDING
    assert "seed 7" in description.tables["made"]["from"]
    assert (measured.tiles, measured.calibration.sure_from) == (0, THRESHOLDS[-1])  # nets that misread choose nothing


def test_published_inks_are_the_ones_that_were_drawn(tmp_path: Path) -> None:
    published(tmp_path)
    found = priors_from(load_arrays(load_description(tmp_path).files["inks"]))
    assert [prior.colours for prior in found] == [prior.colours for prior in PRIORS]
    assert found[0].means == pytest.approx(PRIORS[0].means, abs=1e-5)


def test_published_models_can_look_at_a_picture(tmp_path: Path) -> None:
    published(tmp_path)
    description = load_description(tmp_path)
    nets = Nets(*(OnnxModel(description.files[part], threads=1) for part in NETWORKS))
    picture = np.random.default_rng(1).integers(0, 255, (120, 160, 3)).astype(np.uint8)
    known = Known(priors_from(load_arrays(description.files["inks"])))
    assert TableReader(nets, description.tables, known).read(picture, TILE_SETS["rummikub"]).scale == "tiles"


def test_published_networks_are_quantised_and_the_others_are_kept(tmp_path: Path) -> None:
    published(tmp_path)
    tables = load_description(tmp_path).tables
    for part in quantise.NETWORKS:
        assert tables[part]["bits"] == 8
        assert 0 < tables[part]["quantisation_error"] < quantise.MOST_ERROR
        small, large = (folder / f"{part}.onnx" for folder in (tmp_path, floats_beside(tmp_path)))
        assert small.stat().st_size < large.stat().st_size


@pytest.fixture
def drawn_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(main, "find_training_faces", lambda: NO_FACES)
    monkeypatch.setattr(main, "draw_examples", lambda *_: EXAMPLES)


@pytest.mark.usefixtures("drawn_examples")
def test_networks_can_be_quantised_again_and_the_calibration_stays(tmp_path: Path) -> None:
    published(tmp_path)
    before = load_description(tmp_path).tables
    for part in quantise.NETWORKS:
        (tmp_path / f"{part}.onnx").write_bytes((floats_beside(tmp_path) / f"{part}.onnx").read_bytes())
    (tmp_path / "tiles.toml").write_text(main.to_toml({
        name: dict(table) | ({"sha256": main.checksum(tmp_path / f"{name}.onnx")} if name in quantise.NETWORKS else {})
        for name, table in before.items()
    }))  # fmt: skip
    (tmp_path / ".new").mkdir()
    (tmp_path / ".new/left.onnx").write_bytes(b"of a run that was interrupted")
    main.quantise_again(floats_beside(tmp_path), tmp_path, 7)
    assert sorted(p.name for p in tmp_path.iterdir()) == FILES
    assert load_description(tmp_path).tables == before


def test_the_network_for_look_alikes_can_be_trained_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, faces: Faces
) -> None:
    published(tmp_path)
    before = load_description(tmp_path).tables
    monkeypatch.setattr(main, "find_training_faces", lambda: faces)
    main.train_look_alikes_again(tmp_path, 7, TrainingPlan(look_alike_pictures=30, look_alike_epochs=1))
    assert sorted(p.name for p in tmp_path.iterdir()) == FILES
    after = load_description(tmp_path).tables
    assert {name for name in before if before[name] != after[name]} == {"look_alikes"}
    assert (after["look_alikes"]["pictures"], after["look_alikes"]["epochs"]) == (30, 1)


@pytest.mark.usefixtures("drawn_examples")
def test_a_folder_without_networks_cannot_be_quantised(tmp_path: Path) -> None:
    published(tmp_path)
    (floats_beside(tmp_path) / "reader.onnx").unlink()
    with pytest.raises(BadInput, match=r"expected reader\.onnx in .*-floats, found none"):
        main.quantise_again(floats_beside(tmp_path), tmp_path)
    assert sorted(p.name for p in tmp_path.iterdir()) == FILES


def test_a_trial_has_fewer_pictures_of_every_kind() -> None:
    plan = scale_plan(12)
    counts = (plan.pictures, plan.mild, plan.jokers, plan.tables, plan.mined, plan.look_alike_pictures)
    assert counts == (12,) * 6
    assert plan.reader_epochs == TrainingPlan().reader_epochs


def test_new_models_take_the_place_of_old_ones(tmp_path: Path) -> None:
    (tmp_path / "reader.onnx").write_bytes(b"old")
    published(tmp_path)
    assert load_description(tmp_path).files["reader"].read_bytes() != b"old"


def test_a_machine_without_type_faces_is_told_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> Faces:
        raise FileNotFoundError("expected at least 20 families of type faces, found 0")

    monkeypatch.setattr(main, "find_faces", none)
    with pytest.raises(BadInput, match=r"found 0; `sudo make fonts` installs those of Debian"):
        main.train(tmp_path / "out", work=tmp_path / "work")
    assert list(tmp_path.iterdir()) == []
