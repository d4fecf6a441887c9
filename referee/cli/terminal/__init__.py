"""What the verbs share: exit codes, consoles, options, tables, and handling of closed or full standard streams.

It also finds the settings and boxes that the command line names. Each module is imported on its own, because
`stopping` must be loaded alone and before all others.
"""
