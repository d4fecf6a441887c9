"""One module per outside thing, each with a fake beside it."""
