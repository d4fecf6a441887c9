"""Whether tiles can all lie in sets at once: the solver's answer as yes or no."""

from referee.game.solver.solve import partition


def splits_into_sets(tiles, *, wraps=False, joker_sets=True):
    return partition(tiles, wraps=wraps, joker_sets=joker_sets) is not None
