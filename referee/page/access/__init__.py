"""Who may see and do what: names and origins, sizes and rates, the PIN and what it opens.

A request passes the connection's door, then how often its address may ask, the names of the page, whose it is and what
that one may do, and how large it is; each refuses with a status of its own and one plain sentence.
"""

from referee.page.access.access import Access
from referee.page.access.policy import Limits, Policy, Rate, is_local

__all__ = ["Access", "Limits", "Policy", "Rate", "is_local"]
