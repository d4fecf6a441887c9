"""A journal in memory."""

from referee.journal.store import rows_clash, rows_follow


class MemoryStore:
    """Keeps nothing beyond the process."""

    trouble = None

    def __init__(self):
        self.notices = []
        self.rows = []

    def put(self, rows):
        """Remember the rows."""
        self.rows.extend(rows)

    def amend(self, rows):
        """As the protocol has it."""
        last = [row for row in self.rows if row.match == rows[0].match][-1:]
        if not last or not rows_follow(rows, last[0].number, last[0].sum):
            return False
        self.put(rows)
        return True

    def beat(self, match, t):
        """Nothing outlives the process anyway."""

    def newest(self):
        """The newest match that was put here."""
        return max((row.match for row in self.rows), default=0)

    def as_kept(self, row):
        """The row itself."""
        return row

    def clashes(self, rows):
        """As the protocol has it."""
        return rows_clash(rows, [row for row in self.rows if row.match == rows[0].match], self.newest())

    def close(self):
        """Nothing is held."""
