"""Faults of the box itself, in virtual time: told once, on lamps and in words, and the match goes on."""

import sqlite3

import pytest
from memory_store import MemoryStore
from virtual_evening import OPENING, TABLE_MM, Evening, Slow

from referee.devices.camera.camera import Reopening
from referee.errors import BadInput, CameraLost, Loss
from referee.game.match.events import Withdrawn
from referee.game.match.phases import Phase
from referee.game.notation import parse_table
from referee.game.notice import as_notice, told_by
from referee.journal.buffered_store import SafeStore
from referee.journal.errors import DiskFull, JournalDamaged
from referee.journal.journal import Journal
from referee.journal.opening import FILE, open_journal
from referee.table.looking.table_watcher import TableWatcher
from referee.table.looking.vision_worker import Watch


class Disk(MemoryStore):
    """A store in a mood: raises it while it lasts."""

    mood = None

    def put(self, rows):
        if self.mood is not None:
            raise self.mood
        known = {(row.match, row.number) for row in self.rows}
        super().put([row for row in rows if (row.match, row.number) not in known])

    def beat(self, match, t):  # noqa: ARG002 - as the protocol has it
        if self.mood is not None:
            raise self.mood


def test_a_camera_lost_during_a_look_is_told_and_the_look_is_taken_when_it_is_back():
    async def script(evening):
        await evening.start()
        await evening.lay(OPENING)
        evening.sight.lost = True
        await evening.press(1)
        await evening.wait(20)
        assert evening.state.phase is Phase.LOOKING
        assert {"red", "amber"} & evening.lit
        evening.sight.lost = False
        await evening.wait(2)
        assert evening.state.current == 1
        assert evening.lit == {"player-2", "green"}

    evening = Evening().play(script)
    assert evening.said.count("expected a picture, found none: check the cable") == 1
    assert evening.said.count("camera: working again.") == 1


def test_a_camera_lost_while_the_clock_runs_stops_no_clock():
    async def script(evening):
        await evening.start()
        evening.sight.lost = True
        await evening.wait(70)
        assert evening.state.phase is Phase.TIME_UP
        evening.sight.lost = False
        await evening.wait(2)
        assert evening.state.current == 1

    Evening().play(script)


class TestRestarts:
    def evening(self, restarts):
        """An evening whose camera is opened anew after a loss, as often as the budget allows."""
        evening = Evening()
        opened = []

        def camera():
            if evening.sight.lost:
                raise CameraLost("expected a camera, found none: check its cable", Loss.ABSENT)
            opened.append(evening.time.time())
            evening.sight.closed = False
            return evening.sight

        camera = Reopening(camera, restarts, evening.time.time)
        evening.replace_parts(
            watcher=TableWatcher(camera, evening.sight, lambda: evening.state.rules.box, TABLE_MM, evening.time.time)
        )
        return evening, opened

    def test_a_camera_that_is_away_for_long_costs_one_restart(self):
        evening, opened = self.evening(1)

        async def script(evening):
            await evening.start()
            evening.sight.lost = True
            await evening.wait(40)
            evening.sight.lost = False
            await evening.lay(OPENING)
            await evening.wait(2)
            await evening.press(1)
            assert evening.state.current == 1

        evening.play(script)
        assert len(opened) == 2

    def test_when_the_budget_is_spent_the_look_waits_until_some_of_it_is_back(self):
        evening, opened = self.evening(2)

        async def script(evening):
            await evening.start()
            await evening.press("pause")
            for _ in range(3):
                evening.sight.lost = True
                await evening.wait(3)
                evening.sight.lost = False
                await evening.wait(3)
            assert len(opened) == 3
            await evening.press("pause")
            await evening.lay(OPENING)
            await evening.press(1)
            assert evening.state.phase is Phase.LOOKING
            assert any("dropped out 3 times within 10 minutes: pull the plug" in t for t in evening.said)
            await evening.wait(600)
            assert evening.state.current == 1

        evening.play(script)


