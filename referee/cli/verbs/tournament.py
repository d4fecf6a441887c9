"""`referee tournament`: lists, exports, saves and restores a hall's tournaments and leagues, and enters players.

It works on the hall's file. What changes it is refused while a hall runs, which would not notice; the page of the hall
does the same.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from referee.backup.restoring import is_open
from referee.cli.programs.hall import FILE, FOLDER, open_store
from referee.cli.terminal import common
from referee.cli.terminal.chosen_settings import CONFIG, LANGUAGE, SETTING, journal_folder, settings_of, wording
from referee.cli.terminal.common import Code
from referee.cli.terminal.targets import KindOfOther, like_csv, like_json, refuse_others
from referee.club.hall.tournaments.leagues import table_of
from referee.club.hall.tournaments.notes import Notes
from referee.club.hall.tournaments.player_tokens import tokens_for
from referee.club.hall.tournaments.round_results import TournamentFacts
from referee.club.hall.tournaments.saved import FORMAT, read_tournament, save_tournament, slug_for
from referee.club.hall.tournaments.state import Hosted
from referee.club.tournament import export
from referee.club.tournament.league import export as league_export
from referee.club.tournament.players_file import decode_list, read_players
from referee.devices.whole_file import write_whole
from referee.errors import BadInput
from referee.i18n import Wording, error_text
from referee.journal.score_formats import csv_file
from referee.pages.hall.tournament_fields import MOST_PLAYERS, MOST_ROUNDS
from referee.pages.hall.tournament_saving import MOST_BYTES

FIRST_NAMES = 3
"""So many names at the beginning of a JSON document tell its kind; later versions may have more of them."""
LIST = typer.Option("--players", metavar="FILE", parser=common.some_path, help="Enter players from a CSV or TRF file.")
EXPORT = typer.Option("--export", metavar="FOLDER", parser=common.some_path, help="Write CSV and JSON to a folder.")
SAVE = typer.Option("--save", metavar="FILE", parser=common.some_path, help="Save a whole tournament to one file.")
LEAGUES = typer.Option(
    "--leagues", metavar="FOLDER", parser=common.some_path, help="Write the tables of all leagues to a folder."
)
RESTORE = typer.Option("--restore", metavar="FILE", parser=common.some_path, help="Restore a tournament from a file.")


def tournament(
    *,
    players: Annotated[Path | None, LIST] = None,
    export_to: Annotated[Path | None, EXPORT] = None,
    leagues: Annotated[Path | None, LEAGUES] = None,
    save: Annotated[Path | None, SAVE] = None,
    restore: Annotated[Path | None, RESTORE] = None,
    of: Annotated[str | None, typer.Option("--of", metavar="ID", help="An older tournament; default: newest.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="With --players or --restore: only check it.")] = False,
    config: Annotated[Path | None, CONFIG] = None,
    setting: Annotated[list[str] | None, SETTING] = None,
    language: Annotated[str | None, LANGUAGE] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> int:
    """List a hall's tournaments, export, save or restore one, or enter players from a file."""
    chosen = [name for name, given in _named(players, export_to, leagues, save, restore).items() if given is not None]
    if len(chosen) > 1:
        raise BadInput(f"tournament: expected one thing to do, found {' and '.join(chosen)}")
    if dry_run and chosen not in (["--players"], ["--restore"]):
        raise BadInput("--dry-run: expected --players or --restore beside it, found neither")
    if of is not None and chosen not in (["--export"], ["--save"]):
        raise BadInput("--of: expected --export or --save beside it, found neither")
    settings = settings_of(config, setting or ())
    path = journal_folder(settings) / FOLDER / FILE
    if restore is not None:
        return _restore(path, restore, dry_run=dry_run, as_json=as_json)
    if not path.is_file():
        raise BadInput(f"tournament: expected the file of a hall, found none ({path})")
    with _notes(path) as notes:
        known, _ = notes.load_all()
        if players is not None:
            words = wording(language, settings.game.language)
            return _enter(path, notes, known, players, words, dry_run=dry_run, as_json=as_json)
        if export_to is not None:
            return _export(_chosen(known, of), export_to, as_json=as_json)
        if leagues is not None:
            return _export_leagues(notes, known, leagues, as_json=as_json)
        if save is not None:
            return _save(notes, _chosen(known, of), save, as_json=as_json)
    return _list(known, as_json=as_json)


