"""Backups that nobody waits for rest between pieces of work."""

import io
import json
import os
from contextlib import closing
from pathlib import Path

import pytest
from page import served
from restoring_page import Restoring
from saved_tables import NOW, table

from referee.backup import __main__ as process
from referee.backup.apart import places_to_json
from referee.backup.automatic import make_backup
from referee.backup.contents import Places
from referee.backup.pace import LONGEST_S, SHARE, Pace
from referee.backup.writing import DRAFT_ENDING, Stopped
from referee.pages.table import backups


def test_it_rests_three_times_as_long_as_it_has_worked_but_not_for_long() -> None:
    used, rests = [5.0], list[float]()
    pace = Pace(0.25, lambda: used[0], rests.append)
    for work in (0.1, 0.0, 0.2, 100.0):
        used[0] += work
        pace.rest()
    assert rests == pytest.approx([0.3, 0.0, 0.6, LONGEST_S])
    assert 0 < SHARE < 1


@pytest.mark.parametrize("rests", [True, False])
def test_only_a_job_that_rests_does_so_at_every_piece(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rests: bool
) -> None:
    found: list[str] = []

    class Watched:
        def rest(self) -> None:
            found.append("rest")

    monkeypatch.setattr(process, "Pace", Watched)
    places = table(tmp_path, "one")
    (places.state / "large.bin").write_bytes(os.urandom(3_000_000))
    reading, telling = os.pipe()
    job = {"do": "make", "places": places_to_json(places), "now": NOW.isoformat(), "pictures": True, "rests": rests}
    os.write(telling, json.dumps(job).encode() + b"\n")
    with os.fdopen(reading, "rb") as jobs, os.fdopen(telling, "wb"):
        process.main(jobs, io.BytesIO())
    (made,) = places.backups.glob("*.zip")
    assert len(found) >= (made.stat().st_size // 250_000 if rests else 0)
    assert bool(found) is rests


def test_a_backup_that_is_read_back_can_be_given_up(tmp_path: Path) -> None:
    places: Places = table(tmp_path, "one")

    def goes_on() -> bool:
        drafts = list(places.backups.glob(f".*{DRAFT_ENDING}"))
        return not (drafts and b"PK\x05\x06" in drafts[0].read_bytes()[-22:])  # once it is written

    with pytest.raises(Stopped):
        make_backup(places, NOW, pictures=True, goes_on=goes_on)
    assert list(places.backups.iterdir()) == []


def test_a_download_rests_while_a_match_is_under_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rests, make = list[bool](), backups.stream_backup_apart

    def watched(*how: object, **more: object) -> object:
        rests.append(more["rests"] is True)
        return make(*how, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(backups, "stream_backup_apart", watched)
    with served(folder=tmp_path / "table") as page:
        page.press()
        assert page.get("/backup/now.zip")[0] == 200
    with closing(Restoring(table(tmp_path, "one"))) as page:
        assert page.get("/backup/now.zip")[0] == 200
    assert rests == [True, False]
