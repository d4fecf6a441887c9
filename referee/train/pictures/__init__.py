"""The pictures that the networks learn from: faces, inks, surfaces, light, whole tables.

All of them are made up; no photograph is used.
"""
