"""Commands that come over the broker: only what the settings allow, each once, none that was kept for long."""

import json
import re
from dataclasses import replace
from datetime import datetime, timedelta

import jinja2
import pytest
from club_table import ClubTable
from played import SETUPS, match

from referee.club.protocol import Command, Do, Kind, encode_document
from referee.club.table_side.club import HELD
from referee.club.table_side.home_assistant import LONGEST_WAIT_S, discovery
from referee.club.table_side.publisher import STATE_S
from referee.game.notice import Notice
from referee.i18n import Wording
from referee.table.input.requests import Announce, BeginDraw, GoOn, LookAgain, Pause

STEPS = match(SETUPS[0], 5, 40)
DO = "referee/1/table-7/do"


BEGIN = Command(Do.BEGIN, "b1", players=("Ann", None), draw="cup-r1-t1", rules="gin", rounds=2)


class Loop:
    """Notes what is asked for, and answers all of it in the same way."""

    def __init__(self):
        self.wishes, self.answer = [], None

    def request(self, request):
        self.wishes.append(request.request)
        request.answered(self.answer)


@pytest.fixture
def asked(tmp_path):
    """A table with the given commands allowed, and what its loop is asked for."""
    made = []

    def table(*commands, **club):
        one = ClubTable(tmp_path / "state", commands=commands, **club)
        made.append(one)
        one.club.serves(loop := Loop())
        one.loop = loop
        one.broker.comes()
        loop.wishes.clear()
        return one, loop.wishes

    yield table
    for one in made:
        one.close()


def order(table, *commands, retained=False):
    for command in commands:
        payload = command if isinstance(command, bytes) else encode_document(command)
        table.club.on_message(DO, payload, retained=retained)


def test_what_is_allowed_becomes_a_wish(asked):
    table, wishes = asked("pause", "resume", "look", "announce")
    order(table, Command(Do.PAUSE), Command(Do.RESUME), Command(Do.LOOK), Command(Do.ANNOUNCE, text="Tea!"))
    assert wishes == [Pause(), GoOn(), LookAgain(), Announce("Tea!")]


def test_what_is_not_allowed_is_passed_over(asked):
    table, wishes = asked("resume")
    order(table, Command(Do.PAUSE), Command(Do.LOOK), Command(Do.PICTURE), Command(Do.RESUME))
    assert wishes == [GoOn()]
    table.broker.step()
    assert not table.broker.under("/picture")


def test_a_command_is_done_once(asked):
    table, wishes = asked("pause")
    order(table, Command(Do.PAUSE, "7"), Command(Do.PAUSE, "7"), Command(Do.PAUSE, "8"))
    assert wishes == [Pause(), Pause()]


def test_the_hall_begins_a_match_where_that_is_allowed(asked):
    table, wishes = asked("begin")
    order(table, BEGIN, BEGIN)
    order(table, b'{"version":1,"id":"b2","do":"begin","draw":"cup-r1-t2","players":["Ann","Ben"]}')
    assert wishes == [BeginDraw(("Ann", None), "cup-r1-t1", "gin", 2), BeginDraw(("Ann", "Ben"), "cup-r1-t2")]


GOOD = {"version": 1, "do": "begin", "id": "1", "draw": "cup-r1-t1", "players": ["Ann", "Ben"]}


