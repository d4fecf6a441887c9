"""What a table tells, made of whole matches by every book: as its schemas have it, complete, and without names."""

import json
import re
from collections import Counter
from dataclasses import replace

import jsonschema_rs
import pytest
from played import SETUPS, short
from transcripts import FOLDER, WRITTEN_IN, written

from referee.club.protocol import (
    Command,
    Do,
    Event,
    Health,
    Kind,
    Online,
    Told,
    decode_document,
    encode_document,
    facts_of,
    snapshot_of,
)
from referee.club.protocol.coding import DOCUMENTS, LONGEST, kind_of
from referee.club.protocol.facts import (
    GivenUp,
    MatchEnded,
    MatchStarted,
    Outcome,
    RoundCorrected,
    RoundHasStarted,
    RoundOver,
    TurnJudged,
)
from referee.club.protocol.making import Around, Position, Refusal
from referee.game.match.events import Corrected, Started
from referee.game.match.machine import apply, new_match
from referee.game.notice import Notice
from referee.game.rulebooks import RULESETS, ruleset
from referee.game.tiles import Tile
from referee.journal.codec import event_from_text
from tools.club_schemas import FOLDER as SCHEMAS
from tools.club_schemas import texts

EPOCH = "0f6e2f3a-1111-4222-8333-444455556666"
WALL = "2026-03-01T18:30:00+00:00"
FILES = sorted(FOLDER.glob("*.jsonl.xz"))
VALID = {kind: jsonschema_rs.validator_for(json.loads(texts()[f"{kind.value}.json"])) for kind in DOCUMENTS}


def replayed(file):
    """Every state of a match with what led to it."""
    book, options, lines = written(file)
    state = new_match(ruleset(book).of_edition(WRITTEN_IN).choose(**options))
    for seq, (kind, body, _) in enumerate(lines, 1):
        event = event_from_text(kind, body)
        after, effects = apply(state, event)
        yield seq, state, event, after, effects
        state = after


def documents_of(seq, state, event, after, effects, *, names):
    """Event and snapshot of one event."""
    facts = facts_of(state, event, after, effects, names=names)
    where = Position(EPOCH, seq, 3)
    return Event(EPOCH, seq, 3, seq, WALL, facts), snapshot_of(after, event.t, WALL, where, names=names)


def test_the_schemas_in_the_package_are_those_of_the_code():
    assert {path.name: path.read_text(encoding="utf-8") for path in SCHEMAS.glob("*.json")} == texts()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.partition(".")[0])
def test_documents_of_a_whole_match_are_as_their_schemas_have_them_and_add_up_to_its_sheet(file):
    rounds, kinds, sheet = {}, Counter(), None
    for step in replayed(file):
        named, nameless = (documents_of(*step, names=names) for names in (True, False))
        for document in (*named, *nameless):
            payload = encode_document(document)
            VALID[kind_of(document)].validate(json.loads(payload))
            assert decode_document(kind_of(document), payload) == document
            assert len(payload) < LONGEST / 2
        hidden = b"".join(map(encode_document, nameless)).decode()
        assert not any(re.search(rf"\b{re.escape(seat.name)}\b", hidden) for seat in step[3].seats), hidden
        kinds.update(fact.kind for fact in nameless[0].facts)
        for fact in nameless[0].facts:
            if isinstance(fact, RoundOver):
                rounds[fact.round] = fact.points
            elif isinstance(fact, RoundCorrected):
                rounds[fact.round] = fact.after
        sheet = step[3].sheet
    assert [rounds[number + 1] for number in range(len(rounds))] == [line.scores for line in sheet.rounds]
    assert (kinds["match-started"], kinds["round-started"]) == (1, len(rounds))
    assert kinds["match-over"] >= 1
    assert kinds["turn"] >= len(rounds)


def test_all_books_are_among_the_matches():
    assert {file.name.rpartition("-")[0] for file in FILES} == set(RULESETS)


def facts_of_short():
    state, found = SETUPS[0].state(), []
    for step in short():
        after, effects = apply(state, step.event)
        found += facts_of(state, step.event, after, effects, names=True)
        state = after
    return state, found


def test_a_short_match_reads_like_what_happened():
    _, found = facts_of_short()
    assert found[0] == MatchStarted("rummikub", ("Ann", "Ben"), 1)
    assert found[1] == RoundHasStarted(1, 0)
    assert isinstance(found[2], TurnJudged)
    assert (found[2].seat, found[2].outcome, found[2].laid[:5]) == (0, Outcome.ACCEPTED, "B1 R1")
    assert [fact.points for fact in found if isinstance(fact, RoundOver)] == [(128, -128)]
    assert found[-1] == MatchEnded((0,), (128, -128))


