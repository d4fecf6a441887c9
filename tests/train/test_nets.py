"""Nets, their losses and their training, on next to no material."""

import numpy as np
import pytest

from referee.train.data import CLASSES, NO_COLOUR, NONE_CLASS, SIDE, Samples, target_maps
from referee.train.scenes import Truth
from referee.vision import crops, find
from referee.vision.read import COLUMNS

torch = pytest.importorskip("torch", reason="training needs the extra `train`: pip install -e '.[train]'")

from referee.train.fit import _turn, finder_loss, fit_finder, fit_reader, reader_loss  # noqa: E402
from referee.train.nets import Finder, Reader  # noqa: E402

CELLS = SIDE // find.STRIDE


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def quad(x: float, y: float, degrees: float) -> np.ndarray:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    box = np.asarray([[-10.5, -15], [10.5, -15], [10.5, 15], [-10.5, 15]])
    return np.asarray(box @ np.asarray([[c, s], [-s, c]]) + [x, y], np.float32)


TILES = tuple(
    Truth(None, quad(x, y, turn), cut=False) for x, y, turn in ((60, 60, 20), (180, 90, 75), (100, 200, 140))
)
MAPS = target_maps(TILES, 1.0)


def made(count: int) -> Samples:
    """Grey pictures with three white tiles each, and crops whose brightness tells their kind."""
    rng = np.random.default_rng(1)
    picture = np.full((SIDE, SIDE, 3), 60, np.uint8)
    for truth in TILES:
        x, y = truth.corners.mean(axis=0).astype(int)
        picture[y - 9 : y + 9, x - 9 : x + 9] = 240
    kinds = rng.integers(0, 4, count)
    cut = rng.integers(150, 160, (count, crops.HEIGHT, crops.WIDTH, 3)).astype(np.uint8)
    for crop, kind in zip(cut, kinds, strict=True):
        crop[10 : 20 + 8 * kind, 14:34] = 20
    return Samples(np.stack([picture] * count), np.stack([MAPS] * count), cut, kinds.astype(np.int8),
                   (kinds % 3).astype(np.int8), np.zeros((count, 8), np.float16))  # fmt: skip


def silent(*_: object) -> None:
    return None


