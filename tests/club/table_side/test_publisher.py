"""What goes out over a broker that only records: everything once and in order, whatever the broker does."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace

from played import SETUPS, match, short

from referee.club.protocol import Command, Do, Kind, encode_document
from referee.club.protocol.facts import GivenUp, MatchStarted
from referee.club.table_side.publisher import AWAY_TOLD_S, FORBIDDEN_S, STATE_S
from referee.game.match.events import Corrected
from referee.game.notice import Notice
from referee.journal import amending
from referee.journal.errors import JournalError

STEPS = match(SETUPS[0], 5, 40)
TOPIC = "referee/1/table-7"


def test_what_happened_before_the_broker_came_is_told_in_order(table):
    table.play(STEPS)
    table.broker.comes()
    table.broker.step(20)
    assert table.seqs == list(range(1, len(STEPS) + 2))
    assert isinstance(table.documents(Kind.EVENT)[1].facts[0], MatchStarted)


def test_first_the_table_is_online_and_asks_for_commands(table):
    table.broker.comes()
    assert table.documents(Kind.ONLINE)[0].online
    kept = "homeassistant/device/referee-table-7/config"  # a description of before may have been kept there
    hall = "referee/1/_hall/online"
    assert table.broker.topics == [f"{TOPIC}/do", f"{TOPIC}/online", f"{TOPIC}/desk", hall, kept]
    assert json.loads(table.will.payload)["online"] is False
    assert table.will.retain
    assert table.will.topic == f"{TOPIC}/online"


def test_what_happens_then_is_told_at_once(table):
    table.broker.comes()
    table.broker.step()
    table.play(STEPS[:3])
    assert table.broker.woken.is_set()
    table.broker.step()
    assert table.seqs == [1, 2, 3, 4]


def test_only_a_few_events_are_under_way_at_once(table):
    table.play(STEPS)
    table.broker.confirms = False
    table.broker.comes()
    table.broker.step(5)
    assert table.seqs == list(range(1, 17))
    table.broker.confirm(6)
    table.broker.step()
    assert table.seqs[-1] >= 20
    assert len(table.seqs) <= 22


def test_what_the_broker_has_not_confirmed_goes_out_again_over_the_next_line(table):
    table.play(STEPS[:20])
    table.broker.confirms = False
    table.broker.comes()
    table.broker.step()
    table.broker.confirm(5)  # online, and four events
    table.broker.goes()
    table.broker.sent.clear()
    table.broker.confirms = True
    table.broker.comes()
    table.broker.step(5)
    assert table.seqs == list(range(5, 22))


def test_after_a_start_it_goes_on_where_the_broker_had_confirmed(tables):
    first = tables()
    first.play(STEPS[:20])
    first.broker.comes()
    first.broker.step(5)
    first.close()
    second = tables()
    second.play(STEPS[20:23])
    second.broker.comes()
    second.broker.step(5)
    assert second.seqs == [22, 23, 24]


def test_without_the_cursor_all_is_told_again(tables, tmp_path):
    first = tables()
    first.play(STEPS[:20])
    first.broker.comes()
    first.broker.step(5)
    first.close()
    for rubbish in ("", "{", '{"epoch": 1}', '{"epoch": "x", "sent": 99}', '{"epoch": "x", "sent": "many"}'):
        (tmp_path / "state" / "club.json").write_text(rubbish)
        again = tables()
        again.broker.comes()
        again.broker.step(5)
        assert again.seqs == list(range(1, 22))
        again.close()


def test_another_epoch_begins_at_one(tables, tmp_path):
    first = tables()
    first.play(STEPS[:20])
    first.broker.comes()
    first.broker.step(5)
    epoch = first.documents(Kind.EVENT)[0].epoch
    first.close()
    for file in (tmp_path / "state").glob("journal.db*"):
        file.unlink()
    second = tables()
    second.short()
    second.broker.comes()
    second.broker.step(5)
    assert second.seqs == [1, 2, 3, 4, 5]
    assert second.documents(Kind.EVENT)[0].epoch != epoch


def test_the_state_is_told_with_the_last_event_it_contains(table):
    table.broker.comes()
    table.play(STEPS[:6])
    table.broker.step()
    told = table.documents(Kind.STATE)[-1]
    assert (told.seq, told.match, told.phase) == (7, 1, STEPS[5].state.phase)
    assert f"{TOPIC}/state" in table.broker.retained


def test_the_state_is_told_anew_over_every_line(table):
    table.broker.comes()
    table.play(STEPS[:6])
    table.broker.step()
    table.broker.goes()
    table.broker.sent.clear()
    table.broker.comes()
    table.wait(STATE_S)
    table.broker.step()
    assert [state.seq for state in table.documents(Kind.STATE)] == [7]


def test_a_state_that_has_not_changed_is_not_told_again(table):
    table.broker.comes()
    table.play(STEPS[:6])
    table.broker.step()
    table.wait(STATE_S)
    table.show(table.state)
    table.broker.step(3)
    assert len(table.documents(Kind.STATE)) == 1


def test_a_draw_that_is_about_to_begin_is_told(table):
    """By rules with a tile aside nothing else changes in the lobby."""
    table.broker.comes()
    table.show(table.state)
    table.broker.step()
    table.wait(STATE_S)
    follower = table.club.audience
    follower.on_update(replace(follower.facts.scene, draw="cup-r1-t1"))
    table.broker.step()
    assert [state.draw for state in table.documents(Kind.STATE)] == [None, "cup-r1-t1"]


def test_of_many_states_only_the_newest_waits(table):
    table.broker.comes()
    table.broker.confirms = False
    for step in STEPS:
        table.play([step])
        table.wait(STATE_S)
        table.broker.step()
    assert len(table.documents(Kind.STATE)) == 1
    table.broker.confirm()
    table.broker.step()
    assert table.documents(Kind.STATE)[-1].phase == STEPS[-1].state.phase


def test_names_are_told_only_where_that_is_allowed(tables):
    silent = tables()
    silent.short()
    silent.club.audience.troubles((Notice("words.text", text="Ann dropped it"),))
    silent.broker.comes()
    silent.broker.step(3)
    assert b"Ann" not in b"".join(message.payload for message in silent.broker.sent)
    silent.close()
    open_ = tables(names=True)
    open_.short()
    open_.broker.comes()
    open_.broker.step(3)
    assert [player.name for player in open_.documents(Kind.STATE)[-1].players] == ["Ann", "Ben"]


def test_again_sends_events_once_more_and_the_cursor_stays(table):
    table.play(STEPS[:20])
    table.broker.comes()
    table.broker.step(5)
    table.broker.sent.clear()
    order(table, Command(Do.AGAIN, "a", 7))
    table.broker.step(3)
    assert table.seqs == list(range(7, 22))
    table.play(STEPS[20:22])
    table.broker.step(3)
    assert table.seqs == list(range(7, 24))


def test_again_and_again_costs_little(table):
    table.play(STEPS[:20])
    table.broker.comes()
    table.broker.step(5)
    table.broker.sent.clear()
    for number in range(50):
        order(table, Command(Do.AGAIN, f"a{number}", 1))
        table.broker.step()
    assert len(table.seqs) < 60


def test_a_match_that_is_given_up_is_told(table):
    table.play(STEPS[:3])
    table.journal.give_up()
    table.broker.comes()
    table.broker.step(3)
    assert table.documents(Kind.EVENT)[-1].facts == (GivenUp(),)


def test_a_correction_of_an_old_match_is_told_though_the_loop_knows_nothing(tables, tmp_path):
    first = tables()
    first.short()
    first.play(short())
    first.close()
    amending.amend(tmp_path / "state", 1, lambda kept: Corrected(1, (0, 7), kept.t, winner=0))
    second = tables()
    second.broker.comes()
    second.broker.step(3)
    last = second.documents(Kind.EVENT)[-1]
    assert (last.match, last.facts[0].kind, last.facts[0].after) == (1, "corrected", (7, -7))


def test_health_is_told_with_what_is_wrong(table):
    table.club.audience.troubles((Notice("camera.waiting"), Notice("club.lost", address="x")))
    table.broker.comes()
    table.broker.step()
    health = table.documents(Kind.HEALTH)[-1]
    assert [told.body["notice"] for told in health.troubles] == ["camera.waiting", "club.lost"]
    assert health.disk_free_mb > 0
    table.broker.step(5)
    assert len(table.documents(Kind.HEALTH)) == 1


def test_what_the_access_list_forbids_is_told_before_anything_happens(table):
    table.show(table.state)
    table.broker.refuses = "Not authorized"
    table.broker.comes()
    table.broker.step(2)
    assert table.club.trouble.key == "club.not_allowed"
    table.broker.refuses = None
    table.short()
    table.broker.step(5)
    assert table.club.trouble is not None
    table.wait(FORBIDDEN_S)
    table.broker.step(5)
    assert table.club.trouble is None


def test_what_the_access_list_forbids_is_told_and_tried_again_later(table):
    table.short()
    table.broker.refuses = "Not authorized"
    table.broker.comes()
    table.broker.step(5)
    assert table.club.trouble.key == "club.not_allowed"
    assert len(table.seqs) == 5
    table.broker.refuses = None
    table.wait(FORBIDDEN_S)
    table.broker.step(3)
    assert table.club.trouble is None
    assert table.seqs == [1, 2, 3, 4, 5, 1, 2, 3, 4, 5]


def test_a_broker_that_is_away_for_a_moment_is_no_trouble_and_one_for_long_is(table):
    table.broker.comes()
    table.broker.goes()
    assert table.club.trouble is None
    table.wait(AWAY_TOLD_S)
    table.broker.goes()
    assert table.club.trouble.key == "club.lost"
    table.broker.comes()
    assert table.club.trouble is None


def test_a_wrong_password_is_told_at_once(table):
    table.broker.goes(Notice("club.wrong_password", address="x", user="y"))
    assert table.club.trouble.key == "club.wrong_password"


def test_another_table_of_our_name_is_told(table):
    table.broker.comes()
    own = table.broker.retained[f"{TOPIC}/online"]
    table.club.on_message(f"{TOPIC}/online", own, retained=True)
    assert table.club.trouble is None
    other = json.dumps(json.loads(own) | {"epoch": "0" * 32}).encode()
    table.club.on_message(f"{TOPIC}/online", other, retained=False)
    assert table.club.trouble.key == "club.taken_over"
    # The other one is answered, that it may tell it, too: once, for it answers as well.
    told = len(table.documents(Kind.ONLINE))
    table.broker.step()
    table.club.on_message(f"{TOPIC}/online", other, retained=False)
    table.broker.step()
    assert len(table.documents(Kind.ONLINE)) == told + 1
    # It goes, and the name is ours again.
    table.club.on_message(f"{TOPIC}/online", table.will.payload, retained=False)
    assert table.club.trouble is None


def test_a_last_word_of_an_older_line_that_comes_late_is_put_right(table):
    table.broker.comes()
    table.broker.step()
    table.club.on_message(f"{TOPIC}/online", table.will.payload, retained=False)
    table.broker.step()
    assert [told.online for told in table.documents(Kind.ONLINE)] == [True, True]


def test_the_brokers_name_for_us_is_the_same_after_a_start(tables):
    first = tables()
    client = first.broker.endpoint.client
    first.close()
    second = tables()
    assert client.startswith("referee-table-7-")
    assert second.broker.endpoint.client == client


def test_who_leaves_says_so(table):
    table.broker.comes()
    table.club.close()
    assert not table.documents(Kind.ONLINE)[-1].online


def order(table, command, *, retained=False):
    table.club.on_message(f"{TOPIC}/do", encode_document(command), retained=retained)


def test_a_journal_that_cannot_be_read_just_now_stops_nothing(table, monkeypatch):
    def fails(*_):
        raise JournalError(Notice("journal.disk_fails", reason="x", where="y"))

    table.short()
    with monkeypatch.context() as patch:
        patch.setattr("referee.club.table_side.publisher.read_outgoing", fails)
        table.broker.comes()
        table.broker.step(3)
        assert table.seqs == []
    table.broker.step(3)
    assert table.seqs == [1, 2, 3, 4, 5]


def test_rows_that_were_altered_are_told_without_facts(table, tmp_path):
    table.play(STEPS[:10])
    with closing(sqlite3.connect(tmp_path / "state" / "journal.db")) as connection:
        connection.execute("DROP TRIGGER never_changed")
        connection.execute("UPDATE events SET body = '{' WHERE number = 4")
        connection.execute("UPDATE events SET wall = 'long ago' WHERE number = 5")
        connection.commit()
    table.broker.comes()
    table.broker.step(3)
    events = table.documents(Kind.EVENT)
    assert [event.seq for event in events] == list(range(1, 12))
    assert all(event.facts == () for event in events[4:])
    assert events[1].facts


def test_a_journal_that_was_made_anew_meanwhile_begins_another_epoch(table, tmp_path):
    table.short()
    table.broker.comes()
    table.broker.step(3)
    with closing(sqlite3.connect(tmp_path / "state" / "journal.db")) as connection:
        connection.execute("UPDATE club SET epoch = 'cafecafecafe'")
        connection.commit()
    table.broker.sent.clear()
    table.broker.step(3)
    assert table.documents(Kind.ONLINE)[-1].epoch == "cafecafecafe"
    assert [(event.epoch, event.seq) for event in table.documents(Kind.EVENT)] == [
        ("cafecafecafe", number) for number in range(1, 6)
    ]
