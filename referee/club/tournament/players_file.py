"""Reads lists of players from CSV and from the player lines of a TRF file, and makes the events that enter them.

A list is either right as a whole or not entered at all; every line that is wrong is named with what was expected there
and what was found. Of the tournament report files of FIDE (TRF16) only the columns of name, rating and federation are
read.
"""

from __future__ import annotations

import csv
import functools
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from referee.club.tournament.events import Described, Entered, Event, TeamGiven
from referee.club.tournament.machine import MOST_RATING, apply, check_description, name_key
from referee.club.tournament.stages import team_key
from referee.club.tournament.state import Player, Tournament
from referee.errors import BadInput
from referee.game.notice import Notice, told_by

MOST_LINES = 2000
"""Of a list; a longer one is not gone through. More than any club has members who play."""
LONGEST_SHOWN = 60
"""The most letters that are shown of a cell that is refused."""
_DELIMITERS = (";", "\t", ",")
_NAME, _FIRST, _LAST, _CLUB, _RATING, _TEAM = "name", "first", "last", "club", "rating", "team"
_HEADER: Mapping[str, str] = {
    word: column
    for column, words in {
        _NAME: "name player spieler spielerin spielername nom joueur joueuse nome giocatore giocatrice nominativo",
        _FIRST: "firstname givenname vorname prenom nomedibattesimo",
        _LAST: "surname lastname familyname nachname familienname nomdefamille cognome",
        _CLUB: "club klub verein association federation societa circolo associazione",
        _TEAM: "team mannschaft equipe squadra",
        _RATING: "rating elo wertung wertungszahl dwz classement cote punteggio valutazione",
    }.items()
    for word in words.split()
}
"""What the first line may call a column in our four languages: without accents, blanks and capitals."""
_TRF_LINE = re.compile(r"001 [ \d]{4}\b.{6}")
_TRF_NAME, _TRF_RATING, _TRF_FEDERATION = slice(14, 47), slice(48, 52), slice(53, 56)
"""The columns of a player's line in TRF16."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A player in a list, with the number of the line."""

    line: int
    name: str
    club: str = ""
    rating: int | None = None
    written: str = ""
    """What stands in the place of the rating, if that is no rating."""
    team: str = ""
    known: bool = False
    """Whether the tournament has this player already; then only club, rating and team are taken over."""
    troubles: tuple[Notice, ...] = ()
    """Everything for which this line cannot be entered."""


@dataclass(frozen=True, slots=True)
class PlayerList:
    """What was found in a list of players; it can be entered if `wrong` is empty."""

    form: str
    """`csv` or `trf`."""
    players: tuple[Listed, ...] = ()
    wrong: tuple[Notice, ...] = ()
    """Everything that must be put right; a line may have several faults."""
    events: tuple[Event, ...] = field(default=(), repr=False)
    """The events that enter the players; none if anything is wrong."""


