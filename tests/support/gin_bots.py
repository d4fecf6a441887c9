"""A table with real tiles and two players who choose at random, make mistakes, and are refereed."""

import random

import pytest
from gin_game import GinGame
from naive_gin import BOX, least_after_adding, valid, worth

from referee.game.doubt import Doubt
from referee.game.gin.hands import arrange
from referee.game.gin.round import Stage
from referee.game.gin.showdown import best_discard, lay_off, may_knock
from referee.game.match.events import Pressed, ScoreRound, Seen
from referee.game.match.machine import OutOfOrder
from referee.game.match.phases import Phase


class RandomMatch(GinGame):
    """Tiles as they really are: `hands`, `stock`, the open `row`, and `piles` laid after a knock."""

    def __init__(self, seed):
        self.random = random.Random(seed)  # noqa: S311 - a game, no secret
        self.hands, self.stock, self.row, self.piles = [set(), set()], [], [], []
        self.points = [0, 0]
        super().__init__(first=self.random.randrange(2))

    def chance(self, share):
        return self.random.random() < share

    def do(self, event):
        if isinstance(event, Pressed) and not self.state.asked and self.chance(0.1):
            self.intrude()
        super().do(event)
        assert self.count == 52
        return self

    def intrude(self):
        """Somebody presses out of turn, and a picture comes that nobody asked for: nothing may change."""
        before = self.state
        for event in (Pressed(1 - before.current, self.t), Seen((), self.t)):
            with pytest.raises(OutOfOrder):
                super().do(event)
        assert self.state is before

    def agree(self):
        """Between turns the referee's picture of the game is the truth."""
        assert list(self.gin.open) == self.row
        assert self.state.stock == len(self.stock)
        assert all(known <= hand for known, hand in zip(self.gin.known, self.hands, strict=True))

    def picture(self):
        """The row in one or two pieces, and the piles, all in any order."""
        cut = self.random.randint(0, len(self.row))
        pieces = [tuple(piece) for piece in (self.row[:cut], self.row[cut:], *self.piles) if piece]
        self.random.shuffle(pieces)
        return tuple(pieces)

    def look(self, long=False):
        self.press(long=long)
        while self.chance(0.1):
            self.do(Seen(self.picture()[1:], self.t, (Doubt("a doubt"),)))
            if self.chance(0.5):
                self.press()
        return self.do(Seen(self.picture(), self.t))

    # A round --------------------------------------------------------------------------------------------------------

    def play_round(self):
        tiles = self.random.sample(BOX, len(BOX))
        self.hands, self.piles = [set(tiles[:10]), set(tiles[10:20])], []
        self.row, self.stock = tiles[20:21], tiles[21:]
        self.look()
        self.agree()
        while self.state.phase is Phase.TURN:
            if self.chance(0.05):
                self.blunder()
            self.play_turn(self.state.current, self.gin.stage)
            self.agree()
        assert self.state.sheet.totals == tuple(self.points)

    def blunder(self):
        """Two tiles more on the table, or one less: refused, and put right again."""
        before, row = self.state, self.row
        self.row = [*row, *sorted(self.hands[before.current])[:2]] if self.chance(0.5) else row[1:]
        self.look()
        assert self.kinds
        assert (self.state.current, self.state.phase, self.state.stock) == (before.current, Phase.TURN, before.stock)
        self.row = row

    def play_turn(self, player, stage):
        hand, taken = self.hands[player], None
        if stage.offer and self.chance(0.5):
            self.look()
            return
        if stage.offer or (stage is Stage.TURN and self.chance(0.4)):
            hand.add(taken := self.row.pop())
        else:
            hand.add(self.stock.pop())
        discard = best_discard(hand) if self.chance(0.9) else self.random.choice(sorted(hand))
        hand.remove(discard)
        self.row.append(discard)
        back, legal = discard == taken, may_knock(hand)
        knocks = not back and self.chance(0.5 if legal else 0.02)
        self.look(long=knocks)
        if back and not stage.offer:
            # An unchanged table must be confirmed.
            assert self.state.current == player
            self.look()
        if knocks:
            self.knock(player, legal)

    # A knock --------------------------------------------------------------------------------------------------------

    def knock(self, player, legal):
        if self.chance(0.1):
            # Thought better of: a second press without tiles says so.
            self.look()
            self.look()
            return
        found = arrange(self.hands[player])
        if legal and self.chance(0.2):
            self.piles = [self.random.sample(sorted(self.hands[player]), 10)]
            self.look()
            assert "is not a set" in self.said
        self.piles = [*map(list, found.sets), *([tile] for tile in found.rest)]
        self.look()
        if legal:
            self.answer(player, found)
        else:
            assert self.gin.stage is Stage.TAKING_BACK
            self.piles = []
            self.look()

    def answer(self, knocker, found):
        """The other player lays the hand; the score must be what the words of the book say."""
        hand, gin = self.hands[1 - knocker], not found.rest
        mine, best = worth(found.rest), lay_off(hand, () if gin else found.sets)
        theirs = least_after_adding(hand, () if gin else found.sets)
        self.add(best.added, len(found.sets))
        self.piles += [*map(list, best.own.sets), *([tile] for tile in best.own.rest)]
        scores = [0, 0]
        if gin:
            scores[knocker] = theirs + 25
        elif mine < theirs:
            scores[knocker] = theirs - mine
        else:
            scores[1 - knocker] = mine - theirs + 10
        self.points = [had + gets for had, gets in zip(self.points, scores, strict=True)]
        self.look()
        assert [list(effect.score.scores) for effect in self.got(ScoreRound)] == [scores]

    def add(self, tiles, sets):
        """Lay tiles at the knocker's sets, at runs first, as the one after the other fits."""
        waiting = list(tiles)
        while waiting:
            tile, pile = next(
                (tile, pile)
                for pile in sorted(self.piles[:sets], key=lambda pile: pile[0].number == pile[1].number)
                for tile in waiting
                if valid(frozenset(pile) | {tile})
            )
            waiting.remove(tile)
            pile.append(tile)
