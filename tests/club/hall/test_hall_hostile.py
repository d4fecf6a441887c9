"""Whatever a table sends, the hall goes on, and its page shows all other tables."""

import io
import json
import random
import re
from contextlib import redirect_stderr, suppress
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from recorded_broker import RecordedBroker

from referee.club.hall.reader import HallReader
from referee.club.hall.store import HallStore
from referee.club.protocol import BadMessage, Kind, decode_document, encode_document, topic
from referee.club.protocol.coding import schema_of
from referee.i18n import LANGUAGES, Wording
from referee.i18n.notices import NOTICES
from referee.pages.hall.app import parts_of

ODD = [
    "", "\ud800", "a\0b", "{player}", "%s", "<b>", "=1+1", "\u202e", "é" * 200, "x" * 2000, "9" * 400, "NaN",
    "R7 | **", "rummikub", "2026-99-99T99:99:99Z", "\uff12\uff10\uff12\uff16-01-01T00:00:00Z", "0000-00-00T00:00:00Z",
    "0123abcd", "match.your_turn", 0, -1, 1, 3, 2**53 - 1, 2**53, 10**300, 1e308, 0.5, True, None, [], {}, [[]],
    {"seat": 7}, {"seat": 8}, {"tile": "red-7"}, {"colour": "red"}, {"notice": "future.key"}, {"\ud800": 1},
]  # fmt: skip
KINDS = [kind for kind in Kind if kind not in (Kind.PICTURE, Kind.DO, Kind.DESK)]


class Maker:
    """Makes documents after their schema, with something odd here and there."""

    def __init__(self, rng, oddness):
        self.rng, self.oddness = rng, oddness

    def document(self, kind):
        return self.value(schema_of(kind))

    def value(self, schema):
        if self.rng.random() < self.oddness:
            return self.rng.choice(ODD)
        if "anyOf" in schema or "oneOf" in schema:
            return self.value(self.rng.choice(schema.get("anyOf") or schema.get("oneOf")))
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return self.rng.choice(schema["enum"])
        return getattr(self, schema["type"])(schema)

    def null(self, _):
        return None

    def boolean(self, _):
        return self.rng.random() < 0.5

    def integer(self, schema):
        return self.rng.choice([schema["minimum"], schema["maximum"], self.rng.randint(0, min(9, schema["maximum"]))])

    def number(self, schema):
        return self.rng.choice([schema["minimum"], schema["maximum"], self.rng.random()])

    def string(self, schema):
        if "pattern" not in schema:
            return self.rng.choice(["rummikub", "gin", "R7 B7 K7", "Ann", "R7 ** | x", "é" * schema["maxLength"]])
        known = [
            "0123abcd",
            "ffff0000",
            "2026-11-20T12:00:00Z",
            "9999-12-31T23:59:59.999999999Z",
            "0000-99-99T99:99:99Z",
        ]
        return self.rng.choice([one for one in known if re.search(schema["pattern"], one)])

    def array(self, schema):
        return [self.value(schema["items"]) for _ in range(self.rng.choice([0, 1, 2, 3]))]

    def object(self, schema):
        if "notice" in schema["properties"]:
            return self.notice()
        needed = schema["required"]
        return {
            name: self.value(one)
            for name, one in schema["properties"].items()
            if name in (*needed, "version") or self.rng.random() < 0.7
        }

    def notice(self, depth=0):
        key = self.rng.choice([*NOTICES, "future.key"])
        fields = {} if key not in NOTICES else NOTICES[key].fields
        odd = {"\ud800": 1} if self.rng.random() < 0.03 else {}
        return {"notice": key, **{name: self.field(depth) for name in fields if self.rng.random() < 0.97}, **odd}

    def field(self, depth):
        rng = self.rng
        found = rng.choice([*ODD, "Ann", {"seat": 0}, {"tile": "joker"}, {"colour": "blue"}, 3, 7, [], "red-7"])
        if depth < 3 and rng.random() < 0.2:
            found = self.notice(depth + 1)
        return [found, found] if rng.random() < 0.2 else found


class Hall:
    def __init__(self):
        self.t = 100.0
        self.store = HallStore(":memory:")
        now = datetime(2026, 11, 20, 12, tzinfo=UTC)
        self.reader = HallReader(self.store, "referee", lambda: None, lambda: self.t, lambda: now)
        self.broker = RecordedBroker()
        self.broker.start(self.reader)
        self.broker.comes()

    def takes(self, kind, payload, *, table="bad", retained=False):
        self.t += 0.05
        self.reader.on_message(topic("referee", table, kind), payload, retained=retained)
        self.broker.step()

    def shows(self):
        """Every part of the page in every language, as the stream sends it."""
        facts = self.reader.facts
        for language in LANGUAGES:
            for part in parts_of(facts).values():
                json.dumps(part.render(facts, Wording(language)), allow_nan=False)


@pytest.fixture(scope="module")
def hall():
    made = Hall()
    yield made
    made.store.close()


@settings(max_examples=250, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(KINDS), st.sampled_from([0.0, 0.02, 0.1]))
def test_documents_that_are_nearly_right_are_taken_or_refused_and_shown(hall, seed, kind, oddness):
    document = Maker(random.Random(seed), oddness).document(kind)  # noqa: S311 - chance for tests
    payload = json.dumps(document).encode()
    with suppress(BadMessage):
        assert decode_document(kind, encode_document(decode_document(kind, payload))) is not None
    with redirect_stderr(io.StringIO()) as told:
        hall.takes(kind, payload, retained=bool(seed % 2) and kind.is_retained)
        hall.shows()
    assert told.getvalue() == ""  # nothing that nobody has thought of
    assert hall.reader.facts.trouble is None


@pytest.mark.parametrize(
    "payload",
    [
        b"\xff" * 60_000,
        b"[" * 65_000,
        b'{"a":' * 10_000,
        b'{"version":1,"online":' + b"9" * 60_000 + b"}",
        b'{"version":1,"online":' + b"-" * 60_000 + b"}",
        b'{"version":' + b"[" * 15 + b"1" * 4000 + b"]" * 15 + b"}",
        b'{"version":1e999,"online":true}',
        b'{"version":1,"online":true,"epoch":"\\ud800"}',
        b'{"version":1,"online":true,"x":NaN}',
        b'{"version":1,"online":true,"x":-Infinity}',
        b'{"version":1,"online":true,"online":false}',
        b'{"version":1,"online":true}'[:-1] + b"\xc3",
        '{"version":1,"online":true,"epoch":"\uff10\uff11\uff12\uff13\uff14\uff15\uff16\uff17"}'.encode(),
        b"{" + b",".join(b'"%d":1' % n for n in range(6000)) + b"}",
    ],
    ids=["no text", "deep lists", "deep objects", "digits", "signs", "a large version", "infinity in digits",
         "half a character", "no number", "minus infinity", "a name twice", "half UTF-8", "other digits", "names"],
)  # fmt: skip
@pytest.mark.parametrize("kind", KINDS)
def test_rubbish_is_told_of_its_table_and_harms_no_other(kind, payload, capsys):
    hall = Hall()
    hall.takes(kind, payload)
    hall.takes(Kind.ONLINE, b'{"version":1,"online":true,"epoch":"0123abcd"}', table="good")
    hall.shows()
    assert hall.reader.facts.tables["bad"].bad == 1
    assert hall.reader.facts.tables["good"].online
    assert capsys.readouterr().err == ""
    hall.store.close()
