"""What a table tells of the results of its matches: one document for each, as the score sheet has it."""

import json
from dataclasses import replace

import pytest
from club_table import ClubTable
from played import SETUPS, match, short, write

from referee.club.hall.results import result_after
from referee.club.protocol import Kind, MatchResult, address_of, decode_document
from referee.club.protocol.coding import LONGEST, encode_document
from referee.club.protocol.documents import MOST_RESULT_ROUNDS, MOST_REVISIONS, Revision, RoundResult
from referee.club.table_side.history import RESULTS
from referee.club.table_side.publisher import FORBIDDEN_S
from referee.game.match.events import Corrected
from referee.journal import amending
from referee.journal.opening import FILE, open_journal
from referee.journal.scores import read_score


def results(table, since=0):
    """Every result that was told, by the number of its match where the broker was to forget it."""
    found = []
    for message in table.broker.sent[since:]:
        address = address_of("referee", message.topic)
        if address.kind is Kind.RESULT:
            assert message.retain
            assert message.qos == 1
            told = decode_document(Kind.RESULT, message.payload) if message.payload else address.match
            assert address.match == (told.match if message.payload else told)
            found.append(told)
    return found


def tells_all(table):
    """Steps until nothing new is told."""
    sent = -1
    while sent != len(table.broker.sent):
        sent = len(table.broker.sent)
        table.broker.step()


def kept(table):
    """What the broker keeps, by match."""
    documents = [decode_document(Kind.RESULT, payload) for place, payload in table.broker.retained.items()
                 if "/result/" in place and payload]  # fmt: skip
    return {one.match: one for one in documents}


def test_a_result_is_told_from_the_beginning_of_a_match_to_its_end(table):
    table.broker.comes()
    for step in short(rounds=2):
        table.play([step])
        tells_all(table)
    told = results(table)
    assert [(len(one.rounds), one.over) for one in told] == [(0, False), (1, False), (2, True)]
    last = told[-1]
    assert (last.match, last.rules, last.players, last.planned) == (1, "rummikub", (None, None), 2)
    assert last.rounds == (RoundResult((128, -128), 0), RoundResult((-128, 128), 1))
    assert [one.seq for one in told] == [one.seq for one in last.revisions]
    assert last.ended == last.revisions[-1].wall
    assert not last.given_up


def test_only_what_changes_a_result_has_it_told_again(table):
    table.broker.comes()
    table.play(match(SETUPS[0], 5, 12))
    tells_all(table)
    assert len(results(table)) == 1
    table.play(match(SETUPS[0], 5, 13)[12:])
    tells_all(table)
    assert len(results(table)) == 1


@pytest.mark.parametrize("setup", SETUPS, ids=lambda setup: setup.rules)
@pytest.mark.parametrize("seed", range(4))
def test_events_tell_the_same_as_the_document(tables, setup, seed):
    """So what a table of an earlier release tells becomes the same in the hall."""
    table = tables(names=True)
    table.setup = setup
    table.play(match(setup, seed, 150, rounds=4), setup)
    table.journal.give_up()
    table.broker.comes()
    tells_all(table)
    told = None
    for event in table.documents(Kind.EVENT):
        told = result_after(told, event)
    (document,) = results(table)
    # Who has won a round that was corrected only the score sheet knows; and the winners, where that ended the match.
    rounds = tuple(replace(one, winner=None) if one.corrected else one for one in document.rounds)
    assert replace(told, rounds=tuple(replace(one, winner=None) if one.corrected else one for one in told.rounds),
                   winners=document.winners) == replace(document, rounds=rounds)  # fmt: skip
    assert document.given_up
    assert document.ended is not None


def test_a_correction_after_the_end_changes_the_result(table, tmp_path):
    table.broker.comes()
    table.short()
    tells_all(table)
    before = kept(table)[1]
    assert (before.over, before.rounds[0].corrected) == (True, 0)
    table.close()
    amending.amend(tmp_path / "state", 1, lambda kept: Corrected(1, (0, 7), kept.t, winner=0))
    again = ClubTable(tmp_path / "state")
    again.broker.comes()
    tells_all(again)
    after = kept(again)[1]
    again.close()
    assert (after.rounds, after.over) == ((RoundResult((7, -7), 0, 1),), True)
    assert after.revisions[:-1] == before.revisions
    assert after.ended == before.ended


def test_a_result_is_told_anew_over_every_line_and_once_over_each(table):
    table.play(short())
    for _ in range(2):
        table.broker.comes()
        since = len(table.broker.sent)
        tells_all(table)
        (told,) = results(table, since)
        assert told.over
        table.broker.goes()


