"""What people see and hear of the match: lamps, tones and sentences.

`presenter` is the one that shows them. It is imported from its module: `referee scores` needs `notices` alone, without
camera and networks.
"""
