"""The hall's page: all tables, standings, and what the director may do; built of the same parts as a table's page."""