@pytest.mark.parametrize(
    "bad",
    [
        pytest.param({"players": []}, id="nobody"),
        pytest.param({"players": ["A", "B", "C", "D", "E"]}, id="five"),
        pytest.param({"players": ["Ann", ""]}, id="no letters"),
        pytest.param({"players": ["Ann", " Ben"]}, id="space before"),
        pytest.param({"players": ["Ann", "B" * 41]}, id="long name"),
        pytest.param({"players": ["Ann", "B\u202ene"]}, id="right to left"),
        pytest.param({"players": ["Ann", "B\nB"]}, id="two lines"),
        pytest.param({"players": "Ann"}, id="a text"),
        pytest.param({"draw": None}, id="no draw"),
        pytest.param({"draw": ""}, id="empty draw"),
        pytest.param({"draw": "Spring Cup"}, id="a draw with blanks"),
        pytest.param({"draw": "a" * 65}, id="long draw"),
        pytest.param({"rules": 7}, id="a number for a book"),
        pytest.param({"rounds": 0}, id="no rounds"),
        pytest.param({"rounds": 101}, id="many rounds"),
        pytest.param({"rounds": True}, id="true rounds"),
    ],
)
def test_a_match_that_nobody_can_begin_is_no_command(asked, bad):
    table, wishes = asked("begin")
    order(table, json.dumps(GOOD | bad).encode())
    assert wishes == []
    order(table, json.dumps(GOOD).encode())
    assert len(wishes) == 1


def refusals(table):
    table.wait(STATE_S)
    table.broker.step(3)
    return [state.refused for state in table.documents(Kind.STATE)]


def test_what_is_refused_stands_in_the_next_state_with_its_id_and_why(asked):
    table, _ = asked("begin", "pause")
    table.show(table.state)
    assert refusals(table)[-1] is None
    order(table, BEGIN)
    assert refusals(table)[-1] is None
    table.loop.answer = Notice("play.not_now")
    order(table, Command(Do.PAUSE, "p1"))
    found = refusals(table)[-1]
    assert (found.id, found.why.notice(())) == ("p1", Notice("play.not_now"))
    order(table, Command(Do.PAUSE))  # without an id nobody could tell which it was
    assert refusals(table)[-1] == found


def test_what_the_settings_do_not_allow_is_told_too(asked, monkeypatch):
    monkeypatch.setattr("referee.club.table_side.publisher.STATE_S", 0.0)
    table, wishes = asked("pause")
    table.show(table.state)
    order(table, BEGIN)
    assert wishes == []
    found = refusals(table)[-1]
    assert (found.id, found.why.notice(())) == ("b1", Notice("club.command_not_allowed", command="begin"))


@pytest.mark.parametrize("names", [False, True])
def test_who_was_to_play_is_not_told_by_a_refusal_unless_names_are(asked, monkeypatch, names):
    monkeypatch.setattr("referee.club.table_side.publisher.STATE_S", 0.0)
    table, _ = asked("begin", names=names)
    table.show(table.state)
    table.loop.answer = Notice("words.text", text="expected a name of its own for every player, found 'Ann', 'Ann'")
    order(table, Command(Do.BEGIN, "b1", players=("Ann", "Ann"), draw="cup-r1-t1"))
    assert ("Ann" in str(refusals(table)[-1].why.body)) is names


def test_a_command_that_the_broker_had_kept_is_none(asked):
    table, wishes = asked("pause")
    order(table, Command(Do.PAUSE), retained=True)
    assert wishes == []


@pytest.mark.parametrize(
    "rubbish",
    [b"", b"pause", b"\xff", b"{}", b'{"version":2,"do":"pause"}', b'{"version":1,"do":"dance"}', b"[" * 70_000],
)
def test_rubbish_is_passed_over(asked, rubbish):
    table, wishes = asked("pause")
    order(table, rubbish)
    table.club.on_message("referee/1/table-8/do/x", encode_document(Command(Do.PAUSE)), retained=False)
    table.club.on_message("other/topic", b"x", retained=False)
    assert wishes == []


def test_a_flood_of_commands_is_cut(asked):
    table, wishes = asked("pause")
    order(table, *(Command(Do.PAUSE, str(number)) for number in range(1000)))
    assert len(wishes) <= 15


def test_a_loop_that_has_just_ended_is_no_matter(asked):
    table, _ = asked("pause")

    class Ended:
        def request(self, _):
            raise RuntimeError("Event loop is closed")

    table.club.serves(Ended())
    order(table, Command(Do.PAUSE))
    table.club.serves(None)
    order(table, Command(Do.PAUSE))