@pytest.mark.parametrize(("height", "width"), [(64, 64), (96, 128), (16, 160)], ids=str)
def test_the_finder_answers_one_map_cell_for_every_stride(height: int, width: int) -> None:
    answer = Finder().eval()(torch.zeros(2, 3, height, width))
    assert tuple(answer.shape) == (2, find.CHANNELS, height // find.STRIDE, width // find.STRIDE)


def test_the_reader_answers_kinds_colours_and_shifts() -> None:
    answer = Reader().eval()(torch.zeros(5, 3, crops.HEIGHT, crops.WIDTH))
    assert tuple(answer.shape) == (5, COLUMNS + 8)


def test_a_finder_that_knows_nothing_yet_sees_few_tiles() -> None:
    torch.manual_seed(3)
    answer = Finder().eval()(torch.rand(1, 3, 64, 64) * 2 - 1)
    assert float(torch.sigmoid(answer[:, 0]).mean().detach()) < 0.2


def perfect() -> "torch.Tensor":
    answer = torch.from_numpy(MAPS[None, : find.CHANNELS].astype(np.float32)).clone()
    answer[:, 0] = torch.where(answer[:, 0] > 0.999, 12.0, -12.0)
    return answer


def test_the_finders_loss_is_least_for_the_right_answer() -> None:
    target = torch.from_numpy(MAPS[None].astype(np.float32))
    right = [float(v) for v in finder_loss(perfect(), target)]
    shifted = [float(v) for v in finder_loss(perfect().roll(3, 3), target)]
    assert right[0] < 0.01
    assert right[1] == 0.0
    assert shifted[0] > 1
    assert shifted[1] > 0.05


def test_what_the_finder_says_of_a_cut_tile_costs_nothing() -> None:
    target = target_maps((Truth(None, quad(4, 100, 0), cut=True),), 1.0)[None].astype(np.float32)
    answer = np.full((1, find.CHANNELS, CELLS, CELLS), 0.0, np.float32)
    answer[:, 0] = np.where(target[:, 7] < 0, 9.0, -12.0)
    score, vectors = finder_loss(torch.from_numpy(answer), torch.from_numpy(target))
    assert float(score) < 0.01
    assert float(vectors) == 0.0


def reader_losses(kind: int, colour: int, answer: "torch.Tensor", shift: float = 0.0) -> list[float]:
    losses = reader_loss(answer, torch.tensor([kind]), torch.tensor([colour]), torch.full((1, 8), shift))
    return [float(loss) for loss in losses]


def test_the_colour_of_what_has_none_costs_nothing() -> None:
    answer = torch.zeros(2, COLUMNS + 8)
    answer[:, CLASSES] = 20.0
    kinds, shifts = torch.tensor([1, 2]), torch.zeros(2, 8)
    one_right = reader_loss(answer, kinds, torch.tensor([0, NO_COLOUR]), shifts)[1]
    one_wrong = reader_loss(answer, kinds, torch.tensor([0, 3]), shifts)[1]
    assert float(one_right) < 0.01
    assert float(one_wrong) > 5


def test_the_corners_of_what_is_no_tile_cost_nothing() -> None:
    answer = torch.zeros(1, COLUMNS + 8)
    assert reader_losses(NONE_CLASS, 0, answer, 0.3)[2] == 0.0
    assert reader_losses(3, 0, answer, 0.3)[2] == pytest.approx(0.3)


@pytest.mark.parametrize("seed", range(8))
def test_a_picture_that_is_turned_or_mirrored_takes_its_tiles_along(seed: int) -> None:
    picture = np.zeros((1, 3, SIDE, SIDE), np.float32)
    for truth in TILES:  # a white spot at each tile's middle and a dim one at the middle of its right edge
        x, y = np.round(truth.corners.mean(axis=0)).astype(int)
        u, v = np.round(truth.corners[1:3].mean(axis=0)).astype(int)
        picture[0, :, y, x], picture[0, :, v, u] = 1.0, 0.5
    maps = torch.from_numpy(MAPS[None].astype(np.float32))
    turned, turned_maps = _turn(np.random.default_rng(seed), torch.from_numpy(picture), maps.clone())
    answer = turned_maps.numpy()[0, : find.CHANNELS].copy()
    answer[0] = np.where(answer[0] > 0.999, 5.0, -20.0)
    found = find.decode(answer, 0.3).corners
    assert len(found) == 3
    shown = turned.numpy()[0, 0]
    for value, places in (
        (1.0, found.mean(axis=1)[:, None]),
        (0.5, np.stack([found[:, 1:3].mean(axis=1), found[:, [0, 3]].mean(axis=1)], axis=1)),
    ):
        for y, x in np.argwhere(shown == value):
            assert np.linalg.norm(places - [x, y], axis=2).min() < 1.5


def test_all_eight_ways_to_lay_a_square_occur() -> None:
    corner = torch.zeros(1, 3, SIDE, SIDE)
    corner[0, :, 0, 5] = 1.0
    maps = torch.zeros(1, 8, CELLS, CELLS)
    rng = np.random.default_rng(1)
    ways = {tuple(_turn(rng, corner.clone(), maps.clone())[0][0, 0].nonzero()[0].tolist()) for _ in range(80)}
    assert len(ways) == 8


def test_the_same_seed_trains_the_same_finder_and_tells_how_far_it_is() -> None:
    told: list[tuple[str, int, int]] = []

    def report(what: str, step: int, steps: int, figures: str) -> None:
        told.append((what, step, steps))
        assert "score" in figures

    one, other = (fit_finder(made(4), seed=5, epochs=1, report=report, batch=2) for _ in range(2))
    assert all(torch.equal(a, b) for a, b in zip(one.state_dict().values(), other.state_dict().values(), strict=True))
    assert told[-1] == ("finder", 2, 2)
    assert not one.training


def test_a_reader_learns_what_is_easy() -> None:
    told: list[str] = []
    net = fit_reader(made(64), seed=5, epochs=12, report=lambda *figures: told.append(figures[3]), batch=16)
    samples = made(64)
    with torch.no_grad():
        answer = net(torch.from_numpy(crops.relative_ink(samples.crops))).numpy()
    assert (answer[:, :CLASSES].argmax(axis=1) == samples.kinds).mean() > 0.9
    assert told
    assert not net.training


def test_a_reader_can_be_trained_further() -> None:
    first = fit_reader(made(16), seed=5, epochs=1, report=silent, batch=8)
    before = [value.clone() for value in first.state_dict().values()]
    further = fit_reader(made(16), seed=6, epochs=1, report=silent, batch=8, start=first, rate=1e-4)
    changes = [
        float((a.float() - b.float()).abs().max())
        for a, b, name in zip(before, further.state_dict().values(), further.state_dict(), strict=True)
        if name.endswith("weight")
    ]
    assert 0 < max(changes) < 0.01
