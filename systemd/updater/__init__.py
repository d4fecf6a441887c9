"""Changes from one installed version to another and back again, with the system's Python alone.

A version that does not start cannot take itself back. So nothing here needs a library, and none of these files lies in
the folder of a version. `systemd/README.md` describes the slots and the trial of a new version.
"""
