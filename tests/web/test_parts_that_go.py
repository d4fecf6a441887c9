"""Parts of the page that come and go, as tables of a hall do."""

import json

from referee.web.hub import Hub
from referee.web.parts import Part


def part(name):
    return Part(lambda facts: facts[name], lambda facts, _: facts[name])


def hub_of(**facts):
    return Hub("start", lambda: 0.0, parts=lambda found: {name: part(name) for name in found}, facts=facts)


def told(hub, since):
    return json.loads(hub.message(since, "en").partition("data: ")[2])["parts"]


def test_a_part_that_goes_is_sent_no_more_and_one_that_comes_back_is():
    hub = hub_of(a=1, b=2)
    hub.publish({"a": 1, "b": 2})
    assert told(hub, 0) == {"a": 1, "b": 2}
    seen = hub.number
    hub.publish({"a": 3})
    assert told(hub, 0) == {"a": 3}
    assert told(hub, seen) == {"a": 3}
    hub.publish({"a": 3, "b": 2})
    assert told(hub, 0) == {"a": 3, "b": 2}
    assert told(hub, seen + 1) == {"b": 2}
