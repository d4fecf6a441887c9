"""A tournament with what the hall adds to it: the places of its tables, and the match of each result. Pure.

The hall's own events are stored as text, like those of the tournament.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, NamedTuple

from referee.club.tournament import Event, OutOfOrder, Tournament, apply, events, open_tournament
from referee.club.tournament.events import Drawn, DrawWithdrawn, Opened, RoundBegun
from referee.club.tournament.state import Round, Withdrawal
from referee.errors import BadInput
from referee.game.notice import Notice
from referee.journal.codec import from_text, to_text


@dataclass(frozen=True, slots=True)
class Placed:
    """The places of the round under way: names of the hall's tables in the order of the draw; None for no place."""

    places: tuple[str | None, ...]
    t: float


@dataclass(frozen=True, slots=True)
class SetOut:
    """The state of the tables when a round began or a table was moved, to recognise matches that begin later."""

    matches: tuple[tuple[str, str], ...]
    """Every known match: its table, and when it began."""
    clocks: tuple[tuple[str, float], ...]
    """The time of each table's clock, where known."""
    t: float
    named: bool = True
    """Whether the names of the players are sent to the tables."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A match was recognised as that of a table in the draw, with these totals in the order of the draw."""

    round: int
    table: int
    at: str
    begun: str
    points: tuple[int, ...]
    t: float


@dataclass(frozen=True, slots=True)
class TokensKept:
    """A tournament was restored from a file, with the tokens of its players' pages, in the order of their numbers."""

    tokens: tuple[str, ...]
    t: float


HostedEvent = Event | Placed | SetOut | Taken | TokensKept
_OWN: Mapping[str, type[Any]] = {"placed": Placed, "set-out": SetOut, "taken": Taken, "tokens-kept": TokensKept}
_NAMES = {event: kind for kind, event in _OWN.items()}


def event_to_text(event: HostedEvent) -> tuple[str, str]:
    """Return the kind of an event, and its fields as one line of JSON."""
    if isinstance(event, Placed | SetOut | Taken | TokensKept):
        return _NAMES[type(event)], to_text(event, type(event))
    return events.event_to_text(event)


def event_from_text(kind: str, body: str) -> HostedEvent:
    """Return the event of `kind` and `body`; raises Unknown for one that only a newer version knows."""
    if kind in _OWN:
        event: HostedEvent = from_text(body, _OWN[kind])
        return event
    return events.event_from_text(kind, body)


LONGEST_SLUG = 28
"""The most characters of a slug. The id of a draw begins with it, and may have 64 characters."""


class Started(NamedTuple):
    """Identifies a match across journals: if it continues in a new one, its number changes but not its beginning."""

    table: str
    begun: str


@dataclass(frozen=True, slots=True)
class HostedRound:
    """A round of the draw as it is played in the hall; tuples are in the order of the draw's tables."""

    places: tuple[str | None, ...]
    taken: tuple[Taken | None, ...]
    known: frozenset[Started] = frozenset()
    """Matches from before the round began."""
    clocks: Mapping[str, float] = field(default_factory=dict)
    """The time of the tables' clocks when it began."""
    begun: float = 0.0
    """When it began."""
    named: bool = True
    """Whether the names of the players were sent to the tables."""
    names: Mapping[str, int] = field(default_factory=dict)
    """The numbers of the players by their names when it began, in lower case."""
    moved: frozenset[int] = frozenset()
    """Tables that were moved after the round had begun; at the new place a match may have begun before."""


@dataclass(frozen=True, slots=True)
class Hosted:
    """A tournament of the hall; `slug` is unique within the hall."""

    slug: str
    tournament: Tournament
    rounds: tuple[HostedRound, ...] = ()
    t: float = 0.0
    """When it was opened."""
    tokens: tuple[str, ...] = field(default=(), repr=False)
    """The tokens of the pages of the first players, if it was restored with them."""

    @property
    def last_round(self) -> Round | None:
        """The round that was drawn last; None before the first."""
        return self.tournament.rounds[-1] if self.tournament.rounds else None

    @property
    def current(self) -> HostedRound | None:
        """The round that was drawn last, as it is played in the hall; None before the first."""
        return self.rounds[-1] if self.rounds else None

    @property
    def withdrawals(self) -> int:
        """How often a draw was withdrawn."""
        return sum(isinstance(trace, Withdrawal) for trace in self.tournament.traces)

    def draw_id(self, round_: int, table: int) -> str:
        """Return the id of the match at a table of a draw; a round that is drawn again gets other ids."""
        again = sum(isinstance(trace, Withdrawal) and trace.round == round_ for trace in self.tournament.traces)
        return f"{self.slug}-r{round_}{f'-{again + 1}' if again else ''}-t{table}"