class TestDisk:
    def test_a_full_disk_is_told_and_caught_up_with_once_there_is_room(self):
        disk = Disk()

        async def script(evening):
            await evening.start()
            disk.mood = DiskFull.at("the card")
            await evening.lay(OPENING)
            await evening.press(1)
            assert evening.state.current == 1
            assert "green" in evening.lit
            await evening.wait(2)
            assert {"red", "amber"} & evening.lit
            assert [row.number for row in disk.rows] == [0, 1]
            disk.mood = None
            await evening.wait(7)
            assert [row.number for row in disk.rows] == [0, 1, 2, 3]

        evening = Evening(journal=Journal(SafeStore(disk, lambda: disk))).play(script)
        assert sum("free some space" in text for text in evening.said) == 1
        assert evening.said.count("journal: working again.") == 1

    def test_a_disk_that_was_full_from_the_start_is_told_before_anything_else(self):
        store = SafeStore(None, Disk, trouble=told_by(DiskFull.at("the card")))
        evening = Evening(journal=Journal(store)).play(lambda evening: evening.wait(1))
        assert "free some space" in evening.said[0]

    def test_a_journal_that_breaks_meanwhile_is_made_anew_and_that_is_told(self):
        first, second = Disk(), Disk()
        second.notices.append(as_notice("The journal was damaged; 1 event stays in it."))

        async def script(evening):
            await evening.start()
            first.mood = JournalDamaged("expected a journal, found something damaged")
            await evening.press(1)
            await evening.wait(1)
            assert evening.state.current == 1

        evening = Evening(journal=Journal(SafeStore(first, lambda: second))).play(script)
        assert "The journal was damaged; 1 event stays in it." in evening.said
        assert [row.number for row in second.rows] == [0, 1, 2, 3]

    def test_another_program_that_holds_the_journal_for_a_while_stops_nothing(self, tmp_path, monkeypatch):
        monkeypatch.setattr("referee.journal.store.BUSY_S", 0.05)

        async def script(evening):
            await evening.start()
            other = sqlite3.connect(tmp_path / FILE, isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            await evening.press(1)
            assert evening.state.current == 1
            other.execute("ROLLBACK")
            other.close()
            await evening.press(2)
            assert evening.state.current == 0

        opened = open_journal(tmp_path)
        evening = Evening(journal=opened.journal).play(script)
        opened.journal.close()
        again = open_journal(tmp_path)
        again.journal.close()
        assert again.kept.state.seats == evening.state.seats


class TestLooksThatComeTooLate:
    """An answer is only ever taken for the press it was asked for."""

    def test_an_answer_to_an_earlier_press_is_dropped(self):
        async def script(evening):
            await evening.start()
            await evening.lay(OPENING)
            evening.sight.doubtful = 1
            await evening.press(1)
            await evening.wait(0.5)
            assert evening.state.phase is Phase.ASKING
            evening.sight.table = parse_table("R1 R2")
            taken = evening.sight.pictures
            while evening.sight.pictures == taken:
                await evening.wait(0.05)
            evening.sight.table = OPENING
            await evening.press(1)
            await evening.wait(2)
            assert evening.state.current == 1

        evening = Evening(thread=Slow(0.3), watch=Watch(read_ahead=False)).play(script)
        assert not any("not a set" in text or "only after a press" in text for text in evening.said)

    def test_a_press_taken_back_during_the_look_leaves_no_answer_behind(self):
        async def script(evening):
            await evening.start()
            await evening.lay(parse_table("R1 R2"))
            await evening.press(1)
            evening.loop.happen(Withdrawn(0, evening.loop.t))
            await evening.wait(0.1)
            assert evening.state.phase is Phase.TURN
            await evening.wait(3)
            assert evening.state.phase is Phase.TURN
            assert evening.lit == {"player-1"}

        evening = Evening(thread=Slow(0.5)).play(script)
        assert not any("only after a press" in text for text in evening.said)


def test_a_panel_that_does_not_open_leaves_the_camera_closed():
    def panel(on_edge):  # noqa: ARG001 - no edge comes
        raise BadInput("panel: expected a free pin, found none")

    evening = Evening()
    evening.replace_parts(panel=panel)
    with pytest.raises(BadInput, match="free pin"):
        evening.play(lambda evening: evening.wait(1))
    assert evening.sight.closed


def test_the_box_of_the_match_under_way_is_read_not_the_next_ones(tmp_path):
    async def begins(evening):
        await evening.start()

    opened = open_journal(tmp_path)
    Evening("gin", journal=opened.journal).play(begins)
    opened.journal.close()
    again = open_journal(tmp_path)
    evening = Evening("rummikub", journal=again.journal, kept=again.kept)

    async def reads(evening):
        assert evening.watcher.look(evening.time.time()).sighting.tileset == "gin"
        await evening.press("pause", hold=1.0)
        await evening.press("pause", hold=1.0)
        assert evening.watcher.look(evening.time.time()).sighting.tileset == "rummikub"

    evening.play(reads)
    again.journal.close()


def test_a_disk_is_tried_again_while_no_clock_runs():
    disk = Disk()

    async def script(evening):
        await evening.start()
        disk.mood = DiskFull.at("the card")
        await evening.press("pause")
        disk.mood = None
        await evening.wait(7)
        assert [row.number for row in disk.rows] == [0, 1, 2]

    Evening(journal=Journal(SafeStore(disk, lambda: disk))).play(script)