class Deaf(Loop):
    """Notes what it is asked for, and ends before it answers."""

    def request(self, request):
        self.wishes.append(request.request)


def test_what_comes_while_the_program_starts_is_done_once_there_is_a_loop(asked):
    table, _ = asked("begin", "pause")
    table.club.serves(None)
    order(table, BEGIN, Command(Do.PAUSE), BEGIN)
    table.club.serves(loop := Loop())
    assert loop.wishes == [BeginDraw(("Ann", None), "cup-r1-t1", "gin", 2), Pause()]
    table.club.serves(loop)
    assert len(loop.wishes) == 2


def test_what_a_loop_has_not_answered_before_it_ended_is_done_by_the_next_one(asked):
    table, _ = asked("pause")
    table.club.serves(deaf := Deaf())
    order(table, Command(Do.PAUSE, "p1"))
    table.club.serves(None)
    table.club.serves(loop := Loop())
    assert deaf.wishes == loop.wishes == [Pause()]


def test_what_nobody_has_answered_is_refused_when_the_program_ends(asked):
    table, _ = asked("begin", "pause")
    table.show(table.state)
    table.club.serves(Deaf())
    order(table, BEGIN, Command(Do.PAUSE))
    table.club.serves(None)
    order(table, Command(Do.PAUSE, "p2"))
    table.club.close()
    told = [state.refused for state in table.documents(Kind.STATE) if state.refused is not None]
    assert [(one.id, one.why.notice(())) for one in told] == [
        ("b1", Notice("club.table_stopped")), ("p2", Notice("club.table_stopped")),
    ]  # fmt: skip


def test_every_refusal_stands_in_a_state_though_several_came_at_once(asked):
    table, _ = asked("pause")
    table.show(table.state)
    order(table, BEGIN, *(Command(Do.LOOK, f"l{number}") for number in range(3)))
    for _ in range(6):
        refusals(table)
    told = dict.fromkeys(state.refused.id for state in table.documents(Kind.STATE) if state.refused is not None)
    assert list(told) == ["b1", "l0", "l1", "l2"]


def test_what_comes_too_fast_is_refused_and_may_come_again(asked):
    table, wishes = asked("pause")
    table.show(table.state)
    order(table, *(Command(Do.PAUSE, f"p{number}") for number in range(6)))
    assert len(wishes) == 5
    found = refusals(table)[-1]
    assert (found.id, found.why.notice(())) == ("p5", Notice("club.too_many_commands"))
    table.wait(1)
    order(table, Command(Do.PAUSE, "p5"))
    assert len(wishes) == 6


def test_so_much_waits_while_the_program_starts_and_the_rest_is_refused(asked):
    table, _ = asked("pause")
    table.show(table.state)
    table.club.serves(None)
    for number in range(HELD + 1):
        table.wait(1)
        order(table, Command(Do.PAUSE, f"p{number}"))
    assert refusals(table)[-1].id == f"p{HELD}"
    table.club.serves(loop := Loop())
    assert len(loop.wishes) == HELD


@pytest.mark.parametrize(
    ("payload", "refused"),
    [
        pytest.param(b'{"version":1,"id":"n1","do":"dance"}', "n1", id="a command of a newer release"),
        pytest.param(b'{"version":2,"id":"n1","do":"pause"}', "n1", id="another version"),
        pytest.param(json.dumps(GOOD | {"id": "n1", "players": []}).encode(), "n1", id="nobody to play"),
        pytest.param(b'{"version":1,"do":"dance"}', None, id="no id"),
        pytest.param(b'{"version":1,"id":7,"do":"dance"}', None, id="a number"),
        pytest.param(json.dumps({"id": "x" * 65, "do": "dance"}).encode(), None, id="a long id"),
    ],
)
def test_a_command_that_is_not_understood_is_refused_by_its_id(asked, payload, refused):
    table, wishes = asked("pause", "begin")
    table.show(table.state)
    order(table, payload)
    found = refusals(table)[-1]
    assert (found.id if found else None) == refused
    assert found is None or found.why.notice(()) == Notice("club.command_not_understood")
    assert wishes == []


