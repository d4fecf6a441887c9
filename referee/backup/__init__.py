"""Backups: one file with everything that a table has gathered, and how it comes back.

1. A backup is a ZIP file. Its manifest names every other member with size and SHA-256, and comes last, so a file that
   was cut off has none.
2. A backup is written under another name, read back, and only then renamed.
3. Before a restore changes anything, the backup is checked, unpacked beside the present files, and these are saved.
4. One rename decides. From then on an interrupted restore is completed by the next program that uses the folder.
"""
