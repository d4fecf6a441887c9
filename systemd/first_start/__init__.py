"""Installs the referee at the first start of a new card, with the system's Python alone, and shows its progress.

`make card-bundle` packs these files and those of `updater` into `first-start.pyz`, which lies on the boot partition.
"""
