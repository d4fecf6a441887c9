"""Whether everything is in order, and what to do about each thing that is not: measured first, judged on values."""
