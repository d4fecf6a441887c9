"""The state of the page in parts, each made of the facts in one language, as JSON.

A part is sent again when the values that it is made from have changed. `PARTS` has all parts by name.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.page.broadcast import Part
from referee.pages.table.parts import before, buttons, coach, desk, match, preparing, question, table, talk

__all__ = ["PARTS"]


PARTS: Mapping[str, Part] = {
    "match": Part(match.source, match.render),
    "lamps": Part(match.lamps_source, match.lamps),
    "clock": Part(match.clock_source, match.clock),
    "table": Part(table.source, table.render),
    "picture": Part(table.picture_source, table.picture),
    "verdict": Part(talk.verdict_source, talk.verdict),
    "question": Part(question.source, question.render),
    "offers": Part(question.offers_source, question.offers),
    "before": Part(before.source, before.render),
    "box": Part(question.box_source, question.box),
    "due": Part(talk.due_source, talk.rebuilding_task),
    "coach": Part(coach.source, coach.render),
    "said": Part(talk.said_source, talk.last_sentences),
    "live": Part(talk.live_source, talk.live),
    "buttons": Part(buttons.source, buttons.render),
    "desk": Part(desk.source, desk.render),
    "tune": Part(buttons.tune_source, buttons.tune),
    "setup": Part(preparing.setup_source, preparing.setup),
    "camera": Part(preparing.camera_source, preparing.camera),
    "panel_test": Part(preparing.panel_source, preparing.panel),
    "lens": Part(preparing.lens_source, preparing.lens),
    "enrolment": Part(preparing.box_source, preparing.box),
}
