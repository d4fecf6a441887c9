"""Pictures of a table: tiles, things, light and lens, drawn without any file of type or texture.

`render` takes a picture of a `scene`.
"""
