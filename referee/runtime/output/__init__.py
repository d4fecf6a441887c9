"""What people see and hear of the match: lamps, tones and sentences.

`presenter` is the one that shows them.
"""
