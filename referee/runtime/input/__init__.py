"""What people want: presses, words at the console, answers to what the referee asks.

Everything becomes an event or a command before the controller sees it.
"""
