"""The evening's card: the score sheet of a match as a picture for the family's chat, 1080 pixels wide.

It is drawn here and not in the browser, because a phone passes on a picture of a page with one long press, without
any script, and `referee scores --card` writes the very same file. (A page in the house has no certificate, and
browsers let only pages with one pass on files.) Letters: `lettering.py`. The design: docs/design.md, in its light
colours.

A chat shows the card about 390 pixels wide, so letters are at least 32 pixels high: 12 on a phone. Long names stand in
full in the list of players; above the columns of the rounds, where there is no room, they are shortened.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from referee.devices.png_marks import mark_png
from referee.game.notice import Notice
from referee.game.rulebooks import RULESETS
from referee.game.scoring import ScoreSheet
from referee.i18n import Wording
from referee.i18n.dates import written_date
from referee.journal.scores import MatchScore
from referee.journal.statistics import QUICK_TURNS, TurnTotals
from referee.table.output.lettering import (
    CUT,
    TABLE_FIGURES,
    Colour,
    draw_area,
    draw_text,
    fit_text,
    text_width,
    wrap_text,
)
from referee.vision.sighting import Image

WIDTH, EDGE = 1080, 56
MOST_ROWS = 16
"""If there are more rounds, several share a row, so that the card stays about as high as a phone's screen."""
TINY, SMALL, TEXT, LARGE = 27, 32, 38, 64
"""The sizes of letters; the smallest is only for names of about 40 letters."""
MOST_FACTS = 3
LONG = 5
"""From how many tiles on the longest set is worth a word; every group has at most four."""

FELT, PAPER, PANEL, INK, SOFT, HAIR, GOOD, TILE, TILE_EDGE, WHITE, MIST, RED = (
    (62, 74, 15), (230, 239, 243), (248, 253, 255), (33, 36, 31), (90, 96, 86), (195, 210, 217), (58, 105, 20),
    (226, 244, 251), (99, 127, 138), (255, 255, 255), (229, 235, 220), (27, 20, 179),
)  # fmt: skip
"""The colours of the design, as blue, green and red."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A player on the card: what place, whether among the winners, rounds won, and the total of all points."""

    place: int
    name: str
    total: int
    rounds_won: int
    won: bool


@dataclass(frozen=True, slots=True)
class Card:
    """What the card says.

    `rows` are the rounds, each with its label, the points by seat, and the seats that did best.
    """

    date: str
    rules: str
    headline: str
    standings: tuple[Standing, ...]
    names: tuple[str, ...]
    rows: tuple[tuple[str, tuple[int, ...], frozenset[int]], ...]
    facts: tuple[str, ...]
    notes: tuple[str, ...]


def card_of(score: MatchScore, turns: Mapping[str, TurnTotals], words: Wording) -> Card:
    """Return the card of a match; `turns` is what each player did in its turns, by name."""
    sheet = score.sheet
    title = RULESETS[score.setup.rules].title if score.setup.rules in RULESETS else score.setup.rules
    rules = " · ".join(filter(None, (title, score.setup.season, words(Notice("scores.match", match=score.match)))))
    headline = Notice("console.won", winners=score.winners) if score.winners else Notice("sharing.so_far")
    notes = [words(Notice("scores.starred"))] if score.corrections else []
    notes += [words(Notice("scores.plus"))] if sheet.agreements else []
    notes += [words(Notice("console.damaged"))] if score.damaged else []
    return Card(
        date=written_date(score.begun.astimezone().date(), words.language),
        rules=rules,
        headline=words.sentence(headline),
        standings=_standings(score),
        names=sheet.players,
        rows=_rows(score),
        facts=tuple(words.sentence(fact) for fact in _facts(sheet, turns, _highest_wins(score))[:MOST_FACTS]),
        notes=tuple(notes),
    )


def _standings(score: MatchScore) -> tuple[Standing, ...]:
    sheet = score.sheet
    better = _highest_wins(score)
    won = [sum(line.winner == seat for line in sheet.rounds) for seat in range(len(sheet.players))]
    order = sorted(range(len(sheet.players)), key=lambda seat: -sheet.totals[seat] if better else sheet.totals[seat])
    places = {seat: 1 + sum(_beats(sheet.totals[one], sheet.totals[seat], better) for one in order) for seat in order}
    return tuple(
        Standing(places[seat], sheet.players[seat], sheet.totals[seat], won[seat], seat in score.winning_seats)
        for seat in order
    )


def _highest_wins(score: MatchScore) -> bool:
    return score.setup.rules not in RULESETS or RULESETS[score.setup.rules].scoring.highest_wins


def _beats(points: int, other: int, higher: bool) -> bool:
    return points > other if higher else points < other


