"""A hall with tournaments but without a broker: its file, its keeper, the commands of its page, and made-up tables."""

import asyncio
import itertools
import time
from dataclasses import replace
from types import SimpleNamespace

from hosting import EPOCH, minute, views

from referee.club.hall.reader import HallFacts
from referee.club.hall.store import HallStore
from referee.club.hall.tournaments.keeper import Keeper, find_better, find_plan
from referee.club.protocol import Event, Snapshot
from referee.club.protocol.facts import GivenUp, MatchEnded, MatchStarted, RoundCorrected, RoundOver
from referee.club.tournament.state import Tournament
from referee.game.match.phases import Phase
from referee.game.rulebooks import RULESETS
from referee.i18n import Wording
from referee.page.command import Asked, Done
from referee.pages.hall.league_commands import COMMANDS as LEAGUES
from referee.pages.hall.ruling_commands import COMMANDS as RULING
from referee.pages.hall.tournament_commands import COMMANDS
from referee.pages.hall.tournament_part import PARTS

T = 1_795_197_600.0
"""A moment of the evening, 18:00."""
SEED = 1_877_072_760
"""Of the first tournament; a test sees the same seats each time."""


def snapshot(**told):
    given = {
        "epoch": EPOCH,
        "seq": 0,
        "wall": minute(0),
        "phase": Phase.LOBBY,
        "rules": "rummikub",
        "title": "Rummikub",
    }
    return Snapshot(**{**given, **told})


class KeptHall:
    """`begun` is what tables were asked; tables tell events, which the store keeps as it does everybody's."""

    def __init__(self, folder, tables=5, *, names=True, find=find_plan, improve=find_better):
        self.path, self.names = folder / "hall.sqlite", names
        self.find, self.improve, self.seconds = find, improve, 0.0
        self.views = {name: replace(view, snapshot=snapshot()) for name, view in
                      views(*(f"table-{number}" for number in range(1, tables + 1))).items()}  # fmt: skip
        self.connected, self.t, self.seq, self.epoch = True, T, dict.fromkeys(self.views, 0), EPOCH
        self.seeds = itertools.count(SEED)
        self.open()

    def open(self):
        self.store = HallStore(self.path)
        self.keeper = Keeper(
            self.path, lambda: self.hall, names=self.names, wall=lambda: self.t, now=lambda: self.seconds,
            find=self.find, improve=self.improve,
        )  # fmt: skip
        self.begun, self.news = [], 0
        self.keeper.begins = self.begun.append
        self.keeper.news = self._news

    def _news(self):
        self.news += 1

    def killed(self):
        """The program ends without a word, and begins again."""
        self.close()
        self.open()
        self.look()

    def close(self):
        self.keeper.close()
        self.store.close()

    @property
    def hall(self):
        results = self.store.results
        if getattr(self, "_results", (None, None))[0] != self.store.changes:
            self._results = self.store.changes, dict(results)
        return HallFacts(self.views, self._results[1], self.connected)

    def ask(self, command, **values):
        """A command as a page sends it; gives the key of the notice why it was not done, else None.

        Unless told otherwise, the director is sure of totals.

        `done_with` is what was to be known of one that was done.
        """
        if command in ("result", "correct", "report-decide"):
            values = {"sure": True, **values}
        known = {**COMMANDS, **RULING, **LEAGUES}
        one = known[command if command in known else f"tournament-{command}"]
        controls = SimpleNamespace(
            tournaments=self.keeper, book=RULESETS["rummikub"], draw_seed=lambda: next(self.seeds)
        )
        told = asyncio.run(one.run(one.read(values), self.hall, controls))
        self.done_with = Wording("en").all(told.told) if isinstance(told, Done) else ""
        told = None if isinstance(told, Done) else told.told if isinstance(told, Asked) else told
        if told is not None:
            assert Wording("fr")(told)
        return None if told is None else told.key

    def do(self, command, **values):
        told = self.ask(command, **values)
        assert told is None, told
        if command == "draw":
            self.until(lambda: not self.keeper.facts.draws)
            self.keeper.change(lambda *_: ()).result()  # whatever follows from the draw has followed

    def until(self, true):
        """Wait until the keeper's threads have come so far."""
        while not true():
            time.sleep(0.001)

    def look(self):
        self.keeper.look()
        self.keeper.change(lambda *_: ()).result() if self.keeper.facts.all else None

    @property
    def now(self) -> Tournament:
        return self.keeper.facts.current.tournament

    @property
    def drawn(self):
        return self.now.rounds[-1]

    @property
    def part(self):
        facts = replace(self.hall, tournaments=self.keeper.facts)
        return PARTS["tournament"].render(facts, Wording("en"))

    def opens(self, players, rounds=3, **told):
        self.do("open", name="Spring cup", rounds=rounds, **told)
        self.do("enter", names="\n".join(f"Player {number}" for number in range(1, players + 1)))
        self.do("check-in")

    def names_at(self, table):
        return tuple(self.now.players[player - 1].name for player in self.drawn.tables[table - 1].players)

    def tell(self, at, match, minutes, *facts, epoch=None, begun=None):
        """A table tells an event of a match, a row a fact."""
        for fact in facts:
            self.seq[at] += 1
            begun_at = minute(minutes if begun is None else begun)
            event = Event(epoch or self.epoch, self.seq[at], match, self.seq[at], minute(minutes), (fact,), begun_at)
            self.store.keep([(at, event)], minute(minutes))
        self.look()

    def starts(self, asked, match=1, minutes=30, **told):
        """A table begins what it was asked."""
        players = told.pop("players", asked.players)
        self.tell(asked.at, match, minutes, MatchStarted("rummikub", players, 1, told.pop("draw", asked.draw)), **told)

    def ends(self, at, points, match=1, minutes=50, begun=30):
        over = RoundOver(1, 0, points, points, "out", points)
        self.tell(at, match, minutes, over, MatchEnded((0,), points), begun=begun)

    def gives_up(self, at, match=1, minutes=40, begun=30):
        self.tell(at, match, minutes, GivenUp(), begun=begun)

    def corrects(self, at, before, after, match=1, minutes=70, begun=30):
        self.tell(at, match, minutes, RoundCorrected(1, before, after, after, True), begun=begun)
