"""The page of this machine beside the tables that are built one after the other."""