def test_a_table_takes_commands_before_it_says_that_it_is_online(tmp_path):
    table = ClubTable(tmp_path / "state")
    known = []
    publish = table.broker.publish
    table.broker.publish = lambda message: known.append(tuple(table.broker.topics)) or publish(message)
    table.broker.comes()
    assert DO in known[0]
    table.close()


# Home Assistant


def described(table):
    (message,) = [one for one in table.broker.sent if one.topic == "homeassistant/device/referee-table-7/config"][-1:]
    assert message.retain
    return json.loads(message.payload)


def test_home_assistant_finds_the_table_with_its_entities(asked):
    table, _ = asked(home_assistant=True)
    found = described(table)
    button = found["components"].pop("look_again")
    assert button == {"platform": "button"}  # so it takes away a button that was described once
    assert set(found["components"]) == {"clock", "time_up_at", "turn", "verdict", "questions", "troubles"}
    assert found["availability"]["topic"] == "referee/1/table-7/online"
    assert found["state_topic"] == "referee/1/table-7/state"
    assert all(one["unique_id"].startswith("referee-table-7-") for one in found["components"].values())
    assert found["origin"]["name"] == "referee"
    assert {key: one["default_entity_id"] for key, one in found["components"].items()} == {
        "clock": "sensor.referee_table_7_clock", "time_up_at": "sensor.referee_table_7_time_up_at",
        "turn": "sensor.referee_table_7_turn", "verdict": "sensor.referee_table_7_verdict",
        "questions": "sensor.referee_table_7_questions", "troubles": "binary_sensor.referee_table_7_troubles",
    }  # fmt: skip
    diagnostic = [key for key, one in found["components"].items() if one.get("entity_category") == "diagnostic"]
    assert diagnostic == ["troubles"]
    # Where there is a class of device its own sign says how it stands.
    assert all(one.get("icon", "").startswith("mdi:") or "device_class" in one for one in found["components"].values())


def ids_of(message):
    told = json.loads(message.payload)
    parts = [part for part in told["components"].values() if "unique_id" in part]
    entities = {part["default_entity_id"] for part in parts} | {part["unique_id"] for part in parts}
    return {message.topic, *told["device"]["identifiers"]} | entities


def test_tables_of_one_name_in_two_clubs_are_two_devices():
    roots = ("referee", "rummy", "club/rummy", "club_rummy", "club-rummy", "Club/rummy")
    tables = ("a", "rummy-a")
    found = [ids_of(discovery(root, table, "1", Wording("en"), ["look"])) for root in roots for table in tables]
    assert all(re.fullmatch(r"[A-Za-z0-9_/.-]+", one) for ids in found for one in ids)
    names = [one for ids in found for one in ids if not one.startswith(("sensor.", "binary_sensor.", "button."))]
    assert len(names) == len(set(names))


OWN = "homeassistant/device/referee-table-7/config"


def removed(table):
    table.broker.step()
    return [one.topic for one in table.broker.sent if one.retain and not one.payload]


def test_a_description_that_the_broker_kept_is_removed_once_it_is_switched_off(asked):
    table, _ = asked(home_assistant=True)
    kept = described(table)
    table.close()
    table, _ = asked(home_assistant=False)
    assert OWN in table.broker.topics
    assert removed(table) == []  # whoever was never described removes nothing
    table.club.on_message(OWN, json.dumps(kept).encode(), retained=True)
    assert removed(table) == [OWN]
    table.club.on_message(OWN, b"", retained=False)  # as the broker tells everybody
    assert removed(table) == [OWN]


def test_a_description_under_the_id_of_older_versions_is_removed_unless_it_is_of_another_club(asked):
    table, _ = asked(home_assistant=True, topic="club/rummy")
    (message,) = configs(table)
    assert message.topic != OWN
    theirs = json.dumps({"state_topic": "referee/1/table-7/state"}).encode()
    for payload in (theirs, b"rubbish", b"[]"):
        table.club.on_message(OWN, payload, retained=True)
    assert removed(table) == []
    table.club.on_message(OWN, message.payload, retained=True)
    assert removed(table) == [OWN]


