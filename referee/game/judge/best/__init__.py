"""The search for the best legal turn. Begin with `search`."""