def _named(
    players: Path | None, export_to: Path | None, leagues: Path | None, save: Path | None, restore: Path | None
) -> Mapping[str, Path | None]:
    return {
        "--players": players,
        "--export": export_to,
        "--leagues": leagues,
        "--save": save,
        "--restore": restore,
    }


@contextmanager
def _notes(path: Path) -> Iterator[Notes]:
    """Open the tournaments of a hall's file; raises BadInput if that cannot be read or written."""
    try:
        with closing(Notes(path)) as notes:
            yield notes
    except sqlite3.Error as error:
        raise BadInput(f"tournament: expected tournaments in {path}, found: {error}") from error


def _chosen(known: Mapping[str, Hosted], of: str | None) -> Hosted:
    if not known:
        raise BadInput("tournament: expected a tournament, found none")
    if of is None:
        return list(known.values())[-1]
    if of not in known:
        raise BadInput(f"--of: expected one of {', '.join(known)}, found {of!r:.60}")
    return known[of]


def _refuse_running_hall(path: Path) -> None:
    if is_open(path):
        raise BadInput(f"tournament: expected a file that no hall uses, found a running hall ({path}): use its page")


def _read_file(option: str, path: Path, most: int) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        raise BadInput(f"{option}: expected a file to read, found: {error.strerror} ({path})") from error
    if len(data) > most:
        raise BadInput(f"{option}: expected at most {most} bytes, found more ({path})")
    return data


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _enter(
    path: Path, notes: Notes, known: Mapping[str, Hosted], file: Path, words: Wording, *, dry_run: bool, as_json: bool
) -> int:
    """Print what is in a file of players, and enter them in the newest tournament unless it is a dry run."""
    hosted = _chosen(known, None)
    found = read_players(
        decode_list(_read_file("--players", file, MOST_BYTES)), hosted.tournament, MOST_PLAYERS, time.time()
    )
    wrong = [words(one) for one in found.wrong]
    enters = not wrong and not dry_run
    if enters:
        if hosted.tournament.ended:
            raise BadInput(f"--players: expected a tournament under way, found one that has ended ({hosted.slug})")
        notes.close()  # our own connection counts as a user of the file, too
        _refuse_running_hall(path)
        with _notes(path) as again:
            again.keep(hosted.slug, found.events, _now())
    if as_json:
        told = [{"line": one.line, "name": one.name, "club": one.club, "rating": one.rating} for one in found.players]
        common.print_json({"tournament": hosted.slug, "entered": enters, "players": told, "wrong": wrong})
    else:
        for one in found.players:
            rating = "" if one.rating is None else str(one.rating)
            common.stdout().print(f"{one.line}: {', '.join(filter(None, (one.name, one.club, rating)))}")
    if wrong:
        common.complain(f"{file}: {' '.join(wrong)}")
        return Code.BAD_INPUT
    if enters and not as_json:
        common.stdout().print(f"{len(found.players)} players entered in {hosted.slug}.")
    return Code.DONE


def _restore(path: Path, file: Path, *, dry_run: bool, as_json: bool) -> int:
    """Restore a tournament from a file, or only check the file."""
    try:
        saved = read_tournament(_read_file("--restore", file, MOST_BYTES), MOST_PLAYERS, MOST_ROUNDS)
    except BadInput as error:
        raise BadInput(f"{file}: {error_text(error)}") from None
    slug = saved.hosted.slug
    if not dry_run:
        if path.is_file():
            _refuse_running_hall(path)
        open_store(path).close()
        with _notes(path) as notes:
            known, unreadable = notes.load_all()
            if known and not _chosen(known, None).tournament.ended:
                raise BadInput("--restore: expected no tournament under way, found one: end it first")
            try:
                slug = slug_for(saved.hosted, known.values(), {*known, *unreadable})
            except BadInput as error:
                raise BadInput(f"--restore: {error_text(error)}") from None
            notes.keep(slug, saved.events, _now())
    if as_json:
        common.print_json({"tournament": slug, "restored": not dry_run, "events": len(saved.events)})
    else:
        done = "can be restored" if dry_run else f"restored as {slug}"
        common.stdout().print(f"{saved.hosted.tournament.name}: {done}.")
    return Code.DONE


