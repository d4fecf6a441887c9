"""The two web applications, both built on `referee.page`: that of a table and that of a hall.

Neither imports the other; what both need is in `referee.page`, and in `referee.pages.qr`.
"""
