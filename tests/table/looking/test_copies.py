"""Of a tile too many only one copy is asked about; every other one stays in doubt wherever that matters."""

from dataclasses import replace

import numpy as np
import pytest

from referee.game.match.events import Started
from referee.game.match.machine import apply, new_match
from referee.game.rulebooks import ruleset
from referee.game.tiles import JOKER, Tile
from referee.i18n import ENGLISH
from referee.pages.table.parts.table import picture
from referee.table.looking import doubts as immaterial
from referee.table.looking.doubts import reads_in_doubt
from referee.table.looking.look import Look
from referee.table.output.follower import Facts, NumberedLook
from referee.vision.sighting import Read, Sighting


def lies(x: float, name: str, *, doubtful: bool = False, confidence: float = 0.999) -> Read:
    tile, corners = Tile.from_name(name), np.float32([[x, 0], [x + 30, 0], [x + 30, 40], [x, 40]])
    return Read(tile, confidence, doubtful, (("red-9", 0.001),), corners, 0.0, x, 300.0)


JOKERS = tuple(lies(50.0 * i, "joker", doubtful=True, confidence=0.99 + i / 1000) for i in range(3))
SURE = lies(300.0, "red-1"), lies(350.0, "red-2")
SEEN = Sighting("rummikub", "markers", (*JOKERS, *SURE), ((0,), (1, 2), (3, 4)), sure_from=0.98)
LOOK = Look(SEEN, None)


def test_every_copy_is_passed_on_as_unsure_though_one_is_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    doubts = reads_in_doubt(LOOK)
    assert [(doubt.read and doubt.read.id, doubt.copies) for doubt in doubts] == [(0, (0, 1, 2))]
    monkeypatch.setattr(immaterial, "apply", lambda state, _: (state, ()))
    state, _ = apply(new_match(ruleset("rummikub")), Started(("Ann", "Ben"), 0.0))
    event = immaterial.spare_question(LOOK, state, doubts, (), 6.0)
    assert event is not None
    assert [(one.set, one.index) for one in event.unsure] == [(0, 0), (1, 0), (1, 1)]
    assert all(one.tiles[0] == JOKER for one in event.unsure)
    assert [one.doubt and one.doubt.read and one.doubt.read.id for one in event.unsure] == [0, 1, 2]


def test_the_page_shows_the_sets_of_all_copies_as_in_doubt() -> None:
    look = NumberedLook(1, replace(LOOK, picture=np.zeros((600, 900, 3), np.uint8)))
    shown = picture(Facts(doubts=reads_in_doubt(LOOK), seen=look, pictured=look), ENGLISH)
    assert shown is not None
    assert [one["state"] for one in shown["sets"]] == ["doubtful", "doubtful", "plain"]
