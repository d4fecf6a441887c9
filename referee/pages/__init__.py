"""The two apps in the browser, both built of `referee.page`: that of a table and that of a hall.

Neither imports the other: what both need is in `referee.page`.
"""
