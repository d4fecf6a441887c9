"""The virtual table: camera pictures of any table, and players who play on it."""
