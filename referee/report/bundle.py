"""A bundle: what a builder needs to see, as texts that can be shown first, and pictures; saved as one ZIP file."""

from __future__ import annotations

import contextlib
import io
import json
import math
import re
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2

from referee.devices import box_file
from referee.devices.camera.stills import load_picture
from referee.devices.whole_file import kind_of_no_file
from referee.errors import RefereeError
from referee.game.tiles import TILE_SETS
from referee.i18n.numbered_players import NUMBERED_PLAYERS
from referee.i18n.vocabulary import vocabulary
from referee.journal.opening import FILE
from referee.journal.pictures import FOLDER, Pictures
from referee.journal.reading import rows_of
from referee.journal.scores import MatchScore, read_scores
from referee.report.log import Ask, Printed, heads_of, log_lines, messages_of, own_lines, read_log
from referee.report.matches import MatchFigures, match_figures
from referee.report.privacy import Privacy
from referee.report.shown_settings import private_texts, shown_settings
from referee.report.told_names import NAMING_OTHERS, names_in
from referee.report.versions import versions
from referee.settings.file import EXCHANGED
from referee.settings.settings import Settings

MATCHES = 5
"""How many of the last matches are counted; a match takes a Pi about a second."""
PICTURES = 6
"""How many of the last refused pictures can be sent; each has half a megabyte."""
JPEG_QUALITY = 90
TITLE = "What a builder of the referee needs to see."
"""How the text of every bundle about itself begins, by which a file is known to be one."""
ABOUT = f"""{TITLE} Nothing has been sent: pass this file on only if you wish.

Names of players are replaced by "player 1" and so on. Of texts that somebody entered, such as addresses, names of
networks and passwords, only "set" is left. In findings and log, every word that is not the referee's own, every
longer number, and what a hall has announced is replaced by an ellipsis. Of lines of the log from before a reset or a
restore, or before a damaged journal was set aside, nothing but time and gravity is left: nobody can tell which words
in them are names. Nor can anybody if the log belongs to another journal than the one that was read.

findings.txt   what `referee doctor` found, and what to do; findings.json has the figures
versions.json  the referee, its libraries and the system
settings.json  numbers and switches; of texts only whether they are set
matches.json   the last matches: numbers of turns, refusals and doubts, and times in seconds
log.txt        the last lines of the service's log; if it cannot be read, what the referee itself has printed
"""
WITHOUT_TEXTS = """
The journal cannot be read as it was written, so nobody can tell which words are names of players. Therefore the texts
of all findings and of all lines of the log are left out: of a finding its result and its numbers are left, of a line
its time and how grave it is.
"""
"""What is added then."""
OF_OTHERS = """\
Of the service's log only time and gravity are left. It has the names of players in the service's journal, and another
journal was read for this. As root, read that one: sudo REFEREE_STATE=FOLDER referee doctor --bundle FILE.zip
"""
"""What the log begins with if it belongs to another journal."""
ABOUT_NAME = "about.txt"
USUAL_HOSTS = ("referee", "raspberrypi", "localhost")
"""Names of machines that tell nothing: those of our installer, of Raspberry Pi OS, and of any machine."""
DAMAGED = "journal-damaged-*.db"
"""The names of journals that were set aside."""
_MEMBER = re.compile(r"(?:about|findings|log)\.txt|(?:findings|versions|settings|matches)\.json|refused-\d+\.jpg")
"""The names of the files in a bundle."""
_EPOCH = 1980, 1, 1, 0, 0, 0
"""The earliest time that a ZIP file can have; entries say nothing about when they were made."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """The texts by the names of their files, and the pictures that can be added, each read when it is needed."""

    texts: Mapping[str, str]
    pictures: Mapping[str, Path]
    is_cut: bool = False
    """Whether findings and log are left out, because the names of the players are not known."""

    def picture(self, name: str) -> bytes:
        """Return a picture as a JPEG that has nothing but the picture; raises RefereeError if it is gone."""
        picture = load_picture(self.pictures[name])
        return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()

    def zipped(self, *, pictures: bool) -> bytes:
        """Return the bundle as a ZIP file; a picture that was deleted meanwhile is left out."""
        target = io.BytesIO()
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as file:
            for name, text in self.texts.items():
                _add(file, name, text.encode())
            for name in self.pictures if pictures else ():
                try:
                    _add(file, name, self.picture(name))
                except (RefereeError, OSError):
                    continue
        return target.getvalue()


def kind_of_other_file(path: Path) -> str | None:
    """Return what a file is if it must not be replaced; None if it is an earlier bundle, or empty.

    Raises OSError.
    """
    if kind := kind_of_no_file(path):
        return kind
    if not path.stat().st_size:
        return None
    try:
        with zipfile.ZipFile(path) as file, file.open(ABOUT_NAME) as about:
            others = [name for name in file.namelist() if not _MEMBER.fullmatch(name)]
            return "another ZIP file" if others or about.read(len(TITLE)) != TITLE.encode() else None
    except KeyError:
        return "another ZIP file"
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OverflowError):
        return "no ZIP file, or a damaged one"


def make_bundle(
    settings: Settings, folder: Path, findings: Sequence[Mapping[str, Any]], ask: Ask, host: str = "",
    printed: Sequence[Printed] = (), root: Path = Path("/"), is_of_service: bool = True, former: Sequence[str] = (),
) -> Bundle:  # fmt: skip
    """Make a bundle of what is known at a table.

    `folder`: that of the journal.
    `findings`: those of the doctor, as objects of `doctor --json`.
    `ask`: runs a command and returns its output.
    `host`: the name of this machine, which is removed.
    `printed`: what this program has printed; used if there is no log that may be read.
    `root`: where the files of the system are.
    `is_of_service`: whether the journal is the one that the service writes to. Names in another one are not known.
    `former`: what earlier settings had that is removed, too.
    """
    scores, figures, trouble = _matches(folder)
    is_cut = scores is None or any(score.damaged for score in scores)
    scores = scores or []
    names = [name for score in reversed(scores) for name in _names(score)]
    seasons = [score.setup.season or "" for score in scores]
    entries = read_log(ask)
    lines = [*messages_of(entries), *(text for _, text in printed)]
    told, others = names_in(lines), names_in(lines, NAMING_OTHERS)
    private = [*private_texts(settings), *seasons, *_names_of_boxes(folder), *others]
    private += [] if host.casefold() in USUAL_HOSTS else [host]
    private += [text for text in former if text not in NUMBERED_PLAYERS]
    # Without the words of numbered players, few sentences could be read.
    given = [name for name in (*settings.game.players, *names, *told) if name not in NUMBERED_PLAYERS]
    privacy = Privacy(given, private, vocabulary(), _modules(), hides_all=is_cut)
    shown = [_clean_finding(finding, privacy) for finding in findings]
    since = names_known_since(folder)
    if is_of_service:
        log = log_lines(entries, privacy, since) or own_lines(printed, privacy, since)
    else:
        log = [*(OF_OTHERS.splitlines() if entries else ()), *heads_of(entries), *own_lines(printed, privacy, since)]
    texts = {
        ABOUT_NAME: ABOUT + (WITHOUT_TEXTS if is_cut else ""),
        "findings.txt": "\n".join(map(_as_line, shown)) + "\n",
        "findings.json": _json(shown),
        "versions.json": _json(versions(root)),
        "settings.json": _json(shown_settings(settings)),
        "matches.json": _json({"trouble": trouble, "matches": [one.to_json() for _, one in figures]}),
        "log.txt": "\n".join(log or ["There is no log that this user may read."]) + "\n",
    }
    return Bundle(texts, _refused_pictures(folder, figures), is_cut)


def _modules() -> list[str]:
    """Return the modules of this program, as its error messages name them."""
    package = Path(__file__).parents[1]
    return [path.relative_to(package.parent).as_posix() for path in package.rglob("*.py")]


def _matches(folder: Path) -> tuple[list[MatchScore] | None, list[tuple[int, MatchFigures]], str]:
    """Return all matches, None if nobody can read them, the figures of the last ones by number, and the error."""
    path, scores = folder / FILE, None
    try:
        scores = read_scores(path)
        found = [(score.match, match_figures(rows_of(path, score.match)[0])) for score in scores[-MATCHES:]]
    except RefereeError as error:
        return scores, [], type(error).__name__
    return scores, found, ""


def _names_of_boxes(folder: Path) -> list[str]:
    """Return the names of all boxes enrolled at this table: the log may name one that is not in use any more."""
    names = (path.stem for path in (folder / box_file.FOLDER).glob("*.json"))
    return [name for name in names if name not in TILE_SETS]


def names_known_since(folder: Path) -> float:
    """Return since when all names in the log are those of this journal, in seconds since 1970.

    What was printed before a reset or a restore, or before a damaged journal was set aside, has the names of others.
    """
    known = -math.inf
    for path in (folder / EXCHANGED, *folder.glob(DAMAGED)):
        with contextlib.suppress(OSError):
            found = path.lstat()
            known = max(known, found.st_mtime if path.name == EXCHANGED else found.st_ctime)
    return known


def _names(score: MatchScore) -> list[str]:
    """Return all names that the sheet of a match has: players, and whoever corrected a round."""
    return [*score.sheet.players, *(one.who for one in score.sheet.corrections)]


def _refused_pictures(folder: Path, figures: Sequence[tuple[int, MatchFigures]]) -> dict[str, Path]:
    pictures = Pictures(folder / FOLDER, 0)
    paths = [
        path
        for match, one in reversed(figures)
        for number in reversed(one.refused_events)
        for path in pictures.pictures_of(match, number)
    ]
    return {f"refused-{number}.jpg": path for number, path in enumerate(paths[:PICTURES], 1)}


def _clean_finding(finding: Mapping[str, Any], privacy: Privacy) -> dict[str, Any]:
    """Return a finding without anything private. Check, result and the names of its figures are from our code."""
    figures = {str(name): privacy.clean_json(value) for name, value in finding["figures"].items()}
    cleaned = {name: privacy.clean(str(finding[name])) for name in ("found", "do")}
    return {"check": str(finding["check"]), "result": str(finding["result"]), **cleaned, "figures": figures}


def _as_line(finding: Mapping[str, Any]) -> str:
    do = f"\n{'':11}-> {finding['do']}" if finding.get("do") else ""
    return f"{finding['result']:<10} {finding['check']}: {finding['found']}{do}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _add(file: zipfile.ZipFile, name: str, data: bytes) -> None:
    entry = zipfile.ZipInfo(name, _EPOCH)
    entry.compress_type = zipfile.ZIP_DEFLATED
    file.writestr(entry, data)


Making = Callable[[], Bundle]
"""Makes a bundle; it may take seconds."""
