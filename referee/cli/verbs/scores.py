"""`referee scores`: prints score sheets of all matches, and totals of players and seasons, as table, CSV or JSON.

It also corrects a round of an earlier match, with a trace; the referee at the table must not run meanwhile.
"""

from __future__ import annotations

import enum
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Column, Table

from referee.cli.terminal import common
from referee.cli.terminal.chosen_settings import LANGUAGE, as_set, folder_of, journal_folder, settings_of, wording
from referee.cli.terminal.common import Code
from referee.cli.terminal.output import format_points, print_table, score_table
from referee.cli.terminal.targets import refuse_others, with_bytes
from referee.devices.png_marks import BEGINNING, mark_of
from referee.devices.whole_file import write_whole
from referee.doctor.storage import SERVICE
from referee.errors import BadInput
from referee.game.match.correction import check_correction
from referee.game.match.events import Corrected
from referee.game.notice import Notice
from referee.i18n import ENGLISH, Wording, error_text
from referee.journal import amending
from referee.journal.amending import Amended, amend
from referee.journal.errors import JournalClosedToUs, JournalDamaged
from referee.journal.opening import FILE, in_the_way
from referee.journal.reading import rows_of
from referee.journal.replay import Kept
from referee.journal.score_formats import (
    CSV_NAMES,
    TOTAL_NAMES,
    as_csv,
    as_json,
    csv_rows,
    faces_of,
    local_time,
    result_of,
    rules_of,
    total_rows,
    when_begun,
)
from referee.journal.scores import MatchScore, PlayerTotal, in_season, read_scores, totals
from referee.journal.statistics import turn_totals
from referee.journal.statistics_formats import (
    PAIR_NAMES,
    SHOWN_STATISTICS,
    STATISTICS_NAMES,
    pair_rows,
    read_statistics,
    statistics_rows,
)
from referee.table.output.notices import agreement_notices, correction_notice, scores_told


