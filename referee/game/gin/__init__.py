"""Gin Rummy: hidden hands of ten, an open row of discards, a knock, and what is counted then."""
