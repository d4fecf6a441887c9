"""`referee rules`: every rule book listed, each on one screen with its options."""

import pytest
from command_line import run

from referee.game.rulesets import RULESETS

Captured = pytest.CaptureFixture[str]


def test_every_rule_book_is_listed(capsys: Captured) -> None:
    assert run(["rules"])[0] == 0
    out, err = capsys.readouterr()
    assert all(name in out for name in RULESETS)
    assert err == ""


@pytest.mark.parametrize("name", RULESETS)
def test_a_rule_book_fits_one_screen_and_names_its_options(name: str, capsys: Captured) -> None:
    assert run(["rules", name])[0] == 0
    out = capsys.readouterr().out
    book, told = RULESETS[name], " ".join(out.split())
    assert book.title in told
    assert all(sentence in told for sentence in book.summary)
    assert all(option.name in told and option.text in told for option in book.options)
    assert out.count("\n") <= 32
    assert max(map(len, out.splitlines())) <= 100


def test_an_unknown_rule_book_is_told_with_the_known_ones(capsys: Captured) -> None:
    assert run(["rules", "chess"])[0] == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert all(name in err for name in RULESETS)
