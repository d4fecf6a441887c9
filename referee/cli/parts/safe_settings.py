"""The settings of safe mode: the defaults, except for what a table and its page cannot do without."""

from __future__ import annotations

from dataclasses import replace

from referee.settings.settings import Settings

KEPT_OF_CAMERA = ("kind", "source", "user", "password", "certificate", "anywhere", "mains_hz")
DISPLAY = "display"


def safe_settings(settings: Settings) -> Settings:
    """Return the settings of safe mode: no voice, display, club and hooks, and no camera that was tuned.

    Kept: the journal's place, backups, the page and who may use it, what is played, the table, which camera there is,
    and how the panel is wired: by other pins the referee would drive lines that something else is connected to.
    """
    usual = Settings()
    return replace(
        usual,
        game=settings.game,
        table=settings.table,
        camera=replace(usual.camera, **{name: getattr(settings.camera, name) for name in KEPT_OF_CAMERA}),
        storage=settings.storage,
        backup=settings.backup,
        web=settings.web,
        panel={name: value for name, value in settings.panel.items() if name != DISPLAY},
        source=settings.source,
        places=settings.places,
    )
