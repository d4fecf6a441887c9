"""Notices of the page, by what is shown."""
