"""Statistics as files: every line adds up, corrections count, and no name becomes a formula."""

import csv
import io
from dataclasses import replace
from datetime import UTC, datetime

from played import SETUPS, short, write

from referee.game.match.events import Corrected
from referee.game.match.machine import apply
from referee.game.scoring import RoundScore, ScoreSheet
from referee.journal.opening import FILE, open_journal
from referee.journal.score_formats import as_csv
from referee.journal.scores import MatchScore, read_scores
from referee.journal.statistics import AT_ONCE, Badge, badges_of, player_statistics
from referee.journal.statistics_formats import (
    PAIR_NAMES,
    SHOWN_STATISTICS,
    STATISTICS_NAMES,
    pair_rows,
    read_statistics,
    statistics_rows,
)


def score(number, players, *lines, setup=SETUPS[0], in_one_turn=False):
    rounds = tuple(
        RoundScore(line.index(max(line)), (0,) * len(line), line, in_one_turn=in_one_turn) for line in lines
    )
    return MatchScore(number, setup, datetime(2026, 3, number, tzinfo=UTC), ScoreSheet(players, rounds), True)


def lines(names, rows):
    return list(csv.DictReader(io.StringIO(as_csv(names, rows))))


def test_a_line_has_everything_that_is_known_of_a_player():
    other = replace(SETUPS[0], rules="house")
    found = player_statistics(
        [
            score(1, ("Ann", "Ben"), (9, -9)),
            score(2, ("Ann", "Ben"), (-4, 4)),
            score(3, ("Ann", "Ben"), (5, -5), setup=other),
        ]
    )
    ann = next(row for row in lines(STATISTICS_NAMES, statistics_rows(found)) if row["player"] == "Ann")
    assert (ann["matches"], ann["matches_won"], ann["rounds"], ann["rounds_won"]) == (
        "3",
        "1",
        "3",
        "2",
    )  # nobody wins by rules that are not known
    assert ann["points"] == "house:+5 rummikub:+5"
    assert (ann["seconds_a_turn"], ann["first_meld_turn"], ann["turns"]) == ("", "", "0")
    assert set(STATISTICS_NAMES) >= SHOWN_STATISTICS


def test_pairs_add_up_from_both_sides():
    first, both = score(1, ("Ann", "Ben", "Cleo"), (9, -4, -5)), ("Ann", "Ben")
    found = player_statistics([first, score(2, both, (-4, 4)), score(3, both, (0, 0))])
    rows = {(row["player"], row["other"]): row for row in lines(PAIR_NAMES, pair_rows(found))}
    assert len(rows) == 6
    ann, ben = rows["Ann", "Ben"], rows["Ben", "Ann"]
    assert [ann[name] for name in ("matches", "ahead", "behind", "equal")] == ["3", "1", "1", "1"]
    assert [ben[name] for name in ("matches", "ahead", "behind", "equal")] == ["3", "1", "1", "1"]
    assert rows["Cleo", "Ben"]["ahead"] == "0"


def test_a_name_does_not_become_a_formula():
    found = player_statistics([score(1, ('=HYPERLINK("http://a")', "+Ben"), (9, -9))])
    for names, rows in ((STATISTICS_NAMES, statistics_rows(found)), (PAIR_NAMES, pair_rows(found))):
        assert all(line[0] not in "=+-@" for line in as_csv(names, rows).replace('"', "").splitlines())
        assert {row["player"] for row in lines(names, rows)} == {'\'=HYPERLINK("http://a")', "'+Ben"}


def test_badges_are_those_of_the_page():
    found = player_statistics([score(day, ("Ann", "Ben"), (9, -9), in_one_turn=True) for day in (1, 2, 3)])
    assert badges_of(found[0], found) == (Badge.STREAK, Badge.IN_ONE_TURN)
    assert badges_of(found[1], found) == ()
    assert statistics_rows(found)[0][-1] == "streak, in-one-turn"


def test_all_matches_count_however_many_there_are_and_corrections_at_once(tmp_path):
    journal = open_journal(tmp_path).journal
    for _ in range(AT_ONCE + 2):
        write(journal, SETUPS[0], short())
    before = read_statistics(tmp_path / FILE, read_scores(tmp_path / FILE))
    assert {one.player: one.turns.turns for one in before} == {"Ann": AT_ONCE + 2, "Ben": 0}
    assert before[0].points["rummikub"] == 128 * (AT_ONCE + 2)
    steps = short()
    write(journal, SETUPS[0], steps)
    event = Corrected(1, (95, 0), steps[-1].event.t, winner=1, who="Eve", why="a test")
    journal.append(event, apply(steps[-1].state, event)[0])
    journal.close()
    after = {one.player: one for one in read_statistics(tmp_path / FILE, read_scores(tmp_path / FILE))}
    assert after["Ann"].points["rummikub"] == 128 * (AT_ONCE + 2) - 95
    assert after["Ben"].matches_won == 1
