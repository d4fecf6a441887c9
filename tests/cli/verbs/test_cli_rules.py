"""`referee rules`: every rule book listed, each on one screen with its options."""

import pytest
from command_line import run

from referee.game.rulebooks import RULESETS
from referee.game.rulebooks.summary import summary
from referee.i18n import ENGLISH

Captured = pytest.CaptureFixture[str]


def test_every_rule_book_is_listed(capsys: Captured) -> None:
    assert run(["rules"])[0] == 0
    out, err = capsys.readouterr()
    assert all(name in out for name in RULESETS)
    assert err == ""


def widest(capsys: Captured) -> int:
    return max(map(len, capsys.readouterr().out.splitlines()))


@pytest.mark.parametrize("columns", [40, 60, 80, 100])
def test_lines_are_as_wide_as_the_terminal(columns: int, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert run(["rules"])[0] == 0
    assert widest(capsys) <= columns
    assert run(["rules", "rummikub"])[0] == 0
    assert columns - 15 <= widest(capsys) <= columns


@pytest.mark.parametrize("columns", [24, 40, 80])
def test_no_name_is_cut_on_a_narrow_terminal(columns: int, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert run(["rules"])[0] == 0
    told = capsys.readouterr().out
    assert all(name in told for name in RULESETS)
    assert "…" not in told


@pytest.mark.parametrize("name", RULESETS)
def test_a_rule_book_fits_one_screen_and_names_its_options(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert run(["rules", name])[0] == 0
    out = capsys.readouterr().out
    book, told = RULESETS[name], " ".join(out.split())
    assert book.title in told
    assert all(sentence in told for sentence in map(ENGLISH, summary(book)))
    assert all(option.name in told and ENGLISH(option.text) in told for option in book.options)
    assert out.count("\n") <= 43
    assert max(map(len, out.splitlines())) <= 100


@pytest.mark.parametrize("name", RULESETS)
def test_a_rule_book_fits_one_screen_of_80_columns(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert run(["rules", name])[0] == 0
    assert capsys.readouterr().out.count("\n") <= 49


def test_the_text_follows_the_options_that_are_chosen(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    assert run(["rules", "piatnik", "--option", "winning-set=12", "--option", "minutes=3"])[0] == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "lay a set worth exactly 12 points" in told
    assert "A turn lasts 3 minutes;" in told
    assert "minutes = 2 | 1 | 3, chosen: 3: How many" in told
    assert "winning-set = off | 3-91, chosen: 12: What must a set" in told
    assert "tie = shared | extra-round: What decides a tie" in told


@pytest.mark.parametrize("wrong", [["--option", "minutes=3"], ["gin", "--option", "minutes=3"]])
def test_an_option_needs_a_rule_book_that_has_it(wrong: list[str], capsys: Captured) -> None:
    assert run(["rules", *wrong])[0] == 2
    assert "--option: expected" in capsys.readouterr().err


def test_options_that_contradict_each_other_are_told_with_the_reason(capsys: Captured) -> None:
    assert run(["rules", "piatnik", "--option", "winning-sum=at-least"])[0] == 2
    assert "without a winning set there is no value to reach" in capsys.readouterr().err


def test_an_unknown_rule_book_is_told_with_the_known_ones(capsys: Captured) -> None:
    assert run(["rules", "chess"])[0] == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert all(name in err for name in RULESETS)
