"""The tables of a round on the director's page: folded lines with names, and one button for all."""

import pytest
from hall_pages import hall_pages, tournament

pytestmark = pytest.mark.page
NAMES = """
return [].map.call(document.querySelectorAll("#tables > li, #tables-over > li"), function (one) {
  return [one.querySelector("h3").textContent, one.querySelector("summary .names").textContent];
});
"""
UNFOLDED = "return document.querySelectorAll('[data-table] > .fold[open]').length"


@pytest.fixture(scope="module")
def pages():
    with hall_pages() as made:
        yield made


def show(pages, screen, stage, players=20):
    hosting = tournament(players, stage)
    pages.show(hosting)
    screen.resize(390, 844)
    screen.open(f"{pages.address}/tournament/director?lang=en")
    screen.find("#tables [data-table]")
    return hosting


def seated(hosting):
    names = [player.name for player in hosting.now.tournament.players]
    return [[names[player - 1] for player in table.players] for table in hosting.drawn.tables]


def test_a_folded_table_says_who_sits_there(pages, screen):
    hosting = show(pages, screen, "drawn")
    assert screen.run(UNFOLDED) == 0
    names = {f"Table {number}": ", ".join(table) for number, table in enumerate(seated(hosting), 1)}
    assert dict(screen.run(NAMES)) == names
    screen.until("#table-1 summary", names["Table 1"])
    assert "has not begun" not in screen.text("#table-1 summary")  # it is the same at all tables
    screen.find("#table-1 summary").click()
    screen.until("#state-1", "The round has not begun yet.")
    assert not screen.all("#table-1 summary .names")[0].is_displayed()


def test_a_finished_table_is_folded_with_its_result(pages, screen):
    hosting = show(pages, screen, "playing")
    screen.find("#finished summary").click()
    first = seated(hosting)[1][0]
    assert dict(screen.run(NAMES))["Table 2"].startswith(f"{first}\N{NO-BREAK SPACE}\N{MINUS SIGN}6, ")


def test_one_button_unfolds_all_tables_and_folds_them_again(pages, screen):
    show(pages, screen, "playing")
    screen.until("#unfold", "Unfold all")
    screen.find("#unfold").click()
    screen.until("#unfold", "Fold all")
    assert screen.run(UNFOLDED) == 5
    assert screen.find("#tables-over").is_displayed()
    screen.find("#table-1 summary").click()
    screen.until("#unfold", "Unfold all")
    screen.find("#unfold").click()
    screen.until("#unfold", "Fold all")
    screen.find("#unfold").click()
    screen.until("#unfold", "Unfold all")
    assert screen.run(UNFOLDED) == 0
    assert screen.complaints() == []


EDGES = """
var heading = document.getElementById("round-heading").getBoundingClientRect();
return [].map.call(document.querySelectorAll("#tables > li, #tables-over > li"), function (one) {
  var box = one.getBoundingClientRect();
  var left = box.left >= heading.left - 0.5, right = box.right <= heading.right + 0.5;
  return [Math.round(box.top), Math.round(box.height), left, right];
});
"""
GAP = """
return [].map.call(document.querySelectorAll("#tables-over .seat-card > .fold > summary"), function (one) {
  var state = one.querySelector(".state").getClientRects()[0], names = one.querySelector(".names").getClientRects()[0];
  return names.top >= state.bottom - 1 || names.left - state.right >= 6;
});
"""


@pytest.mark.parametrize("unfolded", [False, True])
def test_tables_stand_within_the_margin_and_are_as_high_as_their_neighbours(pages, screen, unfolded):
    show(pages, screen, "playing")
    screen.resize(1280, 900)
    screen.run("document.getElementById('finished').open = true")
    screen.find("#tables-over summary")
    if unfolded:
        screen.find("#unfold").click()
    screen.wait(lambda: screen.run("return document.fonts.status === 'loaded'"), "the typeface")
    edges = screen.run(EDGES)
    assert all(left and right for _, _, left, right in edges)
    heights = {}
    for top, height, _, _ in edges:
        heights.setdefault(top, set()).add(height)
    assert all(len(each) == 1 for each in heights.values()), heights
    if not unfolded:
        assert all(screen.run(GAP))  # the state is not glued to the first name
