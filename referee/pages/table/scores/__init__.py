"""Score sheets on the page: all matches, and each match with its chart, pictures, replay and corrections.

Everything is read from the journal while the referee writes it; nothing here writes.
"""

from referee.pages.table.scores.routes import Scores

__all__ = ["Scores"]
