"""Whether tiles can all lie in sets, and how many tiles of a hand can be played.

An exact search goes over the numbers from 1 to 13, a column of the board at a time (`solve` is where to begin).
"""

from referee.game.solver.solve import Play, best_play, best_sets, partition

__all__ = ["Play", "best_play", "best_sets", "partition"]