def _rows(score: MatchScore) -> tuple[tuple[str, tuple[int, ...], frozenset[int]], ...]:
    """Return the rounds, several in a row if there are too many; * and + as on the score sheet."""
    rounds, best = score.sheet.rounds, max if _highest_wins(score) else min
    corrected = {entry.correction.round for entry in score.corrections}
    agreed = {mark.round for mark in score.sheet.agreements}
    together = max(1, -(-len(rounds) // MOST_ROWS))
    rows = []
    for first in range(1, len(rounds) + 1, together):
        numbers = range(first, min(first + together, len(rounds) + 1))
        label = str(first) if len(numbers) == 1 else f"{first}\N{EN DASH}{numbers[-1]}"
        marks = "*" * any(number in corrected for number in numbers) + "+" * any(n in agreed for n in numbers)
        points = tuple(map(sum, zip(*(rounds[number - 1].scores for number in numbers), strict=True)))
        leading = frozenset(seat for seat, one in enumerate(points) if one == best(points))
        rows.append((label + marks, points, leading))
    return tuple(rows)


def _facts(sheet: ScoreSheet, turns: Mapping[str, TurnTotals], highest_wins: bool) -> list[Notice]:
    """Return what is worth telling of a match, the rarest first."""
    facts = [
        Notice("sharing.in_one_turn", player=sheet.players[line.winner])
        for line in sheet.rounds
        if line.winner is not None and line.in_one_turn
    ][:1]
    longest = max(turns.items(), key=lambda one: one[1].longest, default=None)
    if longest is not None and longest[1].longest >= LONG:
        facts.append(Notice("sharing.longest_set", player=longest[0], tiles=longest[1].longest))
    best = max(
        ((points, -number, seat) for number, line in enumerate(sheet.rounds, 1)
         for seat, points in enumerate(line.scores)),
        default=(0, 0, 0),
    )  # fmt: skip
    if highest_wins and best[0] > 0 and len(sheet.rounds) > 1:
        facts.append(Notice("sharing.best_round", player=sheet.players[best[2]], points=best[0], round=-best[1]))
    times = {name: one.seconds / one.turns for name, one in turns.items() if one.turns >= QUICK_TURNS / 4}
    if len(times) > 1:
        quickest = min(times, key=times.__getitem__)
        facts.append(Notice("sharing.quickest", player=quickest, seconds=round(times[quickest])))
    return facts


def draw_card(card: Card, words: Wording) -> Image:
    """Return the picture of a card; its height depends on how many players and rounds there are."""
    image = np.full((_height(card), WIDTH, 3), PAPER, np.uint8)
    y = _draw_head(image, card)
    y = _draw_standings(image, card, words, y)
    if card.rows:
        y = _draw_rounds(image, card, words, y)
    _draw_facts(image, card, y)
    return image


MARK = "card"
"""The mark in the file of a card."""


def card_png(score: MatchScore, turns: Mapping[str, TurnTotals], words: Wording) -> bytes:
    """Return the card of a match as a PNG file."""
    image = draw_card(card_of(score, turns, words), words)
    return mark_png(cv2.imencode(".png", image, [cv2.IMWRITE_PNG_COMPRESSION, 9])[1].tobytes(), MARK)


HEAD, STANDING, GAP, ROW, FACT = 400, 124, 14, 56, 54
"""The heights in pixels of the head, of each player, between players, of each row of the table and of each fact."""
ROUNDS_HEAD, FOOT = 138, 44


def _height(card: Card) -> int:
    height = HEAD + 30 + len(card.standings) * (STANDING + GAP)
    if card.rows:
        height += ROUNDS_HEAD + ROW * len(card.rows)
    lines = len(_fact_lines(card))
    return height + (30 + FACT * lines if lines else 0) + FOOT


def _draw_head(image: Image, card: Card) -> int:
    draw_area(image, (0, 0, WIDTH, HEAD), FELT)
    _draw_mark(image, EDGE, 52, 84)
    x = EDGE + 84 + 36
    draw_text(image, *_placed(card.date, x, 92, TEXT, WIDTH - EDGE - x), WHITE, bold=True)
    draw_text(image, *_placed(card.rules, x, 144, SMALL, WIDTH - EDGE - x), MIST)
    size, room = float(LARGE), WIDTH - 2 * EDGE
    while size > TEXT and _is_cut(card.headline, size, room):
        size -= 2
    lines = wrap_text(card.headline, size, room, 3, bold=True)
    y = 200 + (HEAD - 200 - len(lines) * 1.15 * size) / 2 + 0.85 * size
    for line in lines:
        draw_text(image, line, (EDGE, y), size, WHITE, bold=True)
        y += 1.15 * size
    return HEAD + 30


def _is_cut(text: str, size: float, width: float) -> bool:
    """Return whether a headline of this size needs more than two lines, or has a word that is too long for one."""
    lines = wrap_text(text, size, width, 9, bold=True)
    return len(lines) > 2 or any(line.endswith(CUT) for line in lines)


def _placed(text: str, x: float, y: float, size: float, width: float) -> tuple[str, tuple[float, float], float]:
    """Return the first arguments of `draw_text()` for bold text that must not be wider than `width`."""
    text, size = fit_text(text, size, width, min(size, SMALL), bold=True)
    return text, (x, y), size


def _draw_mark(image: Image, left: float, top: float, width: float) -> None:
    """Draw the mark of the referee: a tile with a tick in place of its number (`icon.svg`)."""
    unit = width / 28

    def place(x: float, y: float) -> tuple[int, int]:
        return round(16 * (left + (x - 18) * unit)), round(16 * (top + (y - 10) * unit))

    draw_area(image, (left, top + 3 * unit, left + width, top + 43 * unit), TILE_EDGE, 6 * unit)
    draw_area(image, (left, top, left + width, top + 40 * unit), TILE, 6 * unit)
    tick = np.asarray([place(24, 25), place(30, 32), place(41, 18)], np.int32)
    cv2.polylines(image, [tick], False, GOOD, round(5 * unit), cv2.LINE_AA, shift=4)
    cv2.circle(image, place(32, 42), round(16 * 3.5 * unit), RED, round(2.5 * unit), cv2.LINE_AA, shift=4)


def _draw_standings(image: Image, card: Card, words: Wording, y: int) -> int:
    for one in card.standings:
        bottom = y + STANDING
        draw_area(image, (EDGE, y + 6, WIDTH - EDGE, bottom), TILE_EDGE, 22)
        draw_area(image, (EDGE, y, WIDTH - EDGE, bottom - 7), TILE if one.won else PANEL, 22)
        total = _signed(one.total).translate(TABLE_FIGURES)
        draw_text(image, total, (WIDTH - EDGE - 32, y + 80), LARGE, FELT if one.won else INK, bold=True, align=1)
        room = WIDTH - 2 * EDGE - 32 - text_width(total, LARGE, bold=True) - 130
        if one.won:
            draw_text(image, "\N{BLACK STAR}", (EDGE + 58, y + 78), 62, GOOD, align=0.5)
        else:
            draw_text(image, f"{one.place}.", (EDGE + 58, y + 74), 44, SOFT, bold=True, align=0.5)
        name, size = fit_text(one.name, 44, room, TINY, bold=True)
        draw_text(image, name, (EDGE + 112, y + 54), size, INK, bold=True)
        won = words.sentence(Notice("statistics.rounds_won", won=one.rounds_won, rounds=_rounds(card)))
        if card.rows:
            draw_text(image, won, (EDGE + 112, y + 99), SMALL, SOFT)
        y = bottom + GAP
    return y


def _rounds(card: Card) -> int:
    last = card.rows[-1][0].rstrip("*+") if card.rows else "0"
    return int(last.rpartition("\N{EN DASH}")[2])


def _draw_rounds(image: Image, card: Card, words: Wording, y: int) -> int:
    """Draw the points of every round, in a table with a column for each player."""
    first = max(text_width(label, TEXT) for label, _, _ in card.rows)
    first = max(first, text_width(words(Notice("console.round")), SMALL, bold=True)) + 24
    column = (WIDTH - 2 * EDGE - first) / len(card.names)
    y += 62
    draw_text(image, words.sentence(Notice("console.round")), (EDGE, y), SMALL, SOFT, bold=True)
    for seat, name in enumerate(short_names(card.names, column - 20)):
        draw_text(image, name, (EDGE + first + (seat + 1) * column, y), SMALL, SOFT, bold=True, align=1)
    y += 22
    draw_area(image, (EDGE, y, WIDTH - EDGE, y + 3), TILE_EDGE)
    for label, points, leading in card.rows:
        draw_text(image, label.translate(TABLE_FIGURES), (EDGE, y + 44), TEXT, SOFT)
        for seat, one in enumerate(points):
            text, best = _signed(one).translate(TABLE_FIGURES), seat in leading
            right = EDGE + first + (seat + 1) * column
            text, size = fit_text(text, TEXT, column - 16, 20, bold=best)
            draw_text(image, text, (right, y + 44), size, FELT if best else INK, bold=best, align=1)
        y += ROW
        draw_area(image, (EDGE, y, WIDTH - EDGE, y + 1), HAIR)
    return y + 54


def short_names(names: Sequence[str], width: float) -> list[str]:
    """Return names that fit above a column: the first word if that is enough to tell the players apart, or a part."""
    firsts = [name.split()[0] if name.split() else name for name in names]
    chosen = [
        name if text_width(name, SMALL, bold=True) <= width or firsts.count(first) > 1 else first
        for name, first in zip(names, firsts, strict=True)
    ]
    return [fit_text(name, SMALL, width, SMALL, bold=True)[0] for name in chosen]


def _fact_lines(card: Card) -> list[tuple[str, Colour]]:
    wide = WIDTH - 2 * EDGE
    facts = [(line, INK) for fact in card.facts for line in wrap_text(fact, TEXT, wide, 3)]
    return facts + [(line, SOFT) for note in card.notes for line in wrap_text(note, TEXT, wide, 3)]


def _draw_facts(image: Image, card: Card, y: int) -> None:
    for line, colour in _fact_lines(card):
        draw_text(image, line, (EDGE, y + 34), TEXT, colour)
        y += FACT


def _signed(points: int) -> str:
    """Return points with their sign, as score sheets write them."""
    return f"{points:+d}" if points else "0"
