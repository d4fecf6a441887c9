"""`referee update`: hands a bundle over, from a file or the web, and says what becomes of it."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from bundle_files import bundle_bytes, web
from command_line import run
from dead_addresses import refusing

from referee.cli.verbs import update as verb
from referee.devices import update_files
from referee.devices.update_download import PIECE
from referee.devices.update_files import BUNDLE, UPDATES
from referee.devices.update_result import result_folder
from referee.errors import BadInput
from referee.i18n import ENGLISH, Wording

Captured = pytest.CaptureFixture[str]
RESULT = {"version": "2-abc", "before": "1-def", "reason": "", "detail": "", "lost": 0}
DATA = bundle_bytes()


@pytest.fixture(autouse=True)
def plenty(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is room on this disk."""
    monkeypatch.setattr(update_files, "FOR_INSTALLING", 0)


def write(folder: Path, **changed: object) -> None:
    (folder / ".new").write_text(json.dumps({**RESULT, **changed}))
    (folder / ".new").replace(folder / "update.json")


def updater(state: Path, *results: dict[str, str]) -> Iterator[None]:
    """What the updater does at each look: it takes the bundle, and writes how far it has come."""
    assert (state / UPDATES / BUNDLE).read_bytes() == DATA
    for result in results:
        write(state, **result)
        yield


@pytest.mark.parametrize("way", ["a file", "an address"])
@pytest.mark.parametrize(
    ("ends", "code", "told"),
    [
        ({"state": "trying"}, 0, "Version 2-abc has just been started"),
        ({"state": "waits"}, 0, "It will be used when the match has ended."),
        ({"state": "cancelled"}, 0, "The update to version 2-abc was cancelled."),
        ({"state": "failed", "reason": "signature"}, 1, "it is not signed by anybody"),
        ({"state": "back", "reason": "stopped"}, 1, "Version 1-def is in use again."),
    ],
)
def test_it_is_handed_over_whole_and_followed(
    tmp_path: Path, capsys: Captured, way: str, ends: dict[str, str], code: int, told: str
) -> None:
    state, file = tmp_path / "state", tmp_path / "referee.bundle"
    state.mkdir()
    file.write_bytes(DATA)
    write(state, state="failed", reason="no_room")  # of an update before
    looks: list[Iterator[None]] = []

    def sleep(_: float) -> None:
        if not looks:
            looks.append(updater(state, {"state": "checking"}, {"state": "installing"}, ends))
        next(looks[0])

    with web(DATA) as server:
        source = str(file) if way == "a file" else server.address
        assert verb.install_from(source, state, ENGLISH, sleep) == code
    said = capsys.readouterr()
    text = " ".join((said.out + said.err).split())
    assert told in text
    assert "The update has arrived and will be checked. " in text
    assert "Version 2-abc is being installed." in text
    assert "not enough room" not in text
    assert [path.name for path in (state / UPDATES).iterdir()] == [BUNDLE]


@pytest.mark.parametrize(
    ("ends", "installed", "told"),
    [
        ({"state": "trying"}, True, "Version 2-abc has just been started"),
        ({"state": "failed", "reason": "signature", "detail": "another key"}, False, "it is not signed by anybody"),
        ({"state": "back", "reason": "stopped", "lost": 3}, False, "Version 1-def is in use again."),
        ({"state": "failed", "version": 2, "reason": [], "lost": True}, False, ""),
    ],
)
def test_a_program_is_answered_by_one_object(
    tmp_path: Path, capsys: Captured, ends: dict[str, object], installed: bool, told: str
) -> None:
    file = tmp_path / "referee.bundle"
    file.write_bytes(DATA)
    looks = updater(tmp_path, {"state": "checking"}, ends)
    code = verb.install_from(str(file), tmp_path, Wording("de"), lambda _: next(looks), as_json=True)
    assert code == (0 if installed else 1)
    said = capsys.readouterr()
    assert said.out.count("\n") == 1
    answer = json.loads(said.out)
    text, lost = answer.pop("text"), answer.pop("lost")
    assert told in text
    assert lost == (3 if ends["state"] == "back" else 0)
    known = {key: value if isinstance(value, str) else "" for key, value in {**RESULT, **ends}.items()}
    assert answer == {"installed": installed, **{key: known[key] for key in answer if key != "installed"}}
    assert "Das Update" in said.err


def test_what_becomes_of_it_is_asked_for_once_a_second(tmp_path: Path) -> None:
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        write(tmp_path, state="checking" if len(slept) < 3 else "trying")

    assert verb.follow(tmp_path, None, ENGLISH, sleep) == 0
    assert slept == [verb.LOOK_S] * 3


def test_which_address_is_asked_is_told_before_it_answers(tmp_path: Path, capsys: Captured) -> None:
    told: list[str] = []
    with web(DATA) as server:
        answer = server.answer

        def late(request: Any) -> None:
            told.append(capsys.readouterr().out)
            answer(request)

        server.answer = late
        verb.fetch(server.address, tmp_path, _never, ENGLISH, verb.tell)
    assert told == [f"The update is being fetched from {server.address}.\n"]


