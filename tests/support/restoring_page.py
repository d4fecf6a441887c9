"""A page on which a backup can be restored, and what is left of it on the card."""

import json
from concurrent.futures import Future
from pathlib import Path

from kept_matches import Page

from referee.backup.arriving import PART
from referee.backup.contents import Places
from referee.backup.manifest import CHOSEN
from referee.game.notice import Notice
from referee.pages.table.backups import Saving
from referee.pages.table.restore_api import FILE, KEPT, RESTORE

JSON, BYTES = "application/json", "application/octet-stream"


class Restoring(Page):
    """The page of a table whose restores are noted."""

    def __init__(self, places: Places, refused: Notice | None = None) -> None:
        super().__init__(places.state, saving=Saving(places))
        self.restored: list[Path] = []
        self.refused = refused
        self.server.restores(self._restore)

    def _restore(self, path: Path) -> Future[Notice | None]:
        self.restored.append(path)
        answer: Future[Notice | None] = Future()
        answer.set_result(self.refused)
        return answer

    def ask(self, path: str, body: str | bytes, kind: str = JSON, **headers: str) -> tuple[int, dict]:
        headers = {"Content_Type": kind, "Origin": self.address, "Accept_Language": "en", **headers}
        status, _, answer = self.get(path, "POST", body, **headers)
        return status, json.loads(answer)

    def send(self, data: bytes, **headers: str) -> tuple[int, dict]:
        return self.ask(FILE, data, BYTES, **headers)

    def choose(self, name: str) -> tuple[int, dict]:
        return self.ask(KEPT, json.dumps({"name": name}))

    def restore(self, chosen: str) -> tuple[int, dict]:
        return self.ask(RESTORE, json.dumps({"id": chosen}))


def left(places: Places) -> set[str]:
    return {name for name in (PART, CHOSEN) if (places.state / name).exists()}
