"""Training: generated pictures, the nets, export. Never imported at run time."""
