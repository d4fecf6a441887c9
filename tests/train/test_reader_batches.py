"""What the reader learns from: crops that are computed ahead, of which some are deformed."""

from threading import Event

import numpy as np
import pytest
from easy_samples import easy_samples

from referee.vision.reading.crops import relative_ink

torch = pytest.importorskip("torch", reason="training needs the extra `train`: pip install -e '.[train]'")

from referee.train.fit import DEFORMED_SHARE, compute_ahead, fit_reader, make_reader_batch  # noqa: E402
from referee.train.nets import ReaderNet  # noqa: E402

PATIENCE_S = 60.0


def test_crops_are_deformed_or_only_lit_otherwise():
    samples = easy_samples(200)
    ink, true = make_reader_batch(samples, np.arange(200), np.random.default_rng(2))
    edges = np.abs(ink.numpy() - relative_ink(samples.crops)).max(axis=(1, 2, 3))
    exact = true["undeformed"].numpy()
    assert edges[exact].max() < edges[~exact].min()  # the bar's edges are moved, and not only lit
    assert exact.mean() == pytest.approx(1 - DEFORMED_SHARE, abs=0.12)


def test_a_batch_of_undeformed_crops_only_is_possible():
    _, true = make_reader_batch(easy_samples(1), np.arange(1), np.random.default_rng(1))
    assert bool(true["undeformed"].all())


def test_the_same_seed_trains_the_same_reader():
    one, other = (fit_reader(easy_samples(32), seed=5, epochs=3, report=lambda *_: None, batch=8) for _ in range(2))
    assert all(torch.equal(a, b) for a, b in zip(one.parameters(), other.parameters(), strict=True))


def test_a_reader_that_was_kept_learns_on_as_if_it_had_not_been_interrupted(tmp_path):
    def fit(start=None):
        return fit_reader(easy_samples(32), seed=5, epochs=2, report=lambda *_: None, batch=8, start=start)

    first = fit()
    torch.save(first.state_dict(), tmp_path / "reader.pt")
    at_once = {name: value.clone() for name, value in fit(first).state_dict().items()}
    torch.rand(3)  # whatever else happens in the other run
    kept = ReaderNet()
    kept.load_state_dict(torch.load(tmp_path / "reader.pt", weights_only=True))
    later = fit(kept.eval()).state_dict()
    assert all(torch.equal(at_once[name], later[name]) for name in at_once)


def test_what_is_computed_ahead_comes_in_order_and_all_of_it():
    assert list(compute_ahead(iter(range(1, 7)))) == [1, 2, 3, 4, 5, 6]


def test_an_error_ahead_is_raised():
    def items():
        yield 1
        raise OSError("no more")

    ahead = compute_ahead(items())
    assert next(ahead) == 1
    with pytest.raises(OSError, match="no more"):
        next(ahead)


def test_the_next_item_is_begun_while_one_is_used():
    begun = Event()

    def items():
        yield 1
        begun.set()
        yield 2

    ahead = compute_ahead(items())
    assert next(ahead) == 1
    assert begun.wait(PATIENCE_S)
    assert list(ahead) == [2]
