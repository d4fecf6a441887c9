"""Whether tiles can all lie in sets, and how many tiles of a hand can be played.

It is an exact search over the numbers from 1 to 13, one column of the board at a time. Begin with `solve`.
"""

from referee.game.solver.solve import Play, best_play, best_sets, partition

__all__ = ["Play", "best_play", "best_sets", "partition"]
