"""What is made for operators never reaches the page: no settings, no paths, no commands, no errors in English."""

import re

import pytest

from referee.cli.page.settings_changes import told_on_page
from referee.errors import BadInput, CameraLost
from referee.game.notice import Notice
from referee.game.rulebooks import RULESETS
from referee.i18n import ENGLISH, LANGUAGES
from referee.i18n.notices import NOTICES, Kind
from referee.page.wording import NOT_POSSIBLE, PageWording, for_family

REACH = (
    *("camera", "club", "panel", "journal", "play", "setup", "reading", "page", "buttons", "tap", "start", "match"),
    "judge",
    "rules",
    "box",
)
"""Domains whose notices may be told on the page of a table."""
TECHNICAL = re.compile(
    r"\[\w+\]|\b[Ee]xpected\b|\bsudo\b|`|\.toml|\bpicamera2|\bnumpy|\blgpio|DICT_|\{(reason|error|path|folder)"
)
FOR_OPERATORS = {
    # Remarks about settings that a camera does not know: on the console only.
    "camera.leave_it_out", "camera.leave_exposure_out", "camera.set_what_it_can", "camera.net_not_told",
    "camera.usb_not_told", "camera.no_reboot",
    # What the doctor says, and the answer to a command of the hall, whose director reads it.
    "club.see_to_broker", "club.use_tls", "club.command_not_allowed",
    # Parts of a sentence that the page replaces as a whole.
    "journal.a_file", "journal.dead_link",
    # Whoever set up the machine is the only one who can let phones open the page.
    "setup.qr_none",
}  # fmt: skip
VALUES = {Kind.NAME: "x", Kind.NUMBER: 2, Kind.AMOUNT: 2.0, Kind.NAMES: ("x",), Kind.NOTICE: Notice("page.title"),
          Kind.NOTICES: (Notice("page.title"),)}  # fmt: skip
COMMAND_LINE = {"play.expected_answer", "box.expected_place", "box.expected_place_such_as", "box.expected_tile"}
"""Answers to what somebody types at the console."""


def made(key):
    fields = {name: VALUES[kind] for name, kind in NOTICES[key].fields.items() if kind in VALUES}
    return Notice(key, **fields) if len(fields) == len(NOTICES[key].fields) else None


def reaching():
    found = (made(key) for key in NOTICES if key.partition(".")[0] in REACH)
    return [told for told in found if told is not None and told.key not in FOR_OPERATORS | COMMAND_LINE]


def entry(key):
    """The sentence of a key in English, with its fields by name."""
    return PageWording("en").entry(key, None if NOTICES[key].by is None else 2)


def test_no_sentence_of_the_page_is_for_operators():
    assert {told.key: text for told in reaching() if TECHNICAL.search(text := entry(for_family(told).key))} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_of_them_can_be_said(language):
    words = PageWording(language)
    assert all(words(told) for told in reaching())


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", 'No camera yet: connect one, or choose another camera in the step “Camera and light”.'),
     ("de", "Noch keine Kamera: Schließ eine an, oder wähl im Schritt „Kamera und Licht“ eine andere."),
     ("fr", "Pas encore de caméra\xa0: branches-en une, ou choisis une autre caméra à l'étape "
      "«\xa0Caméra et lumière\xa0»."),
     ("it", "Ancora nessuna telecamera: collegane una o scegli un'altra telecamera nel passo "
      "«Telecamera e luce».")],
)  # fmt: skip
def test_a_missing_camera_is_told_with_what_to_do_and_operators_have_the_reason(language, told):
    lost = CameraLost(Notice("camera.no_picamera2"))
    assert PageWording(language)(told_on_page(lost)) == told
    waiting = Notice("camera.waiting", why=told_on_page(lost), seconds=20.0)
    assert PageWording(language)(waiting).startswith(told)
    assert "picamera2" in ENGLISH(told_on_page(lost))


def test_an_error_that_has_only_a_text_is_not_shown():
    error = BadInput("[camera] fps: expected a number, found 'x' (/etc/referee.toml, line 3)")
    assert "fps" not in PageWording("de")(told_on_page(error))
    assert told_on_page(error, NOT_POSSIBLE) == NOT_POSSIBLE


@pytest.mark.parametrize(
    "key", ["expects_tls", "no_ca", "no_tls", "taken_over", "wrong_certificate", "wrong_password"]
)
def test_troubles_of_the_club_name_no_key_of_the_settings_on_the_page(key):
    told = made(f"club.{key}")
    assert told is not None
    assert "[club]" in ENGLISH(told)
    assert not TECHNICAL.search(PageWording("en")(told))


@pytest.mark.parametrize("key", ["camera.net_lost_again", "play.net_camera_hangs"])
@pytest.mark.parametrize(
    ("language", "plug", "phone"),
    [("en", "plug", "phone"), ("de", "Stecker", "Handy"), ("fr", "prise", "téléphone"), ("it", "spina", "telefono")],
)
def test_of_a_camera_on_a_phone_the_phone_is_told_and_no_plug(key, language, plug, phone):
    text = PageWording(language)(made(key))
    assert phone in text
    assert plug not in text


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", "These house rules do not go together: without a winning set there is no value to reach."),
     ("de", "Diese Hausregeln passen nicht zusammen: ohne vereinbarte Schlusskombination gibt es keinen Wert, der zu "
      "erreichen ist.")],
)  # fmt: skip
def test_house_rules_that_contradict_each_other_are_told_without_their_names_in_the_settings(language, told):
    with pytest.raises(BadInput) as caught:
        RULESETS["piatnik"].choose(**{"winning-sum": "at-least"})
    assert PageWording(language)(told_on_page(caught.value)) == told


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_line_breaks_between_a_number_and_its_unit(language):
    words = PageWording(language)
    apart = words(Notice("setup.apart", width=900, height=600))
    assert "900\xa0mm" in apart
    assert "600\xa0mm" in apart
    signal = words(Notice("system.wifi_signal", signal=70))
    assert ("70%" if language == "en" else "70\xa0%") in signal
    assert re.search(r"10 [sS]", words(Notice("play.seconds_10")))  # a word, not a unit


@pytest.mark.parametrize("language", LANGUAGES)
def test_how_a_match_is_ended_names_the_button_as_it_is_labelled_then(language):
    words = PageWording(language)
    told = words(Notice("buttons.hold_start"))
    assert words(Notice("buttons.go_on")) in told
    assert words(Notice("buttons.start")) not in told


@pytest.mark.parametrize(
    "key", ["journal.disk_full", "journal.disk_full_unplayed", "journal.read_only", "journal.read_only_unplayed"]
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_card_that_takes_nothing_is_told_as_a_sentence_without_the_path_of_a_file(language, key):
    told = PageWording(language)(Notice(key, where="/var/lib/referee/journal.db"))
    assert "journal.db" not in told
    assert told[0].isupper()
    assert told.endswith(".")


def test_a_disk_that_fails_twice_is_told_as_one_that_fails():
    once = Notice("journal.disk_fails", reason="Input/output error", where="/var/lib/referee/journal.db")
    assert for_family(Notice("journal.disk_fails_twice", why=once)) == for_family(once)