def test_what_was_not_confirmed_is_told_again_over_the_next_line(table):
    table.broker.confirms = False
    table.short()
    table.broker.comes()
    table.broker.step(3)
    assert len(results(table)) == 1
    table.broker.goes()
    table.broker.confirms = True
    table.broker.comes()
    table.broker.step(3)
    first, second = results(table)
    assert first == second


def test_the_broker_keeps_the_results_of_the_last_matches(tables):
    table = tables()
    table.broker.comes()
    for _ in range(RESULTS + 3):
        table.short()
        tells_all(table)
    assert sorted(kept(table)) == list(range(4, RESULTS + 4))
    assert [one for one in results(table) if not isinstance(one, MatchResult)] == [1, 2, 3]
    table.close()
    again = tables()
    again.broker.comes()
    tells_all(again)
    assert [one.match for one in results(again)] == list(range(4, RESULTS + 4))
    again.short()
    tells_all(again)
    assert results(again)[-1] == 4


def test_an_older_match_that_is_corrected_is_told_again(tables, tmp_path):
    table = tables()
    for _ in range(RESULTS + 3):
        table.short()
    table.broker.comes()
    tells_all(table)
    assert 1 not in kept(table)
    table.close()
    amending.amend(tmp_path / "state", 1, lambda kept: Corrected(1, (0, 7), kept.t, winner=0))
    again = tables()
    again.broker.comes()
    tells_all(again)
    first = next(one for one in results(again) if one.match == 1)
    assert (first.match, first.totals) == (1, (7, -7))
    assert [one.number for one in read_score(tmp_path / "state" / FILE, 1).changes] == [1, 4, 5]
    assert len(first.revisions) == 3


def test_names_are_told_only_where_that_is_allowed(tables):
    silent = tables()
    silent.short()
    silent.broker.comes()
    tells_all(silent)
    assert results(silent)[-1].players == (None, None)
    silent.close()
    named = tables(names=True)
    named.broker.comes()
    tells_all(named)
    assert results(named)[-1].players == ("Ann", "Ben")


def test_a_match_that_was_not_told_from_its_beginning_has_no_result(tmp_path):
    opened = open_journal(tmp_path / "state", club=False)
    write(opened.journal, SETUPS[0], short())
    opened.journal.close()
    table = ClubTable(tmp_path / "state")
    table.short()
    table.broker.comes()
    tells_all(table)
    assert [one.match for one in results(table)] == [2]
    table.close()
    amending.amend(tmp_path / "state", 1, lambda kept: Corrected(1, (0, 7), kept.t, winner=0))
    again = ClubTable(tmp_path / "state")
    again.broker.comes()
    tells_all(again)
    assert [one.match for one in results(again)] == [2]
    again.close()


def test_a_broker_that_takes_no_results_is_told_of_and_gets_everything_else(table):
    """As one whose access list is of an earlier release does."""
    table.broker.comes()
    table.broker.refuses, table.broker.refuses_under = "Not authorized", "/result/"
    table.short()
    table.broker.step(6)
    assert table.club.trouble.key == "club.not_allowed"
    assert table.seqs == [1, 2, 3, 4, 5]
    assert len(results(table)) == 1
    table.broker.refuses = None
    table.wait(FORBIDDEN_S)
    tells_all(table)
    assert table.club.trouble is None
    assert len(results(table)) == 2


def test_who_leaves_tells_every_result_before(table):
    table.broker.comes()
    table.broker.confirms = False
    table.short()
    table.short()
    table.club.close()
    assert {one.match for one in results(table)} == {1, 2}


def test_another_journal_has_results_of_its_own(tables, tmp_path):
    first = tables()
    first.short()
    first.short()
    first.broker.comes()
    tells_all(first)
    first.close()
    for file in (tmp_path / "state").glob("journal.db*"):
        file.unlink()
    second = tables()
    second.short()
    second.broker.comes()
    tells_all(second)
    (told,) = results(second)
    assert told.epoch != results(first)[0].epoch
    second.close()
    assert json.loads((tmp_path / "state" / "club.json").read_text())["results"] == [1]


def test_the_longest_result_fits_into_a_message():
    line = RoundResult((-999_999,) * 8, 7, 999_999)
    revisions = tuple(Revision(10**7 + number, "2026-03-01T18:40:12+00:00") for number in range(MOST_REVISIONS + 9))
    told = MatchResult("5e1c0000" * 4, 10**6, "2026-03-01T18:40:12+00:00", "x" * 64, ("é" * 200,) * 8, 10**6,
                       (line,) * (MOST_RESULT_ROUNDS + 9), tuple(range(8)), revisions=revisions)  # fmt: skip
    payload = encode_document(told)
    assert len(payload) <= LONGEST
    read = decode_document(Kind.RESULT, payload)
    assert (len(read.rounds), len(read.revisions)) == (MOST_RESULT_ROUNDS, MOST_REVISIONS)
