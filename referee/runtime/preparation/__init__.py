"""What is made right before a match and between rounds: light and focus, the box, the lens, what the reader learns.

No turn runs meanwhile.
"""
