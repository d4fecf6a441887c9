"""What `referee hall --setup` writes: accounts, access list and certificates, tried with a real Mosquitto."""

import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import tomllib
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("mosquitto", reason="paho-mqtt is not installed")

from mosquitto import MISSING, PROGRAM, Mosquitto, until

from referee.cli.programs.hall import HallProgram
from referee.club.broker_setup import (
    BROKER_FOLDER,
    BROKER_SETTINGS,
    SETTINGS_FOLDER,
    access_list,
    hash_password,
    plan_files,
    prepare_club,
    read_accounts,
    write_files,
)
from referee.club.mqtt.mqtt import probe
from referee.club.table_side.club import endpoint_of
from referee.errors import BadInput
from referee.i18n import Wording
from referee.settings.settings import load

needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
LONGEST_S = 120


def counting(start=0):
    """Random bytes for tests: every call gives others, and every run the same."""
    calls = iter(range(start, 10_000))
    return lambda count: next(calls).to_bytes(count, "big")


def set_up(folder, *arguments):
    return subprocess.run(  # noqa: S603
        [sys.executable, "-m", "referee", "hall", "--setup", str(folder), *arguments],
        capture_output=True, text=True, check=False, timeout=LONGEST_S, stdin=subprocess.DEVNULL,
    )  # fmt: skip


@pytest.fixture
def club(tmp_path):
    """A club of two tables in a folder."""
    folder = tmp_path / "club"
    write_files(
        folder, plan_files(prepare_club(folder, 2, ["127.0.0.1", "broker.local"], None, counting()), counting())
    )
    return folder


def test_a_password_is_hashed_as_mosquitto_does_it():
    """The line is one that mosquitto_passwd 2.0.11 wrote."""
    digest = "1ptB1jJoJxPn8/r0VBzS4fF0vw0msFOx6L/cW4FV9q/jvAPgk0xasv3LGyZtQ4+jAb1gj41GhwjjddKQiGld+Q=="
    salt = bytes.fromhex("0c7f7c008f2fc3b7e9773f25")
    assert hash_password("pw", salt) == f"$7$101$DH98AI8vw7fpdz8l${digest}"


@needs_openssl
def test_every_user_has_a_password_of_its_own_and_only_the_owner_may_read_them(club):
    accounts = read_accounts(club)
    assert list(accounts.passwords) == ["hall", "home-assistant", "table-1", "table-2"]
    assert len(set(accounts.passwords.values())) == 4
    assert stat.S_IMODE(club.stat().st_mode) == 0o700
    words = [word.encode() for word in (*accounts.passwords.values(), "PRIVATE KEY", "$7$")]
    files = [path for path in club.rglob("*") if path.is_file()]
    secret = {path for path in files if any(word in path.read_bytes() for word in words)}
    assert {stat.S_IMODE(path.stat().st_mode) for path in secret} == {0o600}
    assert {path.relative_to(club).as_posix() for path in secret} == {
        "club.json", "broker/passwords", "broker/server.key", "hall/hall.toml", "home-assistant/account.txt",
        "table-1/club.toml", "table-2/club.toml",
    }  # fmt: skip


@needs_openssl
def test_tables_that_are_added_leave_the_others_as_they_are(club):
    before = read_accounts(club)
    done = set_up(club, "--tables", "3")
    assert done.returncode == 0, done.stderr
    after = read_accounts(club)
    assert after.tables == ["table-1", "table-2", "table-3"]
    assert before.passwords.items() <= after.passwords.items()
    assert (after.hosts, after.authority.certificate) == (before.hosts, before.authority.certificate)
    assert set_up(club, "--tables", "1", "--broker", "192.168.1.10").returncode == 0
    assert read_accounts(club).tables == after.tables
    assert read_accounts(club).hosts == ("192.168.1.10",)


