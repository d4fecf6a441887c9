"""Score sheets on the page: all matches, one of them with its chart and pictures, its replay, and corrections.

Everything is read from the journal, beside the referee that writes it; nothing here writes.
"""

from referee.pages.table.scores.routes import Scores

__all__ = ["Scores"]
