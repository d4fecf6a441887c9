"""A match is seen again turn by turn: who, what was said, what players told, and the table after it."""

import sqlite3
from contextlib import closing

import pytest
from kept_matches import UNTIMED, keep_picture, page
from match_driver import Game
from played import short, write

from referee.game.doubt import Doubt
from referee.game.match.events import Settled, Started, Withdrawn, Word
from referee.game.tiles import Tile
from referee.journal.opening import FILE, open_journal
from referee.pages.table.scores.replay import replay_turns
from referee.pages.table.scores.sheets import kept_rows

FIRST = "R10 R11 R12 | B10 B11 B12"
WRONG = "R10 R11 R12 | B10 B11 K12"


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "state"


class Kept(Game):
    """A match whose events are kept in a journal."""

    def __init__(self, folder) -> None:
        self.journal = open_journal(folder).journal
        super().__init__("rummikub")

    def do(self, event):
        super().do(event)
        if isinstance(event, Started):
            self.journal.begin(UNTIMED, event, self.state)
        else:
            self.journal.append(event, self.state)
        return self


@pytest.fixture
def told(folder):
    """Ann is refused, says what a tile is and is accepted; Ben lets the time pass."""
    game = Kept(folder)
    game.turn(WRONG)
    game.press().see(WRONG, (Doubt("K12? (or B12)"),))
    black, blue = Tile.from_name("black-12"), Tile.from_name("blue-12")
    game.do(Settled(0, game.t, Word(blue, 100.0, 100.0, 0.0, (black, blue)), "page"))
    game.see(FIRST)
    game.time_up(FIRST)
    game.journal.close()
    return folder


def test_a_turn_tells_who_played_and_what_was_said(told):
    with page(told) as served:
        text = served.read("/scores/1/replay")
    assert "Ann's turn" in text
    assert "Turn 1 of 2" in text
    assert "Refused</strong>: " in text
    assert "Ann says that the tile is the blue 12." in text
    assert "At first read as black 12. Answered on the page." in text
    assert "Accepted, 66 points." in text
    assert text.index("Refused</strong>") < text.index("Ann says that") < text.index("Accepted, 66")
    after = text[text.index("The table afterwards") :]
    assert after.count('<li class="set">') == 2
    assert after.count('class="tile') == 6


@pytest.mark.parametrize(("language", "begins"), [("en", "Refused: "), ("fr", "Refusé : ")])
def test_as_text_a_refusal_is_set_apart_from_its_reason(told, language, begins):
    with page(told) as served:
        lines = served.read(f"/scores/1/turn/1.txt?lang={language}").splitlines()
        (line,) = (one for one in lines if one.startswith("\N{BALLOT X}"))
        assert line.replace("\N{NO-BREAK SPACE}", " ")[2:].startswith(begins)
        assert len(line) > len(begins) + 2


def test_a_turn_that_was_taken_back_goes_on_and_what_it_had_laid_is_not_told(folder):
    game = Kept(folder)
    game.turn(FIRST)
    game.do(Withdrawn(0, game.t + 1.0))
    game.turn("R10 B10 K10 | R13 B13 K13")
    game.turn("R10 B10 K10 | R13 B13 K13")
    game.journal.close()
    rows = kept_rows(folder / FILE, 1)
    ann, ben = replay_turns(rows).turns
    assert (ann.player, ben.player) == (0, 1)
    assert sorted(map(str, ann.laid)) == sorted(["R10", "B10", "K10", "R13", "B13", "K13"])


def test_where_no_name_was_told_the_page_alone_is_told(folder):
    game = Kept(folder)
    game.press().see(WRONG, (Doubt("K12? (or B12)"),))
    black, blue = Tile.from_name("black-12"), Tile.from_name("blue-12")
    game.do(Settled(None, game.t, Word(blue, 100.0, 100.0, 0.0, (black, blue)), "page"))
    game.see(FIRST)
    game.journal.close()
    with page(folder) as served:
        text = served.read("/scores/1/replay")
    assert "Somebody said on the page that the tile is the blue 12." in text
    assert "At first read as black 12." in text
    assert "Answered on the page." not in text


def test_links_lead_from_turn_to_turn(told):
    with page(told) as served:
        first = served.read("/scores/1/replay?turn=1")
        second = served.read("/scores/1/replay?turn=2")
        assert 'rel="prev"' not in first
        assert 'rel="next" href="/scores/1/replay?turn=2"' in first
        assert "Ben's turn" in second
        assert "Time is up, Ben" in second
        assert 'rel="prev" href="/scores/1/replay?turn=1"' in second
        assert 'rel="next"' not in second
        assert served.get("/scores/1/replay?turn=99")[0] == 303
        assert served.get("/scores/1/replay?turn=x")[0] == 200


def test_an_event_leads_to_its_turn(told):
    keep_picture(told, 1, 3, b"picture")
    with page(told) as served:
        assert "/scores/1/picture/3.jpg" in served.read("/scores/1/replay?event=3")
        assert "Ben's turn" in served.read("/scores/1/replay?event=8")
        assert "No picture of this turn was kept" in served.read("/scores/1/replay?event=8")


def test_hands_shown_and_the_next_round_stand_there(folder):
    journal = open_journal(folder).journal
    write(journal, UNTIMED, short(rounds=2))
    journal.close()
    with page(folder) as served:
        assert "End of the round: Ben" in served.read("/scores/1/replay?turn=2")
        assert "Round 1: Ann +128, Ben \u2212128." in served.read("/scores/1/replay?turn=2")
        assert "round 2" in served.read("/scores/1/replay?turn=3")


def test_what_happens_meanwhile_comes_at_the_end(folder):
    journal, steps = open_journal(folder).journal, short(rounds=2)
    write(journal, UNTIMED, steps[:3])
    with page(folder) as served:
        assert "Turn 1 of 1," in served.read("/scores/1/replay")
        write(journal, UNTIMED, steps[3:])
        assert "Turn 2 of 4," in served.read("/scores/1/replay?turn=2")
    journal.close()


def test_the_replay_ends_where_the_journal_cannot_be_read(told):
    with closing(sqlite3.connect(told / FILE, isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER never_changed")
        connection.execute("UPDATE events SET t = t + 1 WHERE number = 7")
    with page(told) as served:
        assert "cannot be read from event 7 on" in served.read("/scores/1/replay?event=6")


def test_rules_that_are_not_known_cannot_be_replayed(told):
    with closing(sqlite3.connect(told / FILE, isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER never_changed")
        connection.execute("UPDATE events SET body = replace(body, 'rummikub', 'mahjong') WHERE number = 0")
    with page(told) as served:
        assert "its rules are not known" in served.read("/scores/1/replay", 404)
