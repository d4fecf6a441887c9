"""Nets, their losses and their training, on next to no material."""

import numpy as np
import pytest
from easy_samples import MAPS, TILES, easy_samples, quad

from referee.train.data import SIDE, target_maps
from referee.train.pictures.scenes import Truth
from referee.vision.finding import finder as find
from referee.vision.reading import crops
from referee.vision.reading.answers import COLUMNS, INK, SHIFTS, WIDTHS, Predictions
from referee.vision.reading.glyphs import BACK_KIND, JOKER_KIND, KINDS, NONE_KIND

torch = pytest.importorskip("torch", reason="training needs the extra `train`: pip install -e '.[train]'")

from referee.train.fit import finder_loss, fit_aligner, fit_finder, fit_reader, reader_loss, turn_at_random  # noqa: E402
from referee.train.nets import AlignerNet, FinderNet, ReaderNet  # noqa: E402

CELLS = SIDE // find.STRIDE


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def silent(*_: object) -> None:
    return None


@pytest.mark.parametrize(("height", "width"), [(64, 64), (96, 128), (16, 160)], ids=str)
def test_the_finder_answers_one_map_cell_for_every_stride(height: int, width: int) -> None:
    answer = FinderNet().eval()(torch.zeros(2, 3, height, width))
    assert tuple(answer.shape) == (2, find.CHANNELS, height // find.STRIDE, width // find.STRIDE)


def test_the_reader_answers_all_its_columns() -> None:
    answer = ReaderNet().eval()(torch.zeros(5, 3, crops.HEIGHT, crops.WIDTH))
    assert tuple(answer.shape) == (5, COLUMNS)
    assert len(Predictions.from_columns(answer.detach().numpy())) == 5


def test_the_aligner_answers_shifts() -> None:
    assert tuple(AlignerNet().eval()(torch.zeros(5, 3, crops.HEIGHT, crops.WIDTH)).shape) == (5, SHIFTS)


def test_a_reader_measures_ink_on_the_crop_itself() -> None:
    """Twice the ink is measured twice as strong, whatever the net has learnt: inks never seen are measured, too."""
    torch.manual_seed(2)
    net = ReaderNet().eval()
    with torch.no_grad():
        net.where.weight.zero_()  # every pixel counts the same
        net.light[2].weight.zero_()  # and coverage does not depend on the crop
        pale, dark = (
            Predictions.from_columns(net(torch.full((1, 3, crops.HEIGHT, crops.WIDTH), -ink)).numpy())
            for ink in (0.2, 0.4)
        )
    assert dark.absorbed == pytest.approx(2 * pale.absorbed, rel=1e-4)
    assert pale.absorbed.min() > 0


def test_a_finder_that_knows_nothing_yet_sees_few_tiles() -> None:
    torch.manual_seed(3)
    answer = FinderNet().eval()(torch.rand(1, 3, 64, 64) * 2 - 1)
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


def losses_of(
    kind: int, answer: "torch.Tensor", suit: int = 0, ink: float = 0.0, shift: float = 0.0, *, exact: bool = True
) -> dict[str, float]:
    true = {
        "kinds": torch.tensor([kind]), "suits": torch.tensor([suit]), "absorbed": torch.full((1, INK), ink),
        "shifts": torch.full((1, SHIFTS), shift), "undeformed": torch.tensor([exact]),
    }  # fmt: skip
    return {name: float(loss) for name, loss in reader_loss(answer, true, torch.zeros(KINDS)).items()}


def answer_of(
    kind: int = 0, suit: int = 0, ink: float = 0.0, spread: float = 0.0, shift: float = 0.0
) -> "torch.Tensor":
    parts = [torch.zeros(1, width) for width in WIDTHS]
    parts[0][0, kind] = parts[1][0, suit] = 20.0
    for part, value in zip(parts[2:5], (ink, spread, shift), strict=True):
        part[:] = value
    return torch.cat(parts, dim=1)


def test_what_training_shows_too_often_must_be_told_the_more_plainly() -> None:
    answer, true = torch.zeros(1, sum(WIDTHS)), {"kinds": torch.tensor([3]), "suits": torch.tensor([0]),
        "absorbed": torch.zeros(1, INK), "shifts": torch.zeros(1, SHIFTS),
        "undeformed": torch.tensor([True])}  # fmt: skip
    often = torch.zeros(KINDS)
    often[4] = 3.0
    assert reader_loss(answer, true, often)["kind"] > reader_loss(answer, true, torch.zeros(KINDS))["kind"]


def test_a_right_answer_costs_next_to_nothing_and_a_wrong_one_much() -> None:
    right = losses_of(3, answer_of(3))
    assert right["kind"] + right["suit"] + right["shift"] < 0.01
    assert losses_of(4, answer_of(3))["kind"] > 5
    assert losses_of(3, answer_of(3, suit=1))["suit"] > 5
    assert losses_of(3, answer_of(3), shift=0.3)["shift"] == pytest.approx(0.3)


@pytest.mark.parametrize("kind", [BACK_KIND, NONE_KIND])
def test_ink_and_suit_of_what_has_no_print_cost_nothing(kind: int) -> None:
    found = losses_of(kind, answer_of(kind, suit=2), ink=0.8)
    assert found["ink"] == found["suit"] == 0.0


def test_a_deformed_crop_only_tells_its_sign_and_its_suit() -> None:
    found = losses_of(3, answer_of(4, suit=1), ink=0.8, shift=0.3, exact=False)
    assert found["ink"] == found["shift"] == 0.0
    assert found["kind"] > 5
    assert found["suit"] > 5


def test_the_ink_of_a_joker_is_measured_as_that_of_a_number() -> None:
    assert losses_of(JOKER_KIND, answer_of(JOKER_KIND), ink=0.8)["ink"] == pytest.approx(
        losses_of(3, answer_of(3), ink=0.8)["ink"]
    )
    assert losses_of(3, answer_of(3), ink=0.8)["ink"] > losses_of(3, answer_of(3, ink=0.8), ink=0.8)["ink"]


def test_the_error_that_is_told_costs_least_where_it_is_the_true_one() -> None:
    costs = {spread: losses_of(3, answer_of(3, spread=spread), ink=0.1)["ink"] for spread in (-4.0, -3.0, -2.3, -1.0)}
    assert min(costs, key=costs.__getitem__) == -2.3  # the logarithm of 0.1


def test_the_corners_of_what_is_no_tile_cost_nothing() -> None:
    assert losses_of(NONE_KIND, answer_of(NONE_KIND), shift=0.3)["shift"] == 0.0
    assert losses_of(BACK_KIND, answer_of(BACK_KIND), shift=0.3)["shift"] == pytest.approx(0.3)


@pytest.mark.parametrize("seed", range(8))
def test_a_picture_that_is_turned_or_mirrored_takes_its_tiles_along(seed: int) -> None:
    picture = np.zeros((1, 3, SIDE, SIDE), np.float32)
    for truth in TILES:  # a white spot at each tile's middle and a dim one at the middle of its right edge
        x, y = np.round(truth.corners.mean(axis=0)).astype(int)
        u, v = np.round(truth.corners[1:3].mean(axis=0)).astype(int)
        picture[0, :, y, x], picture[0, :, v, u] = 1.0, 0.5
    maps = torch.from_numpy(MAPS[None].astype(np.float32))
    turned, turned_maps = turn_at_random(np.random.default_rng(seed), torch.from_numpy(picture), maps.clone())
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
    ways = {tuple(turn_at_random(rng, corner.clone(), maps.clone())[0][0, 0].nonzero()[0].tolist()) for _ in range(80)}
    assert len(ways) == 8


def test_the_same_seed_trains_the_same_finder_and_tells_how_far_it_is() -> None:
    told: list[tuple[str, int, int]] = []

    def report(what: str, step: int, steps: int, figures: str) -> None:
        told.append((what, step, steps))
        assert "score" in figures

    one, other = (fit_finder(easy_samples(4), seed=5, epochs=1, report=report, batch=2) for _ in range(2))
    assert all(torch.equal(a, b) for a, b in zip(one.state_dict().values(), other.state_dict().values(), strict=True))
    assert told[-1] == ("finder", 2, 2)
    assert not one.training


def test_a_reader_learns_what_is_easy() -> None:
    told: list[str] = []
    net = fit_reader(easy_samples(64), seed=5, epochs=30, report=lambda *figures: told.append(figures[3]), batch=16)
    samples = easy_samples(64)
    with torch.no_grad():
        answer = net(torch.from_numpy(crops.relative_ink(samples.crops))).numpy()
    found = Predictions.from_columns(answer)
    assert (found.kinds.argmax(axis=1) == samples.kinds).mean() > 0.9
    assert (found.suits.argmax(axis=1) == 0).all()
    assert np.corrcoef(found.absorbed.ravel(), samples.absorbed.ravel().astype(float))[0, 1] > 0.5
    assert told
    assert not net.training


def test_an_aligner_learns_where_corners_lie_from_loose_crops_alone() -> None:
    samples = easy_samples(48)
    samples.loose[24:] = 0
    samples.shifts[24:] = 0.5
    told: list[str] = []
    net = fit_aligner(samples, seed=5, epochs=40, report=lambda *figures: told.append(figures[3]), batch=8)
    with torch.no_grad():
        answer = net(torch.from_numpy(crops.relative_ink(samples.crops))).numpy()
    assert np.abs(answer - 0.02).mean() < 0.08
    assert told
    assert not net.training


def test_a_reader_can_be_trained_further() -> None:
    first = fit_reader(easy_samples(16), seed=5, epochs=1, report=silent, batch=8)
    before = [value.clone() for value in first.state_dict().values()]
    further = fit_reader(easy_samples(16), seed=6, epochs=1, report=silent, batch=8, start=first, rate=1e-4)
    changes = [
        float((a.float() - b.float()).abs().max())
        for a, b, name in zip(before, further.state_dict().values(), further.state_dict(), strict=True)
        if name.endswith("weight")
    ]
    assert 0 < max(changes) < 0.01
