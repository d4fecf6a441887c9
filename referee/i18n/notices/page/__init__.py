"""Notices of the page, by what is shown.

`referee.i18n.notices` gathers them; nobody else imports them from here.
"""
