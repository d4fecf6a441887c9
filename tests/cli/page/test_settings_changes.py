"""Settings changed on the page: whole or not at all, and no camera is told the password of another one."""

import tomllib
from dataclasses import replace

import pytest

from referee.cli.page.settings_changes import SettingsChanges, shown_values
from referee.errors import BadInput
from referee.page.wording import PageWording
from referee.settings.file import PAGE_FILE
from referee.settings.settings import CameraSettings, Settings, load

HOME = "http://192.168.1.20:8080/video"
OLD, NEW = "tulip", "rose"
LOGIN = f'[camera]\nkind = "network"\nsource = "{HOME}"\nuser = "ann"\npassword = "{OLD}"\n'


class House:
    """A settings file, and what is chosen on the page beside it."""

    def __init__(self, folder, text=LOGIN):
        self.folder, self.path = folder / "state", folder / "referee.toml"
        self.path.write_text(text)
        self.plans = lambda _: None

    def load(self, page=None):
        flags = {"storage.state": str(self.folder)}
        return load(self.path, {}, flags, state=lambda _: self.folder, page=page)

    def take(self, **changes):
        changes = {name.replace("__", "."): value for name, value in changes.items()}
        return SettingsChanges(self.load, self.plans, None).take(self.load(), changes)

    @property
    def camera(self):
        return self.load().camera

    def chosen(self):
        path = self.folder / PAGE_FILE
        return tomllib.loads(path.read_text()) if path.exists() else {}


@pytest.fixture(autouse=True)
def no_box(monkeypatch):
    monkeypatch.setattr("referee.cli.page.settings_changes.with_box", lambda settings, *_: (settings, None))


@pytest.fixture
def house(tmp_path):
    return House(tmp_path)


def test_a_camera_elsewhere_is_told_no_password_of_the_one_before(house):
    assert house.take(camera__source="http://192.168.1.66:8080/video") is None
    assert (house.camera.user, house.camera.password) == ("", "")


def test_a_user_that_is_told_along_stays_and_the_password_still_goes(house):
    assert house.take(camera__source="http://192.168.1.66:8080/video", camera__user="ann") is None
    assert (house.camera.user, house.camera.password) == ("ann", "")
    assert house.take(camera__source="http://192.168.1.67/", camera__user="eve", camera__password=NEW) is None
    assert (house.camera.user, house.camera.password) == ("eve", NEW)


@pytest.mark.parametrize("source", ["http://192.168.1.20:8081/video", "https://192.168.1.20:8080/video"])
def test_another_port_or_way_is_another_place(house, source):
    assert house.take(camera__kind="usb", camera__source="5") is None
    assert house.take(camera__password=OLD) is None
    assert house.take(camera__kind="network", camera__source=source) is None
    assert house.camera.password == ""


@pytest.mark.parametrize(
    ("kind", "source", "told"),
    [
        ("network", "0", "Nothing was changed: a network camera has an address such as "),
        ("network", "http://[::1", "but this is one whose host or port cannot be read."),
        (
            "network",
            "http://a b/",
            "but this is one that contains a space or another character that no address can have.",
        ),
        ("usb", "http://192.168.1.66/", "This camera cannot be found"),
        ("usb", "x", "This camera cannot be found"),
        ("video", "/dev/zero", "This camera cannot be found"),
        ("folder", "/dev/zero", "This camera cannot be found"),
        ("folder", "/no/such", "This camera cannot be found"),
    ],
)
def test_a_camera_that_cannot_be_there_is_refused_with_the_reason(house, kind, source, told):
    assert house.take(game__rounds=7) is None
    refused = house.take(camera__kind=kind, camera__source=source)
    assert told in PageWording("en")(refused)
    assert house.chosen() == {"game": {"rounds": 7}}
    assert house.camera.source == HOME


def test_a_camera_that_is_gone_does_not_keep_other_settings_from_being_changed(house, tmp_path):
    video = tmp_path / "evening.mp4"
    video.touch()
    assert house.take(camera__kind="video", camera__source=str(video)) is None
    video.unlink()
    assert house.take(game__rounds=7) is None


def test_another_path_of_the_same_camera_needs_no_new_password(house):
    assert house.take(camera__source="http://192.168.1.20:8080/shot.jpg", camera__user="ann") is None
    assert house.camera.password == OLD


def test_a_source_changed_while_another_kind_is_in_use_forgets_the_password_too(house):
    assert house.take(camera__kind="pi", camera__source="http://192.168.1.66/") is None
    assert house.take(camera__kind="network") is None
    assert house.camera.password == ""


def test_an_address_left_empty_stays_as_the_page_promises(house):
    assert house.take(camera__kind="network", camera__source="", camera__user="ann") is None
    assert (house.camera.source, house.camera.password) == (HOME, OLD)


def test_no_address_of_a_camera_is_shown_whatever_kind_is_in_use():
    for source in ("http://ann:tulip@192.168.1.20/", "rtsp://192.168.1.20/?password=tulip", "ann:tulip@camera"):
        for kind in ("network", "usb", "folder", "video"):
            shown = shown_values(replace(Settings(), camera=CameraSettings(kind, source, password=NEW)))
            assert not any(OLD in str(value) or NEW in str(value) for value in shown.values())
    assert shown_values(replace(Settings(), camera=CameraSettings("usb", "2")))["camera.source"] == "2"


@pytest.mark.parametrize("error", [BadInput("no"), ValueError("no"), OSError("no"), KeyError("no")])
def test_whatever_goes_wrong_the_file_is_as_it_was(house, error):
    assert house.take(game__rounds=5) is None

    def plans(_):
        raise error

    house.plans = plans
    assert house.take(game__rounds=7) is not None
    assert house.chosen() == {"game": {"rounds": 5}}


def test_where_there_was_no_file_none_is_left(house):
    house.plans = lambda _: 1 // 0
    told = house.take(game__rounds=7)
    assert told.key == "setup.not_taken"
    assert not (house.folder / PAGE_FILE).exists()


def test_settings_are_checked_in_memory_before_anything_is_written(house):
    assert house.take(game__rounds=5) is None
    checked = []

    def plans(settings):
        checked.append((settings.game.rounds, house.chosen()))
        raise BadInput("no")

    house.plans = plans
    assert house.take(game__rounds=7) is not None
    assert checked == [(7, {"game": {"rounds": 5}})]


def test_settings_that_do_not_fit_are_refused_where_nothing_can_be_written(house):
    """On a full disk, say: what is wrong with them is told, and nothing is tried there."""
    house.folder.write_text("no folder")
    house.plans = lambda _: 1 // 0
    assert house.take(game__rounds=7).key == "setup.not_taken"
    house.plans = lambda _: None
    assert house.take(game__rounds=7).key == "setup.not_kept"
    assert house.folder.read_text() == "no folder"


def test_a_setting_out_of_its_range_is_refused_and_not_written(house):
    assert house.take(game__rounds=101) is not None
    assert house.take(camera__kind="pie") is not None
    assert house.chosen() == {}
