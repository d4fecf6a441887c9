"""The journal: everything that happened at the table, kept on disk before anybody sees its effect."""