def test_the_button_is_there_only_where_it_may_be_pressed_and_its_press_is_a_command(asked):
    table, wishes = asked("look", home_assistant=True)
    button = described(table)["components"]["look_again"]
    for _ in range(2):  # a button has no ids
        table.club.on_message(button["command_topic"], button["payload_press"].encode(), retained=False)
    assert wishes == [LookAgain(), LookAgain()]


def test_whoever_does_not_want_it_is_not_found(asked):
    table, _ = asked("look")
    assert not [one for one in table.broker.sent if one.topic.startswith("homeassistant")]
    assert "homeassistant/status" not in table.broker.topics


def test_when_home_assistant_has_started_the_table_is_described_again_at_a_moment_of_its_own(asked):
    table, _ = asked(home_assistant=True, chance=lambda: 0.25)
    table.broker.sent.clear()
    for _ in range(3):
        table.club.on_message("homeassistant/status", b"online", retained=False)
    table.wait(LONGEST_WAIT_S / 4 - 1)
    table.broker.step()
    assert not configs(table)
    assert 0 < table.broker.wait_s <= 1
    table.wait(1)
    table.broker.step(3)
    assert len(configs(table)) == 1


def configs(table):
    return [one for one in table.broker.sent if one.topic.endswith("/config")]


def test_the_entities_speak_the_players_language(asked):
    table, _ = asked(home_assistant=True, words="fr")
    found = described(table)
    assert found["components"]["turn"]["name"] == "À qui de jouer"
    assert "Joueur 1" in found["components"]["turn"]["value_template"]


def rendered(table, entity):
    """What Home Assistant would show, as far as jinja alone can tell."""
    template = described(table)["components"][entity]["value_template"]
    known = {"as_datetime": datetime.fromisoformat, "timedelta": timedelta}
    table.broker.step()
    state = json.loads(table.broker.retained["referee/1/table-7/state"])
    return jinja2.Environment().from_string(template, known).render(value_json=state)  # noqa: S701 - no page


def test_the_entities_show_what_happens(asked):
    table, _ = asked(home_assistant=True)
    table.play(STEPS[:1])
    assert rendered(table, "turn") == "Player 1"
    assert rendered(table, "questions") == "0"
    assert rendered(table, "verdict") == "No verdict"  # "None" would be read as: not known
    assert rendered(table, "troubles") == "OFF"
    assert rendered(table, "time_up_at") in ("None", "") or datetime.fromisoformat(rendered(table, "time_up_at"))
    assert float(rendered(table, "clock")) >= 0


def test_before_a_match_nobody_is_to_move(asked):
    table, _ = asked(home_assistant=True)
    table.show(table.state)
    assert (rendered(table, "turn"), rendered(table, "clock")) == ("-", "None")


def states_within(table, seconds, step=0.5):
    """How many states go out so long."""
    table.broker.step(2)
    before = len(table.broker.under("/state"))
    for _ in range(round(seconds / step)):
        table.wait(step)
        table.broker.step()
    return len(table.broker.under("/state")) - before


def test_while_the_clock_runs_down_home_assistant_is_told_every_few_seconds(asked):
    table, _ = asked(home_assistant=True)
    table.play(STEPS[:1])
    assert table.state.clock.deadline is not None
    assert states_within(table, 21) == 4


def test_a_clock_that_stands_is_told_once(asked):
    table, _ = asked(home_assistant=True)
    table.play(STEPS[:1])
    table.show(replace(table.state, clock=table.state.clock.stop(0.0)))
    assert states_within(table, 21) == 0


def test_nobody_else_is_told_a_clock_again(asked):
    table, _ = asked()
    table.play(STEPS[:1])
    assert states_within(table, 21) == 0
