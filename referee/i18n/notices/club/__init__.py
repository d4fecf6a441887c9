"""Notices of the club: its broker, the hall, tournaments, a smart home.

`referee.i18n.notices` gathers them; nobody else imports them from here.
"""
