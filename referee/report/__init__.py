"""Help that can be sent: what a builder needs to see of a table that does not work, without anything private.

Nothing is sent from here. A bundle is shown to the people at the table, who save it and pass it on if they wish.
"""
