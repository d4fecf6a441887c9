"""What becomes of a journal that is damaged, altered or not ours: set aside, and saved as far as it can be read.

Nothing is deleted here.
"""
