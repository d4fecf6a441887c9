"""Parts of the page that come and go, as tables of a hall do."""

import json

from referee.page.broadcast import Broadcast, Part


def part(name):
    return Part(lambda facts: facts[name], lambda facts, _: facts[name])


def hub_of(**facts):
    return Broadcast("start", lambda: 0.0, parts=lambda found: {name: part(name) for name in found}, facts=facts)


def told(broadcast, since):
    return json.loads(broadcast.message(since, "en").partition("data: ")[2])["parts"]


def test_a_part_that_goes_is_sent_no_more_and_one_that_comes_back_is():
    broadcast = hub_of(a=1, b=2)
    broadcast.publish({"a": 1, "b": 2})
    assert told(broadcast, 0) == {"a": 1, "b": 2}
    seen = broadcast.number
    broadcast.publish({"a": 3})
    assert told(broadcast, 0) == {"a": 3}
    assert told(broadcast, seen) == {"a": 3}
    broadcast.publish({"a": 3, "b": 2})
    assert told(broadcast, 0) == {"a": 3, "b": 2}
    assert told(broadcast, seen + 1) == {"b": 2}
