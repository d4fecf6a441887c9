"""A doubt keeps its form in the journal; the forms of older versions are read."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.game.doubt import Doubt, ReadRecord
from referee.game.notice import Notice
from referee.game.tiles import Tile

READ = ReadRecord(
    3, "red-7", 0.61, True, (("red-7", 0.61), ("red-1", 0.3)), 200.0, 300.5, 91.5, ((0.0, 0.0), (1.5, 0.0))
)
AS_JSON = {
    "id": 3, "tile": "red-7", "confidence": 0.61, "doubtful": True, "alternatives": [["red-7", 0.61], ["red-1", 0.3]],
    "x_mm": 200.0, "y_mm": 300.5, "angle_deg": 91.5, "corners_px": [[0.0, 0.0], [1.5, 0.0]],
}  # fmt: skip
ABOUT = Notice("reading.which_inks", tile=Tile.from_name("red-7"))
NOTICE = {"notice": "reading.which_inks", "tile": {"tile": "red-7"}}


@pytest.mark.parametrize(
    ("doubt", "told"),
    [
        pytest.param(Doubt(ABOUT), {"about": NOTICE}, id="a place"),
        pytest.param(Doubt(ABOUT, READ), {"about": NOTICE, **AS_JSON}, id="a tile"),
        pytest.param(
            Doubt(ABOUT, READ, together=(3, 4)), {"about": NOTICE, **AS_JSON, "together": [3, 4]}, id="two inks"
        ),
        pytest.param(
            Doubt(ABOUT, READ, copies=(3, 5), offered=("red-7", "face-down")),
            {"about": NOTICE, **AS_JSON, "copies": [3, 5], "offered": ["red-7", "face-down"]},
            id="one too many, which players may tell",
        ),
        pytest.param(Doubt(ABOUT, READ, offered=()), {"about": NOTICE, **AS_JSON, "offered": []}, id="none likely"),
        pytest.param(Doubt("R7? (or R1)"), "R7? (or R1)", id="a text"),
        pytest.param(Doubt("R7? (or R1)", READ), {"text": "R7? (or R1)", **AS_JSON}, id="a text about a tile"),
    ],
)
def test_a_doubt_is_written_as_journals_have_it_and_read_back(doubt, told):
    assert json.dumps(doubt.to_json()) == json.dumps(told)  # in that order, too
    assert Doubt.from_json(told) == doubt


@pytest.mark.parametrize(
    ("told", "doubt"),
    [
        pytest.param({"text": "what is covered"}, Doubt("what is covered"), id="a text in an object"),
        pytest.param({"text": "R7?", "id": 0, "tile": "red-7"}, Doubt("R7?", ReadRecord(0, "red-7")), id="few fields"),
        pytest.param({"text": "R7?", "x_mm": 1.5}, Doubt("R7?"), id="a place of a tile without its name"),
        pytest.param(
            {"about": NOTICE, **AS_JSON, "id": "third"},
            Doubt(str({"about": NOTICE, **AS_JSON, "id": "third"})),
            id="no number",
        ),
        pytest.param({"about": {"notice": 7}}, Doubt("{'about': {'notice': 7}}"), id="no notice"),
        pytest.param(7, Doubt("7"), id="a number"),
        pytest.param(None, Doubt("None"), id="nothing"),
    ],
)
def test_what_other_versions_wrote_is_read_as_far_as_it_is_known(told, doubt):
    assert Doubt.from_json(told) == doubt


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.text() | st.sampled_from(["about", "text", "alternatives", "corners_px", "copies", *AS_JSON]), inner
        )
    ),
    max_leaves=8,
)


@given(JSON)
def test_any_json_is_read_as_some_doubt(told):
    assert isinstance(Doubt.from_json(told), Doubt)


def test_the_text_of_older_journals_is_shown_as_a_notice():
    assert Doubt("R7? (or R1)").notice == Notice("words.text", text="R7? (or R1)")
    assert Doubt(ABOUT).notice is ABOUT
