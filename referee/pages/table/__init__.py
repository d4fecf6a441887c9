"""The page of one table: the game, its questions, set-up, scores, large buttons and the view for televisions.

Start reading at `server`. `parts` makes the state that the page shows, `commands` has the commands that it accepts;
`scores` and `setup` have the pages of those names.
"""
