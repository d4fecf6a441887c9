"""A match at the virtual table whose journal has a picture of every look, read by the real reader."""

from pathlib import Path

import cv2
import numpy as np

from referee.cli.parts.readers import compose
from referee.game.match.events import Seen, Started
from referee.game.match.machine import apply, new_match
from referee.game.match.phases import Phase
from referee.game.rulebooks import ruleset
from referee.journal.opening import open_journal
from referee.journal.pictures import FOLDER, Pictures
from referee.journal.rows import Setup
from referee.journal.tile_places import with_places
from referee.sim.match import VirtualMatch
from referee.table.looking.look import Look, tile_places

BOOK = "rummikub"


def write_pictured_match(folder: Path, looks: int, seed: int = 4, width: int = 1280) -> int:
    """Play until so many looks were judged, or the match is over; return the number of the match."""
    match = VirtualMatch(ruleset(BOOK), np.random.default_rng(seed))
    reader, setting = compose().reader(), match.table.setting
    pictures = Pictures(folder / FOLDER, 10**9, spare=0)
    journal = open_journal(folder).journal
    state, now = new_match(match.rules), 0.0
    event = match.start(now)
    number, look = 0, None
    while True:
        state, effects = apply(state, event)
        match.follow_effects(effects)
        if isinstance(event, Started):
            number = journal.begin(Setup.now(BOOK, {}), event, state)
        else:
            journal.append(event, state)
        if isinstance(event, Seen):
            data = cv2.imencode(".jpg", cv2.resize(look.picture, (width, round(width * 0.75))))[1].tobytes()
            pictures.keep(*journal.place, with_places(data, tile_places(look)))
            looks -= 1
        if looks <= 0 or state.phase is Phase.OVER:
            break
        now += 20.0
        if state.phase.looks:
            picture = match.picture()
            look = Look(reader.read(picture, setting.tileset, setting.table_mm), picture)
            event = Seen(look.sighting.table, now)
        else:
            event = match.act(state, now)
    journal.close()
    return number
