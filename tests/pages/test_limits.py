"""What a page lets people enter is held to the limits of the commands, those to the declared settings."""

import inspect
import re
from pathlib import Path

import pytest

from referee.api import read
from referee.club.protocol.documents import MOST_ROUNDS
from referee.devices.camera.camera import CaptureSettings
from referee.devices.camera.files import FolderCamera, VideoCamera
from referee.devices.camera.network.camera import NetworkSettings
from referee.devices.camera.pi_focus import USUAL_M
from referee.devices.camera.pi_settings import PiSettings
from referee.devices.voice import Voice
from referee.i18n import LANGUAGES
from referee.page.access import Policy
from referee.page.pages import Pages, input_limits
from referee.pages.hall.app import ALL_COMMANDS
from referee.pages.table.commands import COMMANDS
from referee.pages.table.commands.setup import ENTRIES
from referee.pages.table.setup.pages import CAMERAS
from referee.settings.settings import SETTINGS
from referee.sim.table import Setting as VirtualSetting
from referee.table.lobby import Plan
from referee.table.looking.vision_worker import Watch
from referee.table.output.follower import Facts, Follower
from referee.vision.pipeline import TableReader

REFEREE = Path(__file__).parents[2] / "referee"
SHOWN = [*REFEREE.glob("page*/**/*.html"), *REFEREE.glob("page*/**/*.js")]
BY_HAND = re.compile(r"""<input[^>]*\b(?:min|max|maxlength)="\d|<textarea[^>]*\bmaxlength="\d|maxlength:[^,]*\d""")


@pytest.mark.parametrize("path", SHOWN, ids=lambda path: path.name)
def test_no_limit_is_written_by_hand(path):
    assert BY_HAND.findall(path.read_text(encoding="utf-8")) == []


def test_a_limit_written_by_hand_would_be_noticed():
    for text in ('<input id="a" min="1">', '<input maxlength="40">', 'make("input", { maxlength: 40, id: 1 })'):
        assert BY_HAND.search(text)


@pytest.mark.parametrize(
    ("schema", "attributes"),
    [
        ({"type": "integer", "minimum": 1, "maximum": 9}, 'min="1" max="9" step="1"'),
        ({"type": "number", "minimum": 0, "maximum": 0.5}, 'min="0" max="0.5" step="any"'),
        ({"type": "string", "minLength": 1, "maxLength": 60}, 'maxlength="60"'),
        ({"type": "array", "items": {"type": "string", "maxLength": 40}, "maxItems": 8}, 'maxlength="40"'),
    ],
)
def test_an_input_is_held_to_its_schema(schema, attributes):
    assert input_limits(schema) == attributes


@pytest.mark.parametrize(("commands", "place"), [(COMMANDS, "table"), (ALL_COMMANDS, "hall")])
def test_every_limit_that_a_template_asks_for_is_there(commands, place):
    pages = Pages(commands=commands)
    asked = [
        re.findall(r'"([^"]+)"', call)
        for path in (REFEREE / "pages" / place / "templates").glob("*.html")
        for call in re.findall(r"limits\(([^)]*)\)", path.read_text(encoding="utf-8"))
    ]
    assert asked
    assert all(pages.limits(*path) for path in asked)


def test_the_page_takes_what_the_declarations_say():
    for name, entry in ENTRIES.items():
        setting = SETTINGS.get(name)
        schema = entry.schema.get("items", entry.schema)
        if setting is not None and setting.low is not None:
            assert (schema["minimum"], schema["maximum"]) == (setting.low, setting.high)
        if setting is not None and setting.one_of:
            assert schema["enum"] == list(setting.one_of)


def test_every_kind_of_camera_is_offered():
    assert sorted(CAMERAS) == sorted(SETTINGS["camera.kind"].one_of)


def test_every_language_can_be_chosen():
    assert SETTINGS["game.language"].one_of == ("auto", *LANGUAGES)


def test_a_hall_may_ask_for_as_many_rounds_as_a_table_plays():
    assert SETTINGS["game.rounds"].high == MOST_ROUNDS


@pytest.mark.parametrize("kind", [CaptureSettings, PiSettings, NetworkSettings])
def test_a_camera_is_built_by_default_as_the_settings_declare(kind):
    made = kind()
    assert {name: getattr(made, name) for name in kind.__dataclass_fields__} == {
        name: SETTINGS[f"camera.{name}"].default for name in kind.__dataclass_fields__
    }


def test_other_parts_are_built_by_default_as_the_settings_declare():
    def default(call, name):
        return inspect.signature(call).parameters[name].default

    assert default(Voice, "words_a_minute") == SETTINGS["voice.words_a_minute"].default
    assert {default(kind, "preview_px") for kind in (FolderCamera, VideoCamera)} == {
        SETTINGS["camera.preview_px"].default
    }
    assert SETTINGS["camera.focus_m"].default == USUAL_M
    assert (Policy().reading, Policy().writing) == (SETTINGS["web.reading"].default, SETTINGS["web.writing"].default)
    watch = Watch()
    assert (1 / watch.every_s, watch.still_s, watch.read_ahead) == tuple(
        SETTINGS[f"watching.{name}"].default for name in ("per_second", "still_s", "read_ahead")
    )
    size_mm = (SETTINGS["table.width_mm"].default, SETTINGS["table.height_mm"].default)
    assert {default(call, "table_mm") for call in (Follower, Facts, TableReader.read, VirtualSetting, read)} == {
        size_mm
    }
    assert default(Plan, "rounds") == SETTINGS["game.rounds"].default