def _save(notes: Notes, hosted: Hosted, file: Path, *, as_json: bool) -> int:
    secret = notes.known_secret()
    tokens = tokens_for(secret, hosted) if secret else hosted.tokens
    data = save_tournament(hosted.slug, hosted.tournament.name, notes.events_of(hosted.slug), tokens)
    refuse_others(file, "a tournament that was saved earlier", like_json((), format=FORMAT))
    write_whole(file, data, "a file to save the tournament to", 0o600, for_owner=True)
    if as_json:
        common.print_json({"tournament": hosted.slug, "file": str(file), "bytes": len(data)})
    else:
        common.stdout().print(f"{hosted.slug}: saved to {file}")
    return Code.DONE


def _export(hosted: Hosted, folder: Path, *, as_json: bool) -> int:
    one, slug = hosted.tournament, hosted.slug
    document = {"id": slug, **export.as_json(one), "places": [list(round_.places) for round_ in hosted.rounds]}
    texts = {
        f"{slug}-standings.csv": export.standings_csv(one),
        f"{slug}-results.csv": export.results_csv(one),
        f"{slug}-meetings.csv": export.meetings_csv(one),
        f"{slug}.json": _document(document),
    }
    if any(player.team for player in one.players):
        texts[f"{slug}-teams.csv"] = export.teams_csv(one)
    _write_files("--export", folder, texts)
    if as_json:
        common.print_json({"tournament": slug, "files": [str(folder / name) for name in texts]})
    return Code.DONE if as_json else _print_files(folder, texts)


def _export_leagues(notes: Notes, known: Mapping[str, Hosted], folder: Path, *, as_json: bool) -> int:
    """Write the table of every league as CSV and JSON."""
    leagues, _ = notes.load_leagues()
    if not leagues:
        raise BadInput("--leagues: expected a league, found none")
    facts = TournamentFacts(tuple(known.values()), leagues=tuple(leagues.values()))
    texts = {}
    for slug, league in leagues.items():
        table = table_of(facts, league)
        texts[f"{slug}.csv"] = league_export.table_csv(table)
        texts[f"{slug}.json"] = _document(league_export.as_json(table))
    _write_files("--leagues", folder, texts)
    if as_json:
        common.print_json({"leagues": list(leagues), "files": [str(folder / name) for name in texts]})
    return Code.DONE if as_json else _print_files(folder, texts)


def _document(told: object) -> str:
    return json.dumps(told, ensure_ascii=False, allow_nan=False) + "\n"


def _write_files(option: str, folder: Path, texts: Mapping[str, str]) -> None:
    """Write files to a folder, which is made if there is none."""
    common.refuse_file(option, folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{option}: expected a folder to write to, found: {error.strerror} ({folder})") from error
    files = {
        folder / name: csv_file(text) if name.endswith(".csv") else text.encode("utf-8", "replace")
        for name, text in texts.items()
    }
    for path, data in files.items():  # all of them, before the first one is written
        refuse_others(path, "an earlier export", _known(path, data))
    for path, data in files.items():
        write_whole(path, data, "a file to export to")


def _known(path: Path, data: bytes) -> KindOfOther:
    return like_csv(data) if path.suffix == ".csv" else like_json(list(json.loads(data))[:FIRST_NAMES])


def _print_files(folder: Path, texts: Mapping[str, str]) -> int:
    for name in texts:
        common.stdout().print(str(folder / name))
    return Code.DONE


def _list(known: Mapping[str, Hosted], *, as_json: bool) -> int:
    told = [
        {
            "tournament": one.slug,
            "name": one.tournament.name,
            "players": len(one.tournament.players),
            "rounds": len(one.tournament.rounds),
            "ended": one.tournament.ended,
        }
        for one in known.values()
    ]
    if as_json:
        common.print_json({"tournaments": told})
        return Code.DONE
    for one in told:
        state = "ended" if one["ended"] else "under way"
        common.stdout().print(f"{one['tournament']}: {one['name']}, {one['players']} players, {state}")
    return Code.DONE
