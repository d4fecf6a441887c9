"""What a log says of a training that nobody watches."""

import io

import pytest

pytest.importorskip("torch", reason="training needs the extra `train`: pip install -e '.[train]'")

from rich.console import Console

from referee.train.progress import show_progress


def told(*, terminal: bool) -> str:
    out = io.StringIO()
    with show_progress(["reader"], Console(file=out, force_terminal=terminal, width=100)) as report:
        for step in range(3):
            report("reader", step + 1, 3, "loss 0.5")
    return out.getvalue()


def test_a_log_has_a_line_at_once_but_not_one_for_each_step() -> None:
    assert told(terminal=False).split("\n")[0] == "reader 1/3 loss 0.5"
    assert told(terminal=False).count("reader") == 1


def test_a_terminal_has_a_bar() -> None:
    assert "3/3" in told(terminal=True)