class Format(enum.StrEnum):
    """The forms in which scores are printed."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"


def scores(
    *,
    form: Annotated[
        Format, typer.Option("--format", metavar="FORMAT", help="Form of the output: table, csv or json.")
    ] = Format.TABLE,
    match: Annotated[int | None, typer.Option(metavar="ID", help="Number of the match to show.")] = None,
    season: Annotated[
        str | None, typer.Option(metavar="NAME", help="Matches of a season, a year, a month, or days FROM..TO.")
    ] = None,
    players: Annotated[bool, typer.Option("--players", help="Totals of every player, by rule book.")] = False,
    state: Annotated[str | None, typer.Option(metavar="FOLDER", help="Folder of the journal.")] = None,
    correct: Annotated[
        int | None, typer.Option(metavar="ROUND", help="Correct this round, of --match or of the newest match.")
    ] = None,
    points: Annotated[
        str | None, typer.Option(metavar="A,B,...", help="Points left in the hands, in the order of the seats.")
    ] = None,
    winner: Annotated[str | None, typer.Option(metavar="NAME", help="Who won that round; default: nobody.")] = None,
    in_one_turn: Annotated[
        bool, typer.Option("--in-one-turn", help="The winner laid the whole hand at once.")
    ] = False,
    who: Annotated[
        str, typer.Option(metavar="NAME", help="With --correct: who corrects the round; kept on the sheet.")
    ] = "",
    why: Annotated[str, typer.Option(metavar="TEXT", help="With --correct: why; kept on the sheet.")] = "",
    language: Annotated[str | None, LANGUAGE] = None,
    end: Annotated[int | None, typer.Option("--end", metavar="ID", help="End a match that nobody continues.")] = None,
    statistics: Annotated[
        bool, typer.Option("--statistics", help="Statistics of every player: rating, wins, times, badges.")
    ] = False,
    pairs: Annotated[bool, typer.Option("--pairs", help="Head to head: every two players who have met.")] = False,
    card: Annotated[
        Path | None,
        typer.Option(
            "--card",
            metavar="FILE.png",
            parser=common.some_path,
            help="Write the score sheet of --match, or of the newest match, as a picture for a chat.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
) -> int:
    """Show or correct the score sheets of the matches in the journal."""
    if as_json and form is Format.CSV:
        raise BadInput("--json: expected no other --format beside it, found csv")
    form = Format.JSON if as_json else form
    folder = _folder(state)
    words = wording(language, as_set())
    if end is not None:
        if correct is not None or match is not None:
            raise BadInput("--end: expected a match to end and nothing else, found --match or --correct, too")
        match = _report_amendment(amending.end(folder, end), f"match {end} has ended already", words)
    more = winner is not None or in_one_turn or who or why
    if (correct is None) != (points is None) or (correct is None and more):
        raise BadInput("--correct: expected a round together with --points (and --winner), found only one of them")
    if correct is not None and points is not None:
        _check_reasons(who, why)
        done = correct_round(folder, match, correct, points, winner, in_one_turn=in_one_turn, who=who, why=why)
        match = _report_amendment(done, f"round {correct} of match {done.match} stands so already", words)
    found = _read(folder / FILE)
    empty = (Notice("console.no_match_yet", path=str(folder / FILE)), *_elsewhere(folder))
    if found and season is not None:
        found, empty = _of_season(found, season), (Notice("console.no_match_in", season=season),)
    if match is not None:
        found = [_one(found, match, empty)]
    elif not found:
        common.stderr().print(words.all(empty))
    if card is not None:
        _write_card(folder / FILE, found, card, words, form)
    elif statistics or pairs:
        _print_statistics(folder / FILE, found, form, pairs=pairs)
    elif players:
        _print_players(totals(found), form)
    else:
        _print_matches(found, form, words, whole=match is not None)
    return Code.DONE


def _check_reasons(who: str, why: str) -> None:
    for option, given in (("--who", who), ("--why", why)):
        if not given.strip():
            raise BadInput(f"--correct: expected {option} beside it, for the score sheet, found none")


def _of_season(scores: Sequence[MatchScore], season: str) -> list[MatchScore]:
    try:
        return in_season(scores, season)
    except BadInput as error:
        raise BadInput(f"--season: {error_text(error)}") from None


def _report_amendment(done: Amended, why: str, words: Wording) -> int:
    """Print what was changed in a match, or why nothing was; return its number."""
    for notice in done.notices:
        common.stderr().print(words(notice))
    if not done.written:
        common.stderr().print(f"Nothing changed: {why}.")
    return done.match


def _folder(chosen: str | None) -> Path:
    # As a path, an empty text would be the current folder.
    if chosen is not None and not chosen.strip():
        raise BadInput(f"--state: expected the folder of a journal, found {chosen!r}")
    folder = journal_folder(settings_of(None, ())) if chosen is None else folder_of(chosen)
    try:
        there, wrong = os.path.lexists(folder), in_the_way(folder)
    except OSError as error:
        raise JournalClosedToUs(f"expected the folder of a journal, found: {error.strerror} ({folder})") from error
    option = "" if chosen is None else "--state: "
    if wrong is not None:
        raise BadInput(f"{option}expected the folder of a journal, found {ENGLISH(wrong)}")
    if chosen is not None and not there:
        raise BadInput(f"{option}expected the folder of a journal, found none ({folder})")
    return folder


def _read(path: Path) -> list[MatchScore]:
    try:
        return read_scores(path)
    except JournalDamaged as error:
        raise JournalDamaged(
            f"{error_text(error)}; start the referee once: it keeps the damaged file under another name, and all that "
            "can be read"
        ) from error


def _elsewhere(folder: Path) -> tuple[Notice, ...]:
    """Return where the scores probably are, if they are not in `folder`."""
    if folder.absolute() == SERVICE or not SERVICE.is_dir():
        return ()
    return (Notice("console.service_journal", folder=str(SERVICE)),)


def _one(found: Sequence[MatchScore], match: int, empty: Iterable[Notice]) -> MatchScore:
    """Return the match with that number; `empty` explains why there are no matches, if there are none."""
    for score in found:
        if score.match == match:
            return score
    if not found:
        raise BadInput(f"--match: expected the number of a match, found {match}: {ENGLISH.all(empty)}")
    known = ", ".join(_spans([score.match for score in found]))
    raise BadInput(f"--match: expected the number of a match, one of {known}, found {match}")


def _spans(numbers: Sequence[int]) -> Iterator[str]:
    """Yield numbers as ranges: 1-7, 9."""
    start = last = None
    for number in (*numbers, None):
        if start is not None and last is not None and number != last + 1:
            yield str(start) if start == last else f"{start}-{last}"
            start = None
        start, last = (number if start is None else start), number


def _write_card(path: Path, found: Sequence[MatchScore], target: Path, words: Wording, form: Format) -> None:
    """Write the card of the newest match to a file; nothing if there is no match."""
    from referee.table.output.score_card import MARK, card_png

    if target.suffix.lower() != ".png":
        raise BadInput(f"--card: expected a file that ends in .png, found {str(target)!r}")
    if found:
        score = found[-1]
        data = card_png(score, turn_totals(rows_of(path, score.match)[0]), words)
        refuse_others(target, "an earlier card", with_bytes(BEGINNING, mark_of(MARK)))
        write_whole(target, data, "--card: a file for the picture")
    if form is Format.JSON:
        common.print_json({"file": str(target) if found else None})


def _print_statistics(path: Path, found: Sequence[MatchScore], form: Format, *, pairs: bool) -> None:
    """Print the statistics of all players, or of every two of them, over these matches."""
    known = read_statistics(path, found)
    names, rows = (PAIR_NAMES, pair_rows(known)) if pairs else (STATISTICS_NAMES, statistics_rows(known))
    if form is Format.CSV:
        typer.echo(as_csv(names, rows), nl=False)
    elif form is Format.JSON:
        for row in rows:
            common.print_json(dict(zip(names, row, strict=True)))
    elif rows:
        shown = [place for place, name in enumerate(names) if pairs or name in SHOWN_STATISTICS]
        table = Table(names[0])
        for place in shown[1:]:
            table.add_column(names[place].replace("_", " "), justify="right")
        for row in rows:
            table.add_row(*(str(row[place]) for place in shown))
        print_table(common.stdout(), table)


def _print_players(found: Sequence[PlayerTotal], form: Format) -> None:
    if form is Format.JSON:
        for total in found:
            common.print_json(asdict(total))
        return
    names, rows = TOTAL_NAMES, total_rows(found)
    if form is Format.CSV:
        typer.echo(as_csv(names, rows), nl=False)
    elif rows:
        table = Table(*names[:2])
        for name in names[2:]:
            table.add_column(name.replace("_", " "), justify="right")
        for row in rows:
            table.add_row(*map(str, row[:-1]), format_points(row[-1]))
        print_table(common.stdout(), table)


def _print_matches(found: Sequence[MatchScore], form: Format, words: Wording, *, whole: bool) -> None:
    if form is Format.JSON:
        for score in found:
            common.print_json(as_json(score, ENGLISH))
    elif form is Format.CSV:
        typer.echo(as_csv(CSV_NAMES, [row for score in found for row in csv_rows(score)]), nl=False)
    elif found:
        if not whole:
            _list(found, words)
        _print_sheet(found[-1], words)


def _list(found: Sequence[MatchScore], words: Wording) -> None:
    heads = ("match", "begun", "rules", "players", "result")
    table = Table(*(Column(words(Notice(f"console.{head}")), no_wrap=head == "begun") for head in heads))
    for score in found:
        pairs = zip(score.sheet.players, score.sheet.totals, strict=True)
        names = ", ".join(f"{name} {format_points(total)}" for name, total in pairs)
        table.add_row(str(score.match), when_begun(score, words), score.setup.rules, names, words(result_of(score)))
    print_table(common.stdout(), table, words)


def _print_sheet(score: MatchScore, words: Wording) -> None:
    sheet, console = score.sheet, common.stdout()
    title = Notice("console.sheet_title", match=score.match, what=_what(score), when=when_begun(score, words))
    console.print(words(title), style="bold")
    corrected = {entry.correction.round for entry in score.corrections}
    print_table(console, score_table(sheet, words, corrected=corrected), words)
    for entry in score.corrections:
        was = entry.correction
        before, after = (scores_told(sheet.players, line.scores) for line in (was.before, was.after))
        when = local_time(entry.wall)
        console.print(words(Notice("console.was_corrected", when=when, round=was.round, before=before, after=after)))
        if (told := correction_notice(was)) is not None:
            console.print(f"  {words(told)}")
    tiles = words.of_faces(faces_of(score))
    for turn, by in agreement_notices(sheet):
        console.print(tiles(turn))
        if by is not None:
            console.print(f"  {words(by)}")
    if score.damaged:
        console.print(words(Notice("console.damaged")), style="red")
    console.print(words(Notice("console.sentence", what=result_of(score))))


def _what(score: MatchScore) -> str:
    season = f", {score.setup.season}" if score.setup.season else ""
    return f"{rules_of(score)}{season}"


def correct_round(
    folder: Path,
    match: int | None,
    number: int,
    points: str,
    winner: str | None,
    *,
    in_one_turn: bool,
    who: str,
    why: str,
) -> Amended:
    """Correct round `number` of a match, the newest if `match` is None; change nothing if the round already stands so.

    `points` are those left in the hands, in the order of the seats; if the book gives the points of a round directly
    (Gin), they are those. Raises the errors of `amend`.
    """

    def event(kept: Kept) -> Corrected | None:
        names = [seat.name for seat in kept.state.seats]
        numbers = _numbers(points)
        if len(numbers) != len(names):
            raise BadInput(f"--points: expected {len(names)} numbers, for {', '.join(names)}, found {points!r}")
        if winner is not None and winner not in names:
            raise BadInput(f"--winner: expected one of {', '.join(names)}, found {winner!r}")
        seat = None if winner is None else names.index(winner)
        return check_correction(kept.state, Corrected(number, numbers, kept.t, seat, in_one_turn, who=who, why=why))

    return amend(folder, match, event)


def _numbers(text: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() and len(part) < 6 for part in parts):
        raise BadInput(f"--points: expected whole numbers with commas between them such as 0,12,31, found {text!r}")
    return tuple(map(int, parts))
