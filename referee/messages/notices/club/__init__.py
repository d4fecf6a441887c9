"""Notices of the club: its broker, the hall, tournaments, a smart home.

`referee.messages.notices` gathers them; nobody else imports them from here.
"""
