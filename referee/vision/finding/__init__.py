"""Finding tiles: from the picture to quads, and from quads to rows that may be sets.

Nothing is read in this package.
"""

from referee.vision.finding.finder import Candidates

__all__ = ["Candidates"]
