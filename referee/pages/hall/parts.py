"""The parts of the hall's page: one of the hall, one of each table, one of the results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Any

from referee.club.hall.intake import TableView
from referee.club.hall.reader import MOST_TABLES, HallFacts
from referee.club.hall.results import KeptResult, superseded_matches
from referee.club.protocol import Told
from referee.errors import BadInput
from referee.game.match.phases import Phase
from referee.game.notation import parse_table
from referee.game.notice import Notice
from referee.game.rulebooks import RULESETS
from referee.i18n import Wording
from referee.page.broadcast import Part
from referee.page.wording import PageWording, faces

TABLE = "table:"
"""The prefix of the name of a table's part."""
MATCHES = 100
"""The most results on the page. Each table gets a tenth of it, or an equal share if that is more; files have all."""
_STATES = {
    Phase.LOBBY: "hall.is_lobby",
    Phase.PAUSED: "hall.is_paused",
    Phase.LOOKING: "hall.is_looking",
    Phase.TIME_UP: "hall.is_looking",
    Phase.CHECKING: "hall.is_looking",
    Phase.COUNTING: "hall.is_looking",
    Phase.BETWEEN: "hall.is_between",
    Phase.OVER: "hall.is_over",
    Phase.ASKING: "hall.is_asking",
    Phase.PUTTING_RIGHT: "hall.is_putting_right",
    Phase.SHOWING: "hall.is_showing",
    Phase.TURN: "hall.is_turn",
}


def hall_source(facts: HallFacts) -> object:
    """Return the values that this part is made from."""
    beyond = facts.beyond > 0
    told = facts.connected, facts.alone, facts.trouble, facts.strangers, beyond, facts.desk_refused
    return told, tuple(facts.tables), _of_tournaments(facts)


def _of_tournaments(facts: HallFacts) -> tuple[Notice, ...]:
    """Return what is wrong with tournaments, unless a current tournament shows that itself."""
    known = facts.tournaments
    return () if known is None or known.current is not None else known.troubles


def hall(facts: HallFacts, words: Wording) -> dict[str, Any]:
    """Return the state of the connection to the broker, and the names of the tables."""
    troubles = [] if facts.trouble is None else [facts.trouble]
    if facts.strangers:
        troubles.append(Notice("hall.strangers", messages=facts.strangers))
    if facts.beyond:
        troubles.append(Notice("hall.too_many_tables", most=MOST_TABLES))
    if facts.desk_refused:
        troubles.append(Notice("desk.refused_by_broker"))
    troubles += _of_tournaments(facts)
    return {
        "connected": facts.connected,
        "alone": words(Notice("hall.alone")) if facts.alone else "",
        "troubles": [words(told) for told in troubles],
        "tables": list(facts.tables),
    }


@lru_cache(maxsize=2 * MOST_TABLES)
def table_part(name: str) -> Part:
    """Return the part of one table."""
    return Part(partial(_table_source, name), partial(_table, name))


def _table_source(name: str, facts: HallFacts) -> object:
    return facts.tables.get(name)


def _table(name: str, facts: HallFacts, words: Wording) -> dict[str, Any] | None:
    """Return the state of a table; `heard`, `lost` and `ends_at` are times of the server's clock, in seconds."""
    view = facts.tables.get(name)
    if view is None:
        return None
    told = {"name": name, "online": view.online, "heard": view.heard, "lost": view.lost, "missing": view.missing,
            "picture": view.picture, "troubles": _troubles(view, words),
            "formerly": _formerly(view, words)}  # fmt: skip
    snapshot = view.snapshot
    if snapshot is None:
        return {**told, "text": words(Notice("hall.is_unknown")), "players": [], "needs": False}
    words = PageWording(words.language, _faces(snapshot.rules))
    names = names_of(view, words)
    state = Notice(_STATES[snapshot.phase])
    clock = snapshot.clock
    return {
        **told,
        "text": words(state),
        "needs": bool(snapshot.question) or snapshot.cut or snapshot.phase is Phase.PUTTING_RIGHT,
        "title": snapshot.title,
        "round": snapshot.round,
        "rounds": 0 if snapshot.phase is Phase.LOBBY else snapshot.rounds,  # set for the next match
        "players": [
            {
                "name": names[seat],
                "points": player.points,
                "hand": player.hand,
                "turn": seat == snapshot.current,
                "won": seat in snapshot.winners,
            }
            for seat, player in enumerate(snapshot.players)
        ],
        "clock": None if clock is None else _clock(clock.left, view.told, running=clock.running),
        "question": sentences(snapshot.question, names, words),
        "due": sentences(snapshot.due, names, words),
        "verdict": _verdict(view, names, words),
        "drawn": _faces_of_table(snapshot.table, words),
        "sheet": [list(points) for points in snapshot.scores],
    }


