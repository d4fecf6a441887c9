"""Everything about clubs: many tables at one MQTT broker, a hall that follows them, and tournaments.

`protocol` has the documents on the wire, `mqtt` the line to the broker, `table_side` what one table tells, `hall` what
becomes of it, and `tournament` the seats and standings. The pages of a hall are in `referee.pages.hall`.
"""
