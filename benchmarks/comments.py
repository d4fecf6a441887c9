"""What is said after rounds of virtual players: which lines, how many hands are decided, and how long a round takes.

`python -m benchmarks.comments` prints the figures; `--matches` is the number of matches by each rule book.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from benchmarks.soak_match import Soaked
from referee.game.judge.best_turn import best_turn
from referee.game.match.events import Event
from referee.game.match.machine import new_match
from referee.game.match.state import State
from referee.game.rulebooks import RULESETS
from referee.journal.comments import QUESTIONS, comments_of, may_judge_hand
from referee.journal.rounds import RoundFollower


@dataclass
class Figures:
    """The number of lines by key, of hands and of those that were not decided, and the seconds of each round."""

    lines: Counter[str] = field(default_factory=Counter)
    hands: int = 0
    undecided: int = 0
    seconds: list[float] = field(default_factory=list)


def played_matches(matches: int) -> Iterator[tuple[State, list[Event]]]:
    """Yield the first state and the events of so many virtual matches by each rule book but Gin's."""
    for book in RULESETS.values():
        for seed in range(matches if book.melds is not None else 0):
            events: list[Event] = []
            match = Soaked(book, seed, lambda _, event, events=events: events.append(event))  # type: ignore[misc]
            match.play()
            yield new_match(match.rules), events


def measure(matches: int) -> Figures:
    """Return the figures of so many matches by each rule book."""
    figures = Figures()
    for state, events in played_matches(matches):
        follower = RoundFollower(state)
        for event in events:
            follower.take(event)
        rules, lines = state.rules, follower.state.sheet.rounds
        for played in follower.rounds:
            line, began = lines[played.number - 1], time.process_time()
            figures.lines.update(told.key for told in comments_of(played, line, rules))
            figures.seconds.append(time.process_time() - began)
            for seat, there in enumerate(played.seats):
                if may_judge_hand(seat, played, line, rules):
                    hand = there.shown or ()
                    figures.hands += 1
                    turn = best_turn(played.table, hand, rules, opened=there.opened, questions=QUESTIONS)
                    figures.undecided += not turn.proven
    return figures


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="Measure the comments after rounds of virtual players.")
    parser.add_argument("--matches", type=int, default=16, help="matches by each rule book")
    found = measure(parser.parse_args().matches)
    times = sorted(found.seconds)
    print(f"{len(times)} rounds; seconds of a round: median {times[len(times) // 2]:.3f}, most {times[-1]:.3f}")
    print(f"{found.hands} hands, {found.undecided} of them not decided within {QUESTIONS} questions")
    for key, number in found.lines.most_common():
        print(f"{number:5} {key}")


if __name__ == "__main__":
    main()
