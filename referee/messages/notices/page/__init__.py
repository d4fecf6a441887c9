"""Notices of the page, by what is shown.

`referee.messages.notices` gathers them; nobody else imports them from here.
"""
