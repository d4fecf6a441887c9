"""Matrices are changed alike in all directions, everything else by AdamW, and the rate rises and falls for both."""

import pytest

torch = pytest.importorskip("torch", reason="training needs the extra `train`: pip install -e '.[train]'")

from referee.train.optimiser import MATRIX_RATE, Optimiser, as_matrix  # noqa: E402

RATE, STEPS = 0.001, 40
LARGE = 1000.0
"""With this factor, gradients are clipped."""


def two_layers(memory_format=torch.channels_last):
    torch.manual_seed(3)
    layers = torch.nn.Sequential(torch.nn.Conv2d(4, 6, 3, bias=False), torch.nn.Conv2d(6, 5, 3))
    return layers.to(memory_format=memory_format)


def changes(net, optimiser, steps):
    """Return by how much each step changes the weights of the first and of the second layer."""
    for _ in range(steps):
        before = [layer.weight.detach().clone() for layer in net]
        optimiser.descend(net(torch.randn(8, 4, 9, 9)).square().mean())
        yield [layer.weight.detach() - old for layer, old in zip(net, before, strict=True)]


def test_a_step_changes_all_directions_of_a_matrix_by_about_the_rate_which_rises_and_falls():
    net = two_layers()
    steps = [
        torch.linalg.svdvals(as_matrix(change[1]))
        for change in changes(net, Optimiser(net, RATE, STEPS, [net[1].weight]), STEPS)
    ]
    largest = [float(step.max()) for step in steps]
    highest = largest.index(max(largest))
    assert 2 <= highest <= 10
    assert 0.5 * MATRIX_RATE * RATE < float(steps[highest].min()) <= largest[highest] < 1.5 * MATRIX_RATE * RATE
    assert largest[-1] < 0.02 * largest[highest]


def test_without_matrices_it_is_adamw():
    one, other = two_layers(), two_layers()
    ours = Optimiser(one, RATE, STEPS)
    theirs = torch.optim.AdamW(other.parameters(), lr=RATE, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(theirs, RATE, total_steps=STEPS, pct_start=0.15)
    pictures = torch.randn(8, 4, 9, 9)
    for _ in range(5):
        ours.descend(LARGE * one(pictures).square().mean(), clipped=True)
        theirs.zero_grad()
        (LARGE * other(pictures).square().mean()).backward()
        torch.nn.utils.clip_grad_norm_(other.parameters(), 5.0)
        theirs.step()
        schedule.step()
    for mine, expected in zip(one.parameters(), other.parameters(), strict=True):
        assert torch.equal(mine, expected)


def test_weights_that_would_have_to_be_copied_are_refused():
    net = two_layers(torch.contiguous_format)
    with pytest.raises(ValueError, match=r"expected weights with their channels last in memory, found strides"):
        Optimiser(net, RATE, STEPS, [net[1].weight])
