"""What people see and hear of the match: lamps, tones and sentences.

`presenter` shows all of it. Import it from its own module: `referee scores` needs only `notices`, and must not load
camera and networks for it.
"""
