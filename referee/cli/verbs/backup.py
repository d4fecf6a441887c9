"""`referee backup`: one file with journal, boxes, lens, settings, voices, hall and tournaments."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from referee.backup.automatic import all_sticks, copy_to_stick, make_backup, remove_stale
from referee.backup.checking import check_backup, open_backup
from referee.backup.contents import Places
from referee.backup.keeping import name_of, time_in
from referee.backup.manifest import BadBackup, Manifest
from referee.backup.rights import as_owner, read_as_owner
from referee.backup.writing import check_room, save_stream, size_of, stream_backup
from referee.cli.parts.backup_places import has_hall, places_of, what_is_in
from referee.cli.terminal import common
from referee.cli.terminal.chosen_settings import CONFIG, SETTING, settings_of
from referee.cli.terminal.common import Code
from referee.cli.terminal.targets import OTHER, refuse_others
from referee.devices.whole_file import end_of_links
from referee.errors import BadInput
from referee.i18n.wording import count


def _some_place(text: object) -> Path:
    """Return the file or folder that the argument names; a name that ends in a slash is that of a folder."""
    path = common.some_path(text)
    if str(text).endswith(os.sep) and not path.is_dir():
        raise typer.BadParameter(f"expected a folder, found none ({path}); is the stick mounted?")
    return path


WHERE = typer.Argument(
    metavar="[FILE|FOLDER]", parser=_some_place, help="Where to write it; default: here.", show_default=False
)


def backup(
    where: Annotated[Path | None, WHERE] = None,
    *,
    without_pictures: Annotated[bool, typer.Option("--without-pictures", help="Leave out all pictures.")] = False,
    to_usb: Annotated[
        bool, typer.Option("--to-usb", help="Write it among the automatic backups, and copy it to USB sticks.")
    ] = False,
    config: Annotated[Path | None, CONFIG] = None,
    setting: Annotated[list[str] | None, SETTING] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> int:
    """Save journal, boxes, lens, settings, voices, hall and tournaments to one file. A match may be running."""
    if to_usb and where is not None:
        raise BadInput("backup: expected either --to-usb or a file, found both")
    places = places_of(settings_of(config, setting or ()))
    if not places.state.is_dir():
        raise BadInput(f"expected the folder of a journal, found none ({places.state})")
    now = dt.datetime.now().astimezone()
    if to_usb:
        paths = _to_sticks(places, now, pictures=not without_pictures)
    else:
        path = _file_for(where or Path(), places, now)
        remove_stale(path.absolute().parent)
        check_room(path.absolute().parent, size_of(places, pictures=not without_pictures), spare=0)
        chunks = read_as_owner(places.state, stream_backup(places, now, pictures=not without_pictures))
        save_stream(path, chunks, check_backup, lambda: True)
        paths = [path]
    with open_backup(paths[0]) as saved:
        _report(paths, saved.manifest, as_json=as_json)
    return Code.DONE


def _file_for(where: Path, places: Places, now: dt.datetime) -> Path:
    """Return the file to be written; raises BadInput for one that must not be replaced."""
    path = _end_of_link(where / name_of(now) if where.is_dir() else where)
    if not path.absolute().parent.is_dir():
        raise BadInput(f"{path}: expected a folder to write the backup to, found none")
    if _is_within(path, places.state) and not _is_for_backups(path, places):
        raise BadInput(f"{path}: expected a place outside the journal's folder, whose files are saved themselves")
    refuse_others(path, "an earlier backup", _kind_of_other)
    return path


def _end_of_link(path: Path) -> Path:
    """Return the file that a link leads to, as for every other file that is written: the link stays."""
    with suppress(OSError):  # a circle, which is refused as no backup
        return end_of_links(path) if path.is_symlink() else path
    return path


def _is_within(path: Path, folder: Path) -> bool:
    return common.end_of_path(path.parent).is_relative_to(common.end_of_path(folder))


def _is_for_backups(path: Path, places: Places) -> bool:
    """Return whether a file in the journal's folder is a backup for whoever makes the next one."""
    beside = common.end_of_path(path.parent) == common.end_of_path(places.state)
    return (beside and time_in(path.name) is not None) or _is_within(path, places.backups)


def _kind_of_other(path: Path) -> str | None:
    try:
        with open_backup(path):
            return None
    except BadBackup:
        return OTHER


def _to_sticks(places: Places, now: dt.datetime, *, pictures: bool) -> list[Path]:
    sticks = all_sticks()
    if not sticks:
        raise BadInput("backup: expected a USB stick that is mounted and can be written to, found none")
    with as_owner(places.state):
        path = make_backup(places, now, pictures=pictures)
    return [path, *(copy_to_stick(path, stick, places.state, now.replace(tzinfo=None)) for stick in sticks)]


def _report(paths: Sequence[Path], manifest: Manifest, *, as_json: bool) -> None:
    size = paths[0].stat().st_size
    if as_json:
        common.print_json(
            {
                "files": list(map(str, paths)),
                "bytes": size,
                "made": manifest.made,
                "program": manifest.program,
                "journal_version": manifest.journal,
                "matches": manifest.matches,
                "hall": has_hall(manifest),
                "pictures": manifest.pictures,
                "members": len(manifest.members),
            }
        )
        return
    for path in paths:
        common.stdout().print(f"Backup written to {path}")
    common.stdout().print(f"{what_is_in(manifest)}, {count(len(manifest.members), 'file')}, {size / 1e6:,.1f} MB.")
    common.stdout().print("It contains the PIN of the page and the passwords of the settings: keep it to yourself.")