def begun_by(slug: str, event: Opened) -> Hosted:
    """Return a new tournament, which waits for its players."""
    return Hosted(slug, open_tournament(event), t=event.t)


def apply_event(hosted: Hosted, event: HostedEvent) -> Hosted:
    """Return the tournament after `event`; raises OutOfOrder if it cannot happen now, BadInput if it is invalid."""
    match event:
        case Placed():
            return _apply_places(hosted, event)
        case SetOut():
            return _set_out(hosted, event)
        case Taken():
            return _apply_result(hosted, event)
        case TokensKept():
            return replace(hosted, tokens=event.tokens[: len(hosted.tournament.players)])
    return _apply_event(hosted, event)


def replay_tournament(slug: str, events: Iterable[HostedEvent]) -> Hosted:
    """Return the tournament after these events; raises BadInput unless the first one opens it."""
    all_of = iter(events)
    first = next(all_of, None)
    if not isinstance(first, Opened):
        raise BadInput(f"expected a tournament to begin with Opened, got {type(first).__name__}")
    hosted = begun_by(slug, first)
    for event in all_of:
        hosted = apply_event(hosted, event)
    return hosted


def _apply_event(hosted: Hosted, event: Event) -> Hosted:
    tournament, rounds = apply(hosted.tournament, event), hosted.rounds
    match event:
        case Drawn(draw=draw):
            nothing = (None,) * len(draw.tables)
            rounds = (*rounds, HostedRound(nothing, nothing))
        case DrawWithdrawn():
            rounds = rounds[:-1]
        case RoundBegun():
            rounds = (*rounds[:-1], replace(rounds[-1], names=numbers(tournament)))
    return replace(hosted, tournament=tournament, rounds=rounds)


def numbers(tournament: Tournament) -> dict[str, int]:
    """Return the numbers of the players by name, in lower case."""
    return {player.name.casefold(): player.number for player in tournament.players}


def _current(hosted: Hosted) -> HostedRound:
    if hosted.current is None:
        raise OutOfOrder(Notice("tournament.no_round"))
    return hosted.current


def _apply_places(hosted: Hosted, event: Placed) -> Hosted:
    current, drawn = _current(hosted), hosted.tournament.rounds[-1]
    named = [at for at in event.places if at is not None]
    if len(event.places) != len(current.places):
        raise BadInput(f"expected a place for each of {len(current.places)} tables, got {event.places}")
    for at in named:
        if named.count(at) > 1:
            raise OutOfOrder(Notice("director.place_twice", at=at))
    moved = {
        number
        for number, (before, now) in enumerate(zip(current.places, event.places, strict=True), 1)
        if drawn.begun and before != now
    }
    return _replace_current_round(hosted, replace(current, places=event.places, moved=current.moved | moved))


def _set_out(hosted: Hosted, event: SetOut) -> Hosted:
    current = _current(hosted)
    known = current.known | {Started(*one) for one in event.matches}
    clocks = {**current.clocks, **dict(event.clocks)}
    return _replace_current_round(
        hosted, replace(current, known=known, clocks=clocks, begun=event.t, named=event.named)
    )


def _apply_result(hosted: Hosted, event: Taken) -> Hosted:
    if not (1 <= event.round <= len(hosted.rounds) and 1 <= event.table <= len(hosted.rounds[event.round - 1].taken)):
        raise BadInput(f"expected a table of a round that was drawn, got {event}")
    one = hosted.rounds[event.round - 1]
    taken = (*one.taken[: event.table - 1], event, *one.taken[event.table :])
    rounds = (*hosted.rounds[: event.round - 1], replace(one, taken=taken), *hosted.rounds[event.round :])
    return replace(hosted, rounds=rounds)


def _replace_current_round(hosted: Hosted, current: HostedRound) -> Hosted:
    return replace(hosted, rounds=(*hosted.rounds[:-1], current))


def slug_of(name: str, known: Collection[str], nameless: str = "tournament") -> str:
    """Return the short name of a tournament for ids and addresses, made of its name and a number; not in `known`.

    `nameless` stands for a name without Latin letters and digits.
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    word = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:LONGEST_SLUG].strip("-") or nameless
    return next(slug for number in count(len(known) + 1) if (slug := f"{word}-{number}") not in known)
