"""Rates with their intervals, and the page they are written on."""

from pathlib import Path

import pytest

from benchmarks import report
from benchmarks.report import Figures, Row, page, rate_row, show, skipped, wilson, with_figures, with_parts


@pytest.mark.parametrize(
    ("hits", "total", "low", "high"),
    [
        pytest.param(8, 10, 0.4901625, 0.9433178, id="8 of 10"),
        pytest.param(50, 100, 0.4038315, 0.5961685, id="half of 100"),
        pytest.param(0, 20, 0.0, 0.1611251, id="none of 20"),
        pytest.param(20, 20, 0.8388749, 1.0, id="all of 20"),
        pytest.param(990, 1000, 0.9816869, 0.9945569, id="99 %"),
        pytest.param(0, 0, 0.0, 1.0, id="nothing seen"),
    ],
)
def test_the_interval_of_a_rate_is_wilsons(hits: int, total: int, low: float, high: float) -> None:
    assert wilson(hits, total) == pytest.approx((low, high), abs=2e-5)


@pytest.mark.parametrize("total", [1, 7, 300])
def test_an_interval_holds_its_rate_and_stays_between_nought_and_one(total: int) -> None:
    for hits in range(total + 1):
        low, high = wilson(hits, total)
        assert 0 <= low <= hits / total + 1e-12
        assert hits / total - 1e-12 <= high <= 1


@pytest.mark.parametrize(
    ("hits", "total", "target", "at_most", "reached"),
    [
        pytest.param(99, 100, 0.99, False, True, id="just enough"),
        pytest.param(98, 100, 0.99, False, False, id="too few"),
        pytest.param(1, 1000, 0.001, True, True, id="just few enough"),
        pytest.param(2, 1000, 0.001, True, False, id="too many"),
        pytest.param(0, 0, 0.99, False, None, id="nothing to measure"),
    ],
)
def test_a_rate_tells_whether_it_reached_its_target(
    hits: int, total: int, target: float, at_most: bool, reached: bool | None
) -> None:
    row = rate_row("found", "photos", hits, total, target, at_most=at_most)
    assert row.reached is reached
    assert row.count == f"{hits} of {total}"


def test_a_rate_is_shown_in_percent_with_its_interval_and_target() -> None:
    row = rate_row("found", "photos", 50, 100, 0.995)
    assert row.figure == "50.00 % (40.38-59.62)"
    assert row.target == "≥ 99.5 %"


def test_what_cannot_be_measured_here_says_why() -> None:
    row = skipped("found", "photos", "the photos are missing")
    assert (row.figure, row.reached) == ("skipped: the photos are missing", None)


@pytest.fixture
def models(tmp_path: Path) -> Path:
    (tmp_path / "tiles.toml").write_text(
        f'[finder]\nsha256 = "{"f" * 64}"\n[reader]\nsha256 = "{"e" * 64}"\n[made]\nfrom = "pictures of seed 1"\n'
    )
    return tmp_path


def test_the_page_names_the_model_it_measured(models: Path) -> None:
    text = page(Figures(), models)
    assert "Model: pictures of seed 1." in text
    assert "eeeeeeeeeeee…" in text
    assert "ffffffffffff…" in text


def test_the_page_has_a_line_for_every_figure_and_every_failure(models: Path) -> None:
    rows = [Row("found", "photos", "99 %", "99 of 100", "≥ 99 %", reached) for reached in (True, False, None)]
    lines = page(Figures(rows, {"photos": ["missed red-7"], "scenes": ["false joker"]}), models).splitlines()
    assert [line.split("|")[-2].strip() for line in lines if line.startswith("| found")] == ["yes", "NO", "-"]
    told = [line for line in lines if line.startswith(("### ", "- "))]
    assert told == ["### photos", "- missed red-7", "### scenes", "- false joker"]


def test_a_page_without_failures_says_so(models: Path) -> None:
    assert page(Figures(failures={"scenes": []}), models).rstrip().endswith("None.")


def test_of_many_failures_some_are_told_and_the_others_counted(models: Path) -> None:
    many = [f"misread {number}" for number in range(report.SHOWN + 7)]
    text = page(Figures(failures={"scenes": many}), models)
    assert text.count("- misread") == report.SHOWN
    assert "- and 7 more\n" in text
    assert with_figures(text, Figures()) == text


def test_a_part_measured_again_takes_the_place_of_its_rows_and_failures(models: Path) -> None:
    def rows(figure: str, *on: str) -> list[Row]:
        return [Row("found", name, figure, "", "", None) for name in on]

    text = page(Figures(rows("1 %", "photos", "scenes"), {"photos": ["old"], "scenes": ["stays"]}), models)
    text = with_figures(text, Figures(rows("2 %", "photos", "boxes"), {"photos": ["new"], "boxes": []}))
    assert [line for line in text.splitlines() if line.startswith("| found")] == [
        "| found | photos | 2 % |  |  | - |",
        "| found | scenes | 1 % |  |  | - |",
        "| found | boxes | 2 % |  |  | - |",
    ]
    assert [line for line in text.splitlines() if line.startswith("- ")] == ["- stays", "- new"]
    gone = with_figures(text, Figures(failures={"photos": [], "scenes": []}))
    assert gone.endswith("## Every failure\n\nNone.\n")


def test_parts_are_put_together() -> None:
    row = Row("a", "b", "c", "", "", None)
    whole = Figures.of([Figures([row], {"x": ["1"]}), Figures([row], {"y": ["2"]})])
    assert whole == Figures([row, row], {"x": ["1"], "y": ["2"]})


def test_the_table_on_the_screen_shows_every_figure(capsys: pytest.CaptureFixture[str]) -> None:
    show([Row("a", "b", "1 %", "", "", True), Row("c", "d", "2 %", "", "", False)])
    shown = capsys.readouterr().out
    assert "1 %" in shown
    assert "2 %" in shown
    assert "NO" in shown


def test_a_page_tells_with_which_reader_parts_were_measured_since() -> None:
    text = "# Measured figures\n\nMachine: x.\n\n| what | on |\n|---|---|\n| a | b |\n"
    one = with_parts(text, ["photos", "scenes"], "1234")
    assert "Machine: x.\nMeasured since with reader 1234: photos, scenes.\n\n| what | on |" in one
    other = with_parts(one, ["scenes"], "5678")
    assert "reader 5678: scenes.\nMeasured since with reader 1234: photos.\n\n| what |" in other
    assert with_parts(one, ["boxes"], "1234").count("Measured since with reader 1234: boxes, photos, scenes.") == 1
    assert with_parts(other, ["photos", "scenes"], "5678").count("Measured since") == 1
