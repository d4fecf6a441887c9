"""People at the virtual table: what they lay, what they do wrong, and how they follow what the referee says.

`people` plays Rummy and `gin_people` plays Gin.
"""