def test_without_a_terminal_lines_say_how_much_has_come(tmp_path: Path, capsys: Captured) -> None:
    """The standard error of tests is no terminal, so no bar is shown."""
    with web(data := bundle_bytes(size=3 * PIECE)) as server:
        server.breaks = [len(data) // 4, len(data) // 4]
        verb.fetch(server.address, tmp_path, lambda _: None, ENGLISH, verb.tell)
    lines = capsys.readouterr().out.splitlines()[1:]
    percents = [int(line.partition("%")[0]) for line in lines if line.endswith("% has arrived.")]
    assert percents == sorted(set(percents))
    assert percents[-1] == 100
    assert all(percent % verb.STEP == 0 for percent in percents)
    again = [line for line in lines if line.startswith(f"Fetching the update from {server.address} was interrupted (")]
    assert len(again) == 2
    assert all(line.endswith("It goes on in 2 seconds.") for line in again)
    assert len(percents) + len(again) == len(lines)


def test_with_one_object_for_programs_all_that_goes_to_standard_error(tmp_path: Path, capsys: Captured) -> None:
    with refusing() as port, pytest.raises(BadInput, match="Connection refused"):
        verb.install_from(f"http://127.0.0.1:{port}/x", tmp_path, Wording("fr"), _never, as_json=True)
    said = capsys.readouterr()
    assert said.out == ""
    assert f"Téléchargement de la mise à jour depuis http://127.0.0.1:{port}/x." in " ".join(said.err.split())


def _never(_: float) -> None:
    raise AssertionError("expected no other try")


@pytest.mark.parametrize("as_json", [False, True])
def test_a_bundle_that_no_updater_takes_is_removed_again(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch, as_json: bool
) -> None:
    file = tmp_path / "referee.bundle"
    file.write_bytes(DATA)
    write(tmp_path, state="failed", reason="no_room")  # of an update before
    monkeypatch.setattr(verb, "TAKEN_S", 0.0)
    words = ["update", str(file), "--state", str(tmp_path), *(["--json"] if as_json else [])]
    assert run(words)[0] == 2
    said = capsys.readouterr()
    text = json.loads(said.out)["error"] if as_json else " ".join(said.err.split())
    for part in (
        "expected the updater of this machine to take the bundle", "found no word from it", "was removed again",
        "systemctl status referee-update.path",
    ):  # fmt: skip
        assert part in text
    assert not (tmp_path / UPDATES / BUNDLE).exists()
    verb.hand_over(file, tmp_path)  # nothing is in the way of the next try


def wait_for_fault(state: Path, *steps: Callable[[], object]) -> tuple[str, float]:
    """What `follow()` raises, and after how many seconds; at each look, one more step is done."""
    slept, left = [0.0], list(steps)

    def sleep(seconds: float) -> None:
        slept[0] += seconds
        if left:
            left.pop(0)()

    with pytest.raises(BadInput) as error:
        verb.follow(state, None, ENGLISH, sleep)
    return str(error.value), slept[0]


def test_an_updater_that_is_never_started_is_waited_for_two_minutes(tmp_path: Path) -> None:
    (tmp_path / "referee.bundle").write_bytes(DATA)
    verb.hand_over(tmp_path / "referee.bundle", tmp_path)
    text, seconds = wait_for_fault(tmp_path)
    assert "no word from it" in text
    assert seconds == verb.TAKEN_S


def test_what_another_one_sent_meanwhile_is_not_removed(tmp_path: Path) -> None:
    """The updater took the first bundle without a word, as on a full card, and then another one arrived."""
    (tmp_path / "referee.bundle").write_bytes(DATA)
    verb.hand_over(tmp_path / "referee.bundle", tmp_path)

    def exchange() -> None:
        (tmp_path / "other").write_bytes(DATA)
        (tmp_path / "other").replace(tmp_path / UPDATES / BUNDLE)

    text, seconds = wait_for_fault(tmp_path, exchange)
    assert "to say what became of the bundle" in text
    assert verb.TAKEN_S <= seconds <= verb.TAKEN_S + 2 * verb.LOOK_S
    assert (tmp_path / UPDATES / BUNDLE).exists()


@pytest.mark.parametrize("progress", ["checking", "installing"])
def test_an_updater_that_ends_without_a_result_is_noticed(tmp_path: Path, progress: str) -> None:
    (tmp_path / "referee.bundle").write_bytes(DATA)
    verb.hand_over(tmp_path / "referee.bundle", tmp_path)
    text, seconds = wait_for_fault(
        tmp_path, lambda: write(tmp_path, state=progress), (tmp_path / UPDATES / BUNDLE).unlink
    )
    assert "to say what became of the bundle" in text
    assert verb.TAKEN_S <= seconds <= verb.TAKEN_S + 3 * verb.LOOK_S


def test_an_installation_that_hangs_is_followed_until_its_service_must_have_ended(tmp_path: Path) -> None:
    (tmp_path / "referee.bundle").write_bytes(DATA)
    verb.hand_over(tmp_path / "referee.bundle", tmp_path)
    text, seconds = wait_for_fault(tmp_path, lambda: write(tmp_path, state="installing"))
    assert "it may still go on" in text
    assert seconds == verb.ENDED_S
    assert "TimeoutStartSec=2h\n" in Path("systemd/referee-update.service").read_text()
    assert verb.ENDED_S > 2 * 3600


def test_an_updater_that_begins_while_its_bundle_is_withdrawn_is_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "referee.bundle").write_bytes(DATA)
    verb.hand_over(tmp_path / "referee.bundle", tmp_path)
    withdraw = verb.withdraw_bundle

    def begin(*what: Any) -> bool:
        write(tmp_path, state="checking")
        return withdraw(*what)

    monkeypatch.setattr(verb, "withdraw_bundle", begin)
    slept = [0.0]

    def sleep(seconds: float) -> None:
        slept[0] += seconds
        if slept[0] > verb.TAKEN_S:
            write(tmp_path, state="trying")

    assert verb.follow(tmp_path, None, ENGLISH, sleep) == 0
    assert slept[0] == verb.TAKEN_S + verb.LOOK_S