@needs_openssl
def test_a_topic_is_kept_until_another_one_is_chosen(club):
    assert set_up(club, "--tables", "2", "--set", "club.topic=club/rummy").returncode == 0
    assert set_up(club, "--tables", "3").returncode == 0
    assert read_accounts(club).topic == "club/rummy"
    assert "pattern read club/rummy/1/%u/do" in (club / "broker/acl").read_text()
    assert tomllib.loads((club / "table-3/club.toml").read_text())["topic"] == "club/rummy"


@needs_openssl
def test_a_table_whose_clock_was_never_set_trusts_the_broker(club):
    for moment in (86_400, 2_500_000_000):
        subprocess.run(  # noqa: S603
            ["openssl", "verify", "-x509_strict", "-attime", str(moment), "-verify_ip", "127.0.0.1",  # noqa: S607
             "-verify_hostname", "broker.local", "-CAfile", "ca.pem", "server.pem"],
            cwd=club / "broker", check=True, timeout=LONGEST_S,
        )  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(["--broker", "a b"], "expected the number of tables", id="no tables"),
        pytest.param(["--tables", "0"], "expected 1 to 1000 --tables, found 0", id="none"),
        pytest.param(["--tables", "1001"], "expected 1 to 1000 --tables, found 1001", id="too many"),
        pytest.param(
            ["--tables", "2", "--broker", "a b"], "expected a name or an address of the broker", id="no host"
        ),
        pytest.param(
            ["--tables", "2", "--broker", "x\nDNS:y"], "--broker: expected a name or an address", id="two lines"
        ),
        pytest.param(["--tables", "2", "--set", "club.topic=#"], "--set club.topic: expected a topic", id="no topic"),
    ],
)
def test_what_cannot_be_a_club_is_refused_in_one_line(tmp_path, arguments, words):
    done = set_up(tmp_path / "club", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "club").exists()


def test_a_file_in_the_place_of_the_folder_is_named(tmp_path):
    (tmp_path / "club").touch()
    done = set_up(tmp_path / "club", "--tables", "2", "--broker", "localhost")
    assert done.returncode == 2
    assert done.stderr == f"referee: --setup: expected a folder to write to, found a file ({tmp_path / 'club'})\n"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"hosts": []}', '{"hosts": 1, "topic": 2, "passwords": 3}'])
def test_accounts_that_cannot_be_read_are_never_written_over(tmp_path, text):
    (tmp_path / "club.json").write_text(text)
    done = set_up(tmp_path, "--tables", "2", "--broker", "localhost")
    assert (done.returncode, (tmp_path / "club.json").read_text()) == (2, text)
    assert "expected the accounts of a club" in done.stderr


def test_options_of_the_set_up_need_it():
    done = subprocess.run(
        [sys.executable, "-m", "referee", "hall", "--tables", "3"],
        capture_output=True, text=True, check=False, timeout=LONGEST_S, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert done.returncode == 2
    assert "--setup" in done.stderr


def test_a_missing_openssl_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BadInput, match="apt install openssl"):
        prepare_club(tmp_path / "club", 1, ["localhost"], None, counting())


SETTINGS = [
    pytest.param(None, id="no file"),
    pytest.param("", id="an empty file"),
    pytest.param("[game]\nrules = 'gin'\n", id="no club in it"),
    pytest.param("[game]\nrules = 'gin'\n\n[club]\n#on = false\n\n[panel]\nkind = 'page'\n", id="as init writes it"),
    pytest.param("[club]\non = false\ncommands = [\n  'look',\n]\ntls = false\n[panel]\nkind = 'page'", id="a club"),
    pytest.param("[ club ]\ntable = 'other'\n[[panel.x]]\n", id="written otherwise"),
]


