"""Seeing: pure functions on arrays, from a picture to a sighting."""