@pytest.mark.parametrize(
    ("settings", "folder"),
    [
        ('[storage]\nstate = "/srv/matches"\n', "/srv/matches"),
        ('[storage]\nstate = "matches"\n', "/var/lib/referee"),
        ("[storage]\nstate = 3\n", "/var/lib/referee"),
        ("storage = 3\n", "/var/lib/referee"),
        ("[stor", "/var/lib/referee"),
        (None, "/var/lib/referee"),
    ],
)
def test_the_result_is_looked_for_where_the_updater_writes_it(
    tmp_path: Path, settings: str | None, folder: str
) -> None:
    file = tmp_path / "referee.toml"
    if settings is not None:
        file.write_text(settings)
    assert result_folder(file) == Path(folder)


def test_a_journal_elsewhere_has_the_result(tmp_path: Path, capsys: Captured) -> None:
    state, result = tmp_path / "state", tmp_path / "matches"
    state.mkdir()
    result.mkdir()
    (tmp_path / "referee.bundle").write_bytes(DATA)
    code = verb.install_from(
        str(tmp_path / "referee.bundle"), state, ENGLISH, lambda _: write(result, state="trying"), result=result
    )
    assert code == 0
    assert "has just been started" in " ".join(capsys.readouterr().out.split())


def test_a_bundle_that_cannot_be_removed_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "referee.bundle").write_bytes(DATA)
    verb.hand_over(tmp_path / "referee.bundle", tmp_path)
    monkeypatch.setattr(verb, "withdraw_bundle", lambda *_: False)
    assert "may be installed later" in wait_for_fault(tmp_path)[0]


def test_what_cannot_be_handed_over_is_told(tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "referee.bundle"
    assert run(["update", str(file)])[0] == 2
    assert "expected the file of an update, found none" in capsys.readouterr().err
    assert run(["update", str(tmp_path)])[0] == 2
    file.write_bytes(b"no bundle" * 100)
    assert run(["update", str(file), "--state", str(tmp_path / "none")])[0] == 2
    assert "`sudo make install` makes it" in capsys.readouterr().err
    assert run(["update", str(file), "--state", str(tmp_path)])[0] == 2
    assert "expected the file of an update, found another file" in capsys.readouterr().err
    assert run(["update", ""])[0] == 2
    capsys.readouterr()
    monkeypatch.setattr(verb, "MOST_BYTES", 3)
    assert run(["update", str(file), "--state", str(tmp_path)])[0] == 2
    assert "expected at most 3 bytes" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("ftp://example.org/x", "expected an address that begins with http:// or https://"),
        ("{server}", "found: the server's answer 404"),
    ],
)
def test_what_cannot_be_fetched_is_told_and_leaves_nothing(
    tmp_path: Path, capsys: Captured, url: str, told: str
) -> None:
    with web(DATA) as server:
        server.statuses = [404]
        assert run(["update", url.format(server=server.address), "--state", str(tmp_path)])[0] == 2
    assert told in " ".join(capsys.readouterr().err.split())
    assert not (tmp_path / UPDATES / BUNDLE).exists()


def test_a_bundle_while_another_one_is_being_installed_is_refused(tmp_path: Path, capsys: Captured) -> None:
    file = tmp_path / "referee.bundle"
    file.write_bytes(DATA)
    verb.hand_over(file, tmp_path)
    assert run(["update", str(file), "--state", str(tmp_path)])[0] == 2
    assert "wait until it is installed" in capsys.readouterr().err


def test_a_link_that_somebody_planted_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "updates").mkdir()
    (tmp_path / "precious").write_text("kept")
    (tmp_path / "updates/.bundle.part").symlink_to(tmp_path / "precious")
    file = tmp_path / "referee.bundle"
    file.write_bytes(DATA)
    verb.hand_over(file, tmp_path)
    assert (tmp_path / "precious").read_text() == "kept"
    assert (tmp_path / "updates/bundle").read_bytes() == DATA
