"""Everything about clubs: many tables at one MQTT broker, a hall that follows them, and tournaments.

`protocol` has the documents that are exchanged, and `mqtt` the connection to the broker. `table_side` sends the
documents of one table, and `hall` receives and stores those of all tables. `tournament` has seats and standings. The
pages of a hall are in `referee.pages.hall`.
"""
