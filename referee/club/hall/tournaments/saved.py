"""A whole tournament in one file, and back: its events with a checksum, so that any hall can replay it. Pure.

A file is refused as a whole if it is damaged, is something else, comes from a newer version, or tells a tournament
that cannot have happened: it is replayed before anything is stored. It also has the tokens of the players' own pages,
so that their slips stay valid; files of earlier versions have none.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.club.hall.tournaments.player_tokens import TOKEN
from referee.club.hall.tournaments.state import (
    LONGEST_SLUG,
    Hosted,
    HostedEvent,
    TokensKept,
    apply_event,
    event_from_text,
    event_to_text,
    replay_tournament,
    slug_of,
)
from referee.club.tournament import OutOfOrder
from referee.errors import BadInput, RefereeError
from referee.game.notice import Notice
from referee.journal.errors import Unknown

FORMAT, VERSION = "referee-tournament", 1
_BEGINS = b'{"format":"referee-tournament"'
"""How every such file begins: one that does and cannot be read is damaged, any other is something else."""
_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*-\d+")
"""What an id that a hall has given looks like."""
LATEST = 1e11
"""The latest time of an event that is accepted, in seconds; a thousand years from now."""


@dataclass(frozen=True, slots=True)
class SavedTournament:
    """A tournament from a file, replayed, with its events."""

    hosted: Hosted
    events: tuple[HostedEvent, ...]


def save_tournament(slug: str, name: str, events: Iterable[HostedEvent], tokens: Sequence[str] = ()) -> bytes:
    """Return the file of a tournament; `tokens` are those of its players' pages, in the order of their numbers."""
    told = [_event_as_json(event) for event in events]
    document = {"format": FORMAT, "version": VERSION, "id": slug, "name": name, "sha256": _sum(told), "events": told}
    return _text({**document, "tokens": list(tokens), "tokens_sha256": _sum(list(tokens))})


def read_tournament(data: bytes, most_players: int, most_rounds: int) -> SavedTournament:
    """Return the tournament in a file; raises BadInput, which says why it cannot be restored."""
    document = _document(data)
    version, told = document.get("version"), document.get("events")
    if isinstance(version, int) and version > VERSION:
        raise BadInput(Notice("ranks.saved_newer"))
    if version != VERSION or not isinstance(told, list) or document.get("sha256") != _sum(told):
        raise BadInput(Notice("ranks.saved_damaged"))
    try:
        events = tuple(event_from_text(one["event"], json.dumps(one["body"])) for one in told)
        hosted = replay_tournament(str(document["id"]), events)
    except Unknown:
        raise BadInput(Notice("ranks.saved_newer")) from None
    except (RefereeError, ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError):
        raise BadInput(Notice("ranks.saved_impossible")) from None
    rules, tokens = hosted.tournament.rules, _tokens(document, len(hosted.tournament.players))
    times = all(math.isfinite(event.t) and 0 <= event.t <= LATEST for event in events)
    if not times or rules.rounds > most_rounds or len(hosted.tournament.players) > most_players:
        raise BadInput(Notice("ranks.saved_impossible"))
    if tokens and tokens != hosted.tokens:
        events = (*events, TokensKept(tokens, events[-1].t))
        hosted = apply_event(hosted, events[-1])
    return SavedTournament(hosted, events)


def slug_for(restored: Hosted, here: Iterable[Hosted], taken: Collection[str]) -> str:
    """Return the id of a restored tournament at a hall that has the tournaments `here`: its own if that is free.

    `taken` has all ids of the hall. Raises OutOfOrder if the hall has the same tournament already.
    """
    if any((one.tournament, one.t) == (restored.tournament, restored.t) for one in here):
        raise OutOfOrder(Notice("ranks.saved_here"))
    own = restored.slug
    if _SLUG.fullmatch(own) and len(own) <= LONGEST_SLUG + 6 and own not in taken:
        return own
    return slug_of(restored.tournament.name, taken)


def _document(data: bytes) -> Mapping[str, Any]:
    why = Notice("ranks.saved_damaged") if data.startswith(_BEGINS) else Notice("ranks.saved_foreign")
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        raise BadInput(why) from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise BadInput(Notice("ranks.saved_foreign"))
    return document


def _tokens(document: Mapping[str, Any], players: int) -> tuple[str, ...]:
    """Return the tokens in a file, at most one for each player; raises BadInput if they are damaged."""
    told = document.get("tokens", [])
    valid = isinstance(told, list) and all(isinstance(one, str) and TOKEN.fullmatch(one) for one in told)
    if not valid or (told and document.get("tokens_sha256") != _sum(told)) or len(set(told)) < len(told):
        raise BadInput(Notice("ranks.saved_damaged"))
    return tuple(told[:players])


def _event_as_json(event: HostedEvent) -> dict[str, Any]:
    kind, body = event_to_text(event)
    return {"event": kind, "body": json.loads(body)}


def _text(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), allow_nan=False).encode()


def _sum(events: Sequence[Any]) -> str:
    try:
        return hashlib.sha256(_text(events)).hexdigest()
    except (ValueError, RecursionError):  # not a number, or nested too deeply: no event of ours
        return ""
