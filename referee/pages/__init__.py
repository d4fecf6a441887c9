"""The two apps in the browser, both built of `referee.page`: that of a table and that of a hall.

Neither imports the other's parts but for the commands' dispatcher and the answer for a missing picture.
"""