def join(club, root):
    done = subprocess.run(  # noqa: S603
        ["sh", str(club / "table-2/join.sh")], env={**os.environ, "DESTDIR": str(root)},  # noqa: S607
        capture_output=True, text=True, check=False, timeout=LONGEST_S,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return root / SETTINGS_FOLDER.lstrip("/") / "referee.toml"


@needs_openssl
@pytest.mark.parametrize("before", SETTINGS)
def test_a_table_joins_and_keeps_its_other_settings(tmp_path, club, before):
    folder = tmp_path / "table" / SETTINGS_FOLDER.lstrip("/")
    if before is not None:
        folder.mkdir(parents=True)
        (folder / "referee.toml").write_text(before)
    wanted = {**tomllib.loads(before or ""), "club": tomllib.loads((club / "table-2/club.toml").read_text())}
    settings = join(club, tmp_path / "table")
    assert tomllib.loads(settings.read_text()) == wanted
    assert stat.S_IMODE(settings.stat().st_mode) == 0o640
    assert (folder / "club-ca.pem").read_bytes() == (club / "broker/ca.pem").read_bytes()
    text = settings.read_text()
    join(club, tmp_path / "table")
    assert settings.read_text() == text


@pytest.fixture
def root():
    """The files of a machine, where users other than root may enter."""
    folder = Path(tempfile.mkdtemp(prefix="referee-club-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def broker(club, root):
    """Mosquitto as its package starts it, with what the script for its machine has installed."""
    if PROGRAM is None:
        pytest.skip(MISSING)
    if os.getuid() != 0 or subprocess.run(["id", "mosquitto"], capture_output=True, check=False).returncode:  # noqa: S607
        pytest.skip("installing for the user mosquitto takes root, and that user")
    subprocess.run(  # noqa: S603
        ["sh", str(club / "broker/install.sh")], env={**os.environ, "DESTDIR": str(root)}, check=True,  # noqa: S607
        timeout=LONGEST_S,
    )  # fmt: skip
    unit = root / "etc/systemd/system/mosquitto.service.d/referee.conf"
    assert unit.read_text() == "[Service]\nLimitNOFILE=4096\n"
    installed = root / "etc/mosquitto/conf.d/referee.conf"
    running = Mosquitto(root / "run")
    running.close()
    text = installed.read_text().replace(BROKER_FOLDER, f"{root}{BROKER_FOLDER}")
    running.config.write_text(text.replace("listener 8883", f"listener {running.port} 127.0.0.1"))
    running.start()  # as root, and so it gives itself the rights of the user mosquitto
    yield running
    running.close()


def settings_of(path, root, port):
    """Settings that were installed below `root`, for a broker at another port."""
    chosen = load(path, {}, {"web.port": "0", "web.listen": "127.0.0.1"}, state=lambda _: root / "state")
    ca = f"{root}{chosen.club.ca}"
    return replace(
        chosen, club=replace(chosen.club, ca=ca, port=port), storage=replace(chosen.storage, state=str(root / "state"))
    )


@pytest.mark.club
@needs_openssl
def test_tables_and_hall_enter_the_broker_that_was_set_up_and_nobody_else_does(club, root, broker, capsys):
    table = settings_of(join(club, root), root, broker.port)
    assert probe(endpoint_of(table, "x")) is None
    wrong = replace(table, club=replace(table.club, password="guessed"))  # noqa: S106
    assert probe(endpoint_of(wrong, "x")).key == "club.wrong_password"
    hidden = replace(table, club=replace(table.club, tls=False))
    assert probe(endpoint_of(hidden, "x")).key == "club.expects_tls"
    subprocess.run(  # noqa: S603
        ["sh", str(club / "hall/install.sh")], env={**os.environ, "DESTDIR": str(root)}, check=True,  # noqa: S607
        timeout=LONGEST_S,
    )  # fmt: skip
    hall = settings_of(root / SETTINGS_FOLDER.lstrip("/") / "hall.toml", root, broker.port)
    said = []
    with closing(HallProgram(hall, Wording("en"))):
        until(lambda: said.append(capsys.readouterr().out) or "is listening" in "".join(said))


def test_the_access_list_of_the_documentation_is_the_one_that_is_written():
    docs = (Path(__file__).parents[3] / "docs" / "club.md").read_text(encoding="utf-8")
    assert f"```acl\n{access_list('referee', ['table-1', 'table-2'])}```" in docs


DOCS = Path(__file__).parents[3] / "docs" / "club.md"


def example(kind):
    """The block of the documentation in this language."""
    return re.search(rf"```{kind}\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)[1]


def test_the_settings_of_the_documentation_are_those_that_are_written(tmp_path):
    assert example("conf") == BROKER_SETTINGS
    folder = tmp_path / "club"
    planned = plan_files(prepare_club(folder, 7, ["192.168.1.10"], None, counting()), counting())
    written = tomllib.loads(planned["table-7/club.toml"].content.decode())
    shown = tomllib.loads(example("toml"))["club"]
    differing = {key for key, value in shown.items() if written[key] != value}
    assert differing == {"password"}
    assert Path(shown["ca"]).parent == Path(written["ca"]).parent


@pytest.mark.club
@needs_openssl
@pytest.mark.skipif(shutil.which("mosquitto_passwd") is None, reason=MISSING)
def test_a_broker_set_up_by_hand_as_the_documentation_says_lets_its_users_in(club, root):
    """Step by step: the file of passwords with its first user, one more, access list and settings as printed."""
    if PROGRAM is None:
        pytest.skip(MISSING)
    place = root / "by-hand"
    place.mkdir()
    first = re.search(r"`sudo (mosquitto_passwd -c \S+ hall)`", DOCS.read_text(encoding="utf-8"))[1]
    make = first.replace(BROKER_FOLDER, str(place)).split()
    add = [word for word in make if word != "-c"]
    for command, user in ((make, "hall"), (add, "table-7")):
        # -b takes the password from the command line instead of asking for it twice.
        subprocess.run([command[0], "-b", *command[1:-1], user, f"of {user}"], check=True)  # noqa: S603
    (place / "acl").write_text(example("acl"))
    for name in ("server.pem", "server.key"):
        shutil.copy(club / "broker" / name, place / name)
    for file in place.iterdir():
        file.chmod(0o644)
    running = Mosquitto(root / "run")
    running.close()
    text = example("conf").replace(BROKER_FOLDER, str(place))
    running.config.write_text(text.replace("listener 8883", f"listener {running.port} 127.0.0.1") + "user root\n")
    running.start()
    try:
        settings = root / "referee.toml"
        settings.write_text(example("toml").replace("192.168.1.10", "127.0.0.1").replace('"…"', '"of table-7"'))
        chosen = load(settings, {}, {"club.ca": str(club / "broker/ca.pem"), "club.port": str(running.port)})
        assert probe(endpoint_of(chosen, "x")) is None
        hall = replace(chosen, club=replace(chosen.club, user="hall", password="of hall"))  # noqa: S106
        assert probe(endpoint_of(hall, "x")) is None
        stranger = replace(chosen, club=replace(chosen.club, user="table-8"))
        assert probe(endpoint_of(stranger, "x")).key == "club.wrong_password"
    finally:
        running.close()


@pytest.mark.club
@pytest.mark.skipif(PROGRAM is None, reason=MISSING)
def test_mosquitto_warns_of_nothing_in_the_access_list(tmp_path):
    rights, log = tmp_path / "acl", tmp_path / "log"
    rights.write_text(access_list("referee", ["table-1", "table-2"]))
    with closing(Mosquitto(tmp_path / "run", f"acl_file {rights}", f"log_dest file {log}")):
        until(lambda: log.exists() and "running" in log.read_text())
    assert "Warning" not in log.read_text()


def test_what_stands_for_every_user_has_the_users_name_in_it():
    patterns = [line for line in access_list("referee", ["table-1"]).splitlines() if line.startswith("pattern")]
    assert patterns
    assert all("%u" in line for line in patterns)