def _faces(rules: str) -> str:
    """Return what is printed on the tiles of a rule book: "numbers" or "cards"."""
    found = RULESETS.get(rules)
    return "numbers" if found is None else found.box.faces


def names_of(view: TableView, words: Wording) -> list[str]:
    """Return the names by seat, or words for seats whose name the table does not send."""
    players = () if view.snapshot is None else view.snapshot.players
    return [player.name or words(Notice("hall.seat", seat=seat + 1)) for seat, player in enumerate(players)]


def sentences(told: Sequence[Told], names: Sequence[str], words: Wording) -> list[str]:
    """Return notices of a table in words; one that this version does not know becomes a sentence that says so."""
    found = []
    for one in told:
        try:
            found.append(words(one.notice(names)))
        except BadInput:
            found.append(words(Notice("hall.cannot_word")))
    return found


def _formerly(view: TableView, words: Wording) -> str:
    return words(Notice("hall.formerly", names=view.formerly)) if view.formerly else ""


def _troubles(view: TableView, words: Wording) -> list[str]:
    names = names_of(view, words)
    own = [words(told) for told in view.troubles]
    told = () if view.snapshot is None else view.snapshot.troubles
    return [*own, *sentences(told, names, words)]


def _clock(left: float | None, at: float, *, running: bool) -> dict[str, Any]:
    return {"left": left, "ends_at": at + left if running and left is not None else None}


def _verdict(view: TableView, names: Sequence[str], words: Wording) -> dict[str, Any] | None:
    verdict = None if view.snapshot is None else view.snapshot.verdict
    if verdict is None:
        return None
    faults = sentences([fault.told for fault in verdict.faults], names, words)
    return {"accepted": verdict.accepted, "player": names[verdict.seat] if verdict.seat < len(names) else "",
            "faults": faults}  # fmt: skip


def _faces_of_table(table: str, words: Wording) -> list[list[dict[str, Any]]]:
    try:
        return [faces(tiles, words) for tiles in parse_table(table)]
    except BadInput:  # of a newer version
        return []


def results_source(facts: HallFacts) -> object:
    """Return the values that this part is made from."""
    return tuple(map(id, facts.results.values())), tuple(facts.tables)


def results(facts: HallFacts, words: Wording) -> list[dict[str, Any]]:
    """Return the newest matches with their rounds, newest first."""
    each = max(MATCHES // 10, MATCHES // max(1, len({key.table for key in facts.results})))
    shown: Counter[str] = Counter()
    newest: list[KeptResult] = []
    for one in sorted(facts.results.values(), key=lambda result: result.begun, reverse=True):
        if shown[one.key.table] < each and len(newest) < MATCHES:
            shown[one.key.table] += 1
            newest.append(one)
    older = superseded_matches(facts.results.values())
    return [_result(one, words, superseded=one.key in older) for one in newest]


def _result(result: KeptResult, words: Wording, *, superseded: bool) -> dict[str, Any]:
    names = [name or words(Notice("hall.seat", seat=seat + 1)) for seat, name in enumerate(result.players)]
    state = "given_up" if result.given_up else "over" if result.over else "goes_on"
    state = "superseded" if superseded else state
    return {
        "table": result.key.table,
        "begun": result.begun,
        "uncertain": words(Notice("hall.date_uncertain")) if result.begun_is_guess else "",
        "rules": RULESETS[result.rules].title if result.rules in RULESETS else result.rules,
        "state": words(Notice(f"hall.match_{state}")),
        "players": names,
        "rounds": [{"points": list(one.points), "corrected": one.corrected > 0} for one in result.rounds],
        "superseded": superseded,
        "totals": [] if superseded else list(result.totals),
        "winners": [] if superseded else [names[seat] for seat in result.winners if seat < len(names)],
    }
