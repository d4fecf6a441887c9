"""What has changed since an earlier picture: motion, hands over the table, tiles that moved, places that are bare.

Everything is compared in the light of the later picture.
"""
