"""The page "What can be laid?": reading pictures that are sent to it, and finding the best turn.

Both need the processor for up to a few seconds, so they run in a thread of their own, one at a time, and the running
table never waits for them. During a match all of it is refused unless the players agreed to it before.
"""
