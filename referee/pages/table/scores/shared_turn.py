"""One turn of a match to pass on, as a picture and as text, and all turns as a strip of small pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from referee.game.notation import format_table
from referee.game.notice import Notice
from referee.i18n import Wording
from referee.pages.table.scores.drawings import draw_table
from referee.pages.table.scores.marks import Mark
from referee.pages.table.scores.replay import Happening, Replay, Turn, turn_shown
from referee.table.output.lettering import draw_text, fit_text, wrap_text
from referee.vision.sighting import Image

SHARED_WIDTH = 1080
"""The width of a turn's picture in pixels; its caption is readable at a third of it, as a phone's chat shows it."""
TABLE_SHAPE = 2 / 3
"""Height of a drawn table as a part of its width, as a camera's picture has it."""
EDGE, TITLE, SENTENCE, LINES = 40, 40, 34, 3
FELT, ON_FELT, MIST = (62, 74, 15), (255, 255, 255), (229, 235, 220)


@dataclass(frozen=True, slots=True)
class View:
    """A kept picture, the verdict on it, and the corners of the marked tiles, as parts of its width and height."""

    event: int
    mark: str
    outlines: tuple[tuple[tuple[tuple[float, float], ...], Mark], ...]

    @property
    def polygons(self) -> list[tuple[str, Mark]]:
        """The outlines as the attribute of an SVG polygon, in thousandths of the picture's size."""
        return [
            (" ".join(f"{1000 * x:.1f},{1000 * y:.1f}" for x, y in corners), mark) for corners, mark in self.outlines
        ]


@dataclass(frozen=True, slots=True)
class Frame:
    """A turn on the strip. `begins`: whether it is the first of its round; `event` is its last picture, or None."""

    number: int
    player: str
    round: int
    begins: bool
    mark: str
    event: int | None


def strip(replay: Replay, kept: Sequence[int]) -> list[Frame]:
    """Return all turns of a match; `kept` are the events that have a picture."""
    there, frames = set(kept), list[Frame]()
    for number, turn in enumerate(replay.turns, 1):
        begins = not frames or frames[-1].round != turn.round
        event = next((event for event in reversed(turn.events) if event in there), None)
        mark = "" if turn.verdict is None else turn.verdict.mark
        frames.append(Frame(number, replay.players[turn.player], turn.round, begins, mark, event))
    return frames


def turn_text(replay: Replay, place: int, match: int, words: Wording, address: str) -> str:
    """Return a turn as text: who, what was said, what was laid and the table afterwards as notation, and the link."""
    turn = replay.turns[place]
    player = replay.players[turn.player]
    lines = [words(Notice("sharing.turn_title", match=match, round=turn.round, turn=place + 1, player=player))]
    lines += [_sentence(one, words) for one in turn.happenings]
    if turn.laid:
        lines.append(words(Notice("sharing.laid", tiles=" ".join(map(str, turn.laid)))))
    table = format_table(turn.table)
    lines.append(words(Notice("sharing.table", tiles=table) if table else Notice("sharing.table_empty")))
    return "\n".join([*lines, address, ""])


def turn_png(replay: Replay, place: int, match: int, words: Wording, picture: Image | None) -> bytes:
    """Return a turn as a PNG picture with a caption; the table is drawn if there is no picture of the camera."""
    turn = replay.turns[place]
    if picture is None:
        shown = turn_shown(replay, place, (), words)
        picture = draw_table(shown.sets, SHARED_WIDTH, round(SHARED_WIDTH * TABLE_SHAPE))
    elif picture.shape[1] != SHARED_WIDTH:
        height = max(1, round(picture.shape[0] * SHARED_WIDTH / picture.shape[1]))
        picture = np.asarray(cv2.resize(picture, (SHARED_WIDTH, height), interpolation=cv2.INTER_CUBIC), np.uint8)
    player, turns = replay.players[turn.player], len(replay.turns)
    title = Notice("sharing.caption", player=player, turn=place + 1, turns=turns, round=turn.round)
    caption = _draw_caption(f"{words(title)} · {words(Notice('scores.match', match=match))}", _verdict(turn, words))
    return _png(np.concatenate([picture, caption]))


def _verdict(turn: Turn, words: Wording) -> str:
    """Return what was decided, in words; without a verdict, the last that was said."""
    told = turn.verdict or (turn.happenings[-1] if turn.happenings else None)
    return "" if told is None else _sentence(told, words)


def _sentence(happening: Happening, words: Wording) -> str:
    told = " ".join(map(words, happening.told))
    if happening.mark == "refused":
        return f"\N{BALLOT X} {words(Notice('page.refused'))}{words.colon}{told}"
    return f"\N{CHECK MARK} {told}" if happening.mark == "accepted" else told


def _draw_caption(title: str, verdict: str) -> Image:
    room = SHARED_WIDTH - 2 * EDGE
    lines = wrap_text(verdict, SENTENCE, room, LINES) if verdict else []
    height = round(36 + 1.3 * TITLE + 1.35 * SENTENCE * len(lines) + 24)
    image = np.full((height, SHARED_WIDTH, 3), FELT, np.uint8)
    text, size = fit_text(title, TITLE, room, 26, bold=True)
    draw_text(image, text, (EDGE, 32 + TITLE), size, ON_FELT, bold=True)
    for number, line in enumerate(lines, 1):
        draw_text(image, line, (EDGE, 36 + TITLE + 1.35 * SENTENCE * number), SENTENCE, MIST)
    return image


def table_png(sets: Sequence[Sequence[dict[str, Any]]], width: int) -> bytes:
    """Return a drawn table as a PNG picture."""
    return _png(draw_table(sets, width, round(width * TABLE_SHAPE)))


def _png(image: Image) -> bytes:
    return cv2.imencode(".png", image)[1].tobytes()
