"""What is made right before a match and between rounds: light and focus, the box, the lens, what the reader learns.

No turn runs meanwhile. `at_a_screen` and `enrolment` are where to begin; each part is imported from its module, for
those who need one load none of the others.
"""
