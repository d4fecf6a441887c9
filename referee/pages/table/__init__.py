"""The page of one table: the game, its questions, set-up, scores, large buttons and the view for televisions.

`server` is where to begin. `parts` has what the page shows, `commands` what it takes; `scores` and `setup` have the
pages of those names.
"""
