"""Notices: what is to be said, kept as JSON and read back, and carried by errors."""

import json

import pytest

from referee.errors import BadInput, CannotJudge
from referee.game.notice import Notice, as_notice, notice_of, told_by
from referee.game.tiles import JOKER, Colour, Tile

RED_7 = Tile(7, Colour.RED)
PLACE = Notice("place.top_left")


@pytest.mark.parametrize(
    "notice",
    [
        Notice("play.ready"),
        Notice("play.draws", player="Anna", number=2),
        Notice("reading.odd_markers", width=900.5, height=600.0),
        Notice("play.label_tile", tile=RED_7),
        Notice("play.label_colour", colour=Colour.BLUE),
        Notice("play.lay_there", tiles=(RED_7, JOKER)),
        Notice("play.lay_there", tiles=()),
        Notice("play.match_over", winners=("Anna", "Ben"), scores=(Notice("play.score", player="Anna", points=-5),)),
        Notice("play.cannot_see", doubts=(Notice("reading.tile", tile=JOKER, place=PLACE, why=PLACE), PLACE)),
        Notice("play.bad_picture", wrong=Notice("reading.mirrored_at", places=(PLACE, PLACE)), asked=PLACE),
    ],
    ids=lambda notice: notice.key,
)
def test_json_keeps_a_notice_with_all_that_is_in_it(notice):
    told = json.loads(json.dumps(notice.to_json()))
    assert Notice.from_json(told) == notice
    assert [type(value) for _, value in Notice.from_json(told).fields] == [type(value) for _, value in notice.fields]


def test_json_has_tiles_and_colours_by_name():
    assert Notice("reading.tile", tile=RED_7, ink=Colour.RED, place=PLACE).to_json() == {
        "notice": "reading.tile",
        "tile": {"tile": "red-7"},
        "ink": {"colour": "red"},
        "place": {"notice": "place.top_left"},
    }


@pytest.mark.parametrize(
    "told",
    [
        None,
        [],
        "play.ready",
        {},
        {"notice": 5},
        {"text": "the red 7"},
        {"notice": "play.is_it", "what": {}},
        {"notice": "play.is_it", "what": {"tile": "red-99"}},
        {"notice": "play.is_it", "what": {"tile": 7}},
        {"notice": "play.is_it", "what": {"colour": "pink"}},
        {"notice": "play.is_it", "what": {"colour": []}},
        {"notice": "play.is_it", "what": [{"notice": None}]},
    ],
)
def test_what_is_no_notice_is_refused(told):
    with pytest.raises(BadInput, match="expected"):
        Notice.from_json(told)


def test_the_order_of_fields_makes_no_other_notice():
    one, other = Notice("play.draws", player="Anna", number=2), Notice("play.draws", number=2, player="Anna")
    assert one == other
    assert hash(one) == hash(other)
    assert one != Notice("play.draws", player="Anna", number=3)


def test_in_a_log_a_notice_is_its_key_and_fields():
    notice = Notice("play.bad_picture", asked=Notice("play.lay_there", tiles=(RED_7, JOKER)), wrong=PLACE)
    assert str(notice) == "play.bad_picture(asked=play.lay_there(tiles=[R7 **]), wrong=place.top_left())"


def test_an_error_carries_a_notice_or_a_text():
    assert notice_of(CannotJudge(PLACE)) is told_by(CannotJudge(PLACE)) is PLACE
    for error in (BadInput("Two names are the same."), BadInput()):
        assert notice_of(error) is None
        assert told_by(error) == as_notice(str(error)) == Notice("words.text", text=str(error))