def decode_list(data: bytes) -> str:
    """Return the text of a file: UTF-8 with or without a mark, UTF-16 with one, or what Windows used to write."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def read_players(text: str, tournament: Tournament, most: int, t: float = 0.0) -> PlayerList:
    """Return the players in a list, and the events that enter them into `tournament`, which has `most` at most."""
    text = text.removeprefix("\N{BYTE ORDER MARK}")
    form = "trf" if any(_TRF_LINE.match(line) for line in text.splitlines()) else "csv"
    found: list[Listed] = []
    wrong: list[Notice] = []
    try:
        for one in _trf_lines(text) if form == "trf" else _csv_lines(text):
            if len(found) == MOST_LINES:
                raise BadInput(Notice("ranks.too_many_lines", most=MOST_LINES))
            found.append(one)
    except BadInput as error:
        wrong.append(told_by(error))
    checked, events = _check(found, tournament, t)
    wrong += [_at_line(one, why) for one in checked for why in one.troubles]
    new = sum(not one.known for one in checked)
    if not checked and not wrong:
        wrong.append(Notice("ranks.no_players"))
    if len(tournament.players) + new > most:
        wrong.append(Notice("ranks.too_many", most=most, players=len(tournament.players) + new))
    return PlayerList(form, tuple(checked), tuple(wrong), () if wrong else tuple(events))


def _at_line(one: Listed, why: Notice) -> Notice:
    """Return what is wrong with a line; it names the player, too, unless the reason does."""
    if not one.name or "player" in dict(why.fields):
        return Notice("ranks.line", line=one.line, why=why)
    return Notice("ranks.line_of", line=one.line, player=one.name, why=why)


def _check(found: Iterable[Listed], tournament: Tournament, t: float) -> tuple[list[Listed], list[Event]]:
    """Return the players with what is wrong with them, and the events for those who are right."""
    here = {name_key(player.name): player for player in tournament.players}
    lines: dict[str, int] = {}
    checked, events = list[Listed](), list[Event]()
    for listed in found:
        key, troubles = name_key(listed.name), list(listed.troubles)
        if key and key in lines:
            troubles.append(Notice("ranks.twice", player=_shown(listed.name), first=lines[key]))
        elif key:
            lines[key] = listed.line
            if key not in here:
                troubles += _troubles_of(apply, tournament, Entered(listed.name, t))
        troubles += _troubles_of(check_description, listed.club, listed.rating)
        if not troubles:
            try:
                happen = _events_of(listed, here.get(key), tournament, t)
                tournament = functools.reduce(apply, happen, tournament)
                events += happen
            except BadInput as error:  # the team is full, or its name is too long
                troubles.append(told_by(error))
        name, club, team = map(_shown, (listed.name, listed.club, listed.team))
        known = key in here and not troubles
        checked.append(replace(listed, name=name, club=club, team=team, known=known, troubles=tuple(troubles)))
    return checked, events


def _troubles_of(check: Callable[..., object], *arguments: Any) -> list[Notice]:
    """Return why a check with these arguments refuses; nothing if it does not."""
    try:
        check(*arguments)
    except BadInput as error:
        return [told_by(error)]
    return []


def _events_of(one: Listed, known: Player | None, tournament: Tournament, t: float) -> list[Event]:
    events: list[Event] = []
    number = len(tournament.players) + 1 if known is None else known.number
    if known is None:
        events.append(Entered(one.name, t))
    club = one.club or ("" if known is None else known.club)
    rating = one.rating if one.rating is not None or known is None else known.rating
    before = ("", None) if known is None else (known.club, known.rating)
    if (club, rating) != before:
        events.append(Described(number, t, club, rating))
    if one.team and team_key(one.team) != team_key("" if known is None else known.team):
        events.append(TeamGiven(number, one.team, t))
    return events


def _shown(text: str) -> str:
    """Return a cell as it can be shown: one line, without invisible letters, shortened."""
    told = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)
    return told if len(told) <= LONGEST_SHOWN else f"{told[: LONGEST_SHOWN - 1]}…"


def _trf_lines(text: str) -> Iterator[Listed]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("001"):
            parts = [part.strip() for part in line[_TRF_NAME].split(",")]
            # TRF has the surname first; at a table people are called the other way round.
            name = " ".join(part for part in (parts[1], parts[0]) if part) if len(parts) > 1 else parts[0]
            yield _listed(number, name, line[_TRF_FEDERATION], line[_TRF_RATING])


def _csv_lines(text: str) -> Iterator[Listed]:
    lines = re.split(r"(?<=\n)|(?<=\r)(?!\n)", text)
    first = next((line for line in lines if line.strip()), "")
    named = re.fullmatch(r"sep=(.)\s*", first)  # what Excel writes for itself
    delimiter = named[1] if named else max(_DELIMITERS, key=re.sub(r'"[^"]*"', "", first).count)
    columns: Mapping[str, int] | None = None
    for number, cells in _rows(lines, delimiter):
        if not any(cells) or (named and number == 1):
            continue
        if columns is None:
            columns = _columns(cells)
            if columns:
                continue
            columns = {_NAME: 0, _CLUB: 1, _RATING: 2}
        yield _of_cells(number, cells, columns)


def _rows(lines: Sequence[str], delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows with the number of the line in which each begins."""
    reader, begins = csv.reader(lines, delimiter=delimiter, strict=True, skipinitialspace=True), 1
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error:
            raise BadInput(Notice("ranks.line", line=begins, why=Notice("ranks.open_quote"))) from None
        yield begins, [cell.strip() for cell in row]
        begins = reader.line_num + 1


def _columns(cells: Sequence[str]) -> Mapping[str, int]:
    """Return the columns by what the first line calls them; none if that line is a player already."""
    found: dict[str, int] = {}
    for at, cell in enumerate(cells):
        column = _HEADER.get(_plain(cell))
        if column is not None:
            found.setdefault(column, at)
    return found if {_NAME, _LAST} & found.keys() else {}


def _plain(cell: str) -> str:
    letters = unicodedata.normalize("NFKD", cell.casefold())
    return "".join(letter for letter in letters if letter.isalnum())


def _of_cells(line: int, cells: Sequence[str], columns: Mapping[str, int]) -> Listed:
    def cell(column: str) -> str:
        at = columns.get(column)
        return cells[at].strip() if at is not None and at < len(cells) else ""

    parts = [cell(_NAME)]
    if _FIRST in columns:  # beside it, "Name" or "Nom" is the surname
        parts = [cell(_FIRST), cell(_LAST) or cell(_NAME)]
    elif _LAST in columns:  # in Italian, "nome" beside "cognome" is the first name
        parts = [cell(_NAME), cell(_LAST)]
    listed = _listed(line, " ".join(part for part in parts if part), cell(_CLUB), cell(_RATING))
    return replace(listed, team=_unguarded(" ".join(cell(_TEAM).split())))


def _listed(line: int, name: str, club: str, rating: str) -> Listed:
    name, club = (_unguarded(" ".join(cell.split())) for cell in (name, club))
    rating = rating.strip()
    troubles = () if name else (Notice("ranks.no_name"),)
    if rating in ("", "0", "-"):
        return Listed(line, name, club, troubles=troubles)
    if not re.fullmatch(r"[0-9]{1,4}", rating):
        if not name:
            unclear = Notice("tournament.no_rating", most=MOST_RATING)
            return Listed(line, name, club, written=_shown(rating), troubles=(*troubles, unclear))
        told = Notice("ranks.no_rating", player=_shown(name), most=MOST_RATING, found=_shown(rating))
        return Listed(line, name, club, written=_shown(rating), troubles=(told,))
    return Listed(line, name, club, int(rating), troubles=troubles)


def _unguarded(text: str) -> str:
    """Return a cell without the apostrophe that keeps spreadsheets from taking it for a formula (see `export`)."""
    return text[1:] if re.match(r"'[=+\-@\t\r]", text) else text
