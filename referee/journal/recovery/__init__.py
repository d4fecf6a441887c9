"""Recovers a journal that is damaged or altered: it is set aside, and saved as far as it can be read.

A file of another program is refused. Nothing is deleted here.
"""

from referee.journal.recovery.altered_match import has_ended, standings
from referee.journal.recovery.carving import refuse_foreign
from referee.journal.recovery.rescue import finish_rescue

__all__ = ["finish_rescue", "has_ended", "refuse_foreign", "standings"]