def test_a_match_tells_the_draw_that_it_belongs_to():
    state = SETUPS[0].state()
    event = Started(("Ann", "Ben"), 0.0)
    after, effects = apply(state, event)
    told = facts_of(state, event, after, effects, draw="cup-r1-t1")[0]
    assert told == MatchStarted("rummikub", (None, None), 1, "cup-r1-t1")
    document = Event(EPOCH, 1, 1, 1, WALL, (told,))
    VALID[Kind.EVENT].validate(json.loads(encode_document(document)))
    assert decode_document(Kind.EVENT, encode_document(document)) == document


def test_what_a_table_tells_that_knows_of_no_draws_is_read():
    event = json.loads(
        encode_document(Event(EPOCH, 1, 1, 1, WALL, (MatchStarted("rummikub", (None, None), 1, "cup-r1-t1"),)))
    )
    del event["facts"][0]["draw"]
    assert decode_document(Kind.EVENT, json.dumps(event).encode()).facts == (
        MatchStarted("rummikub", (None, None), 1),
    )
    refusal = Refusal("b1", Notice("play.not_now"))
    around = Around(draw="cup-r1-t1", refused=refusal)
    snapshot = json.loads(encode_document(snapshot_of(SETUPS[0].state(), 0.0, WALL, Position(EPOCH), around)))
    VALID[Kind.STATE].validate(snapshot)
    for name in ("draw", "refused"):
        del snapshot[name]
    found = decode_document(Kind.STATE, json.dumps(snapshot).encode())
    assert (found.draw, found.refused) == (None, None)


def test_a_correction_is_told_with_before_and_after():
    state, _ = facts_of_short()
    event = Corrected(1, (0, 20), 500.0, winner=0, who="Ann", why="counted wrong")
    after, effects = apply(state, event)
    told = facts_of(state, event, after, effects, names=True)[0]
    assert told == RoundCorrected(1, (128, -128), (20, -20), (20, -20), True, "Ann", "counted wrong")
    hidden = facts_of(state, event, after, effects)[0]
    assert (hidden.who, hidden.why) == (None, None)


def test_a_name_in_a_notice_becomes_a_seat_and_a_name_again():
    notice = Notice("match.your_turn", player="Ben")
    told = Told.from_notice(notice, ("Ann", "Ben"))
    assert told.body == {"notice": "match.your_turn", "player": {"seat": 1}}
    assert told.notice(("Seat 1", "Seat 2")) == Notice("match.your_turn", player="Seat 2")
    text = Notice("words.text", text="expected a name of its own, got 'Ben' and 'Benno'")
    assert Told.from_notice(text, ("Ann", "Ben")).body["text"] == "expected a name of its own, got '…' and 'Benno'"


def test_tiles_colours_and_notices_in_a_notice_come_back():
    notice = Notice("judge.not_a_set", tiles=(Tile.from_name("red-7"),), why=Notice("judge.why_too_few", fewest=3))
    document = Health(EPOCH, WALL, "1.0", 5.0, troubles=(Told.from_notice(notice),))
    (back,) = decode_document(Kind.HEALTH, encode_document(document)).troubles
    assert back.notice(()) == notice


def test_every_document_is_as_its_schema_has_it():
    for document in (
        Online(True, EPOCH, WALL),
        Online(False),
        Health(EPOCH, WALL, "1.0", 5.0, 1000, 3),
        Command(Do.AGAIN, "x", 17),
        Command(Do.BEGIN, "b1", players=("Ann", None, "Cléo B."), draw="cup-r1-t1", rules="gin", rounds=100),
        Event(EPOCH, 1, 1, 9, WALL, (GivenUp(),)),
        snapshot_of(
            SETUPS[0].state(), 0.0, WALL, Position(EPOCH), Around(troubles=(Notice("camera.lost", reason="gone"),))
        ),
    ):
        payload = encode_document(document)
        VALID[kind_of(document)].validate(json.loads(payload))
        assert decode_document(kind_of(document), payload) == document


def test_a_hand_that_was_shown_is_told_with_its_tiles():
    """Shown tiles lie on the table, and are no longer in the hand; the hall still shows how many were left."""
    state = new_match(ruleset("rummikub"))
    state, _ = apply(state, Started(("Ann", "Ben"), 0.0))
    shown = replace(state.seats[1], hand=0, shown=(Tile.from_name("red-7"), Tile.from_name("blue-1")))
    state = replace(state, seats=(state.seats[0], shown))
    snapshot = snapshot_of(state, 0.0, WALL, Position(EPOCH))
    assert [player.hand for player in snapshot.players] == [14, 2]


def test_the_last_will_needs_no_more_than_that_the_table_is_gone():
    assert decode_document(Kind.ONLINE, b'{"version":1,"online":false}') == Online(False)


def test_a_long_name_is_cut_and_a_broken_one_mended():
    state = new_match(ruleset("rummikub"))
    state, _ = apply(state, Started(("A" * 500, "Be\ud800n\x07"), 0.0))
    found = decode_document(
        Kind.STATE, encode_document(snapshot_of(state, 0.0, WALL, Position(EPOCH, 1, 1), names=True))
    )
    assert [player.name for player in found.players] == ["A" * 199 + "…", "Be\ufffdn\ufffd"]
