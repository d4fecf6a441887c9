"""The puzzle of the day. It is made from the journal once a day, and checked with the camera on request."""
