"""What looks for new versions on USB sticks: the table is told of each once, and the page has what is there now."""

import threading
from pathlib import Path

from bundle_files import bundle_bytes

from referee.cli.programs.stick_watch import StickWatch, TableNews
from referee.game.notice import Notice
from referee.table.input.requests import PendingRequest, Sender, TellNews

PATIENCE_S = 60.0
NEWS = Notice("update.on_stick", version="2-abc")


class Table:
    """Takes news between matches."""

    def __init__(self) -> None:
        self.told: list[Notice] = []
        self.plays = False

    def tell(self, notice: Notice) -> bool:
        if not self.plays:
            self.told.append(notice)
        return not self.plays


def watch(stick: Path, table: Table, *old: str) -> StickWatch:
    return StickWatch(table.tell, lambda: old, lambda: [stick])


def test_a_new_version_is_told_once_and_found_as_long_as_the_stick_is_there(tmp_path: Path) -> None:
    table, file = Table(), tmp_path / "referee.bundle"
    made = watch(tmp_path, table, "1-old")
    made.check()
    assert made.found() == ()
    file.write_bytes(bundle_bytes("2-abc"))
    made.check()
    made.check()
    assert [one.path for one in made.found()] == [file]
    file.rename(tmp_path / "away")
    made.check()
    assert made.found() == ()
    (tmp_path / "away").rename(file)
    made.check()
    assert table.told == [NEWS]


def test_during_a_match_it_is_kept_until_its_end(tmp_path: Path) -> None:
    table = Table()
    (tmp_path / "referee.bundle").write_bytes(bundle_bytes("2-abc"))
    made = watch(tmp_path, table)
    table.plays = True
    made.check()
    assert table.told == []
    table.plays = False
    made.check()
    made.check()
    assert table.told == [NEWS]


def test_the_version_in_use_and_a_file_without_a_version_are_no_news(tmp_path: Path) -> None:
    table = Table()
    (tmp_path / "old.bundle").write_bytes(bundle_bytes("1-old"))
    (tmp_path / "unnamed.bundle").write_bytes(bundle_bytes(""))
    made = watch(tmp_path, table, "1-old")
    made.check()
    assert (table.told, len(made.found())) == ([], 2)


def test_its_thread_looks_and_ends(tmp_path: Path) -> None:
    (tmp_path / "referee.bundle").write_bytes(bundle_bytes("2-abc"))
    told = threading.Event()

    def tell(_: Notice) -> bool:
        told.set()
        return True

    made = StickWatch(tell, tuple, lambda: [tmp_path], every_s=0.0)
    made.start()
    assert told.wait(PATIENCE_S)
    made.close(PATIENCE_S)
    assert "sticks" not in [thread.name for thread in threading.enumerate()]


class Loop:
    """A loop that answers as it was arranged; None: not at all."""

    def __init__(self, *answers: object) -> None:
        self.answers, self.asked = list(answers), []

    def request(self, pending: PendingRequest) -> None:
        self.asked.append(pending)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        if answer != "silence":
            pending.answered(answer)


def test_without_a_table_nobody_is_told_and_with_one_its_answer_counts() -> None:
    news = TableNews()
    assert not news.tell(NEWS)
    news.loop = Loop(None, Notice("setup.only_before"), RuntimeError())
    assert [news.tell(NEWS) for _ in range(3)] == [True, False, False]
    assert {(pending.request, pending.sender) for pending in news.loop.asked} == {(TellNews(NEWS), Sender.MACHINE)}


def test_a_table_that_is_busy_does_not_tell_it_later_as_well() -> None:
    news = TableNews(answer_s=0.01)
    news.loop = Loop("silence")
    assert not news.tell(NEWS)
    (pending,) = news.loop.asked
    assert not pending.wanted()
    pending.answered(None)  # nobody waits for it any more
