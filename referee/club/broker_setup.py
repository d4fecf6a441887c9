"""Everything that a club's broker, hall and tables need to talk to each other: accounts, access list, certificates.

`referee hall --setup FOLDER` writes one folder each for the broker, the hall, Home Assistant and every table. Each
contains the files for that machine; those of the broker, the hall and the tables also contain a script that installs
them. `club.json` stores the accounts, so that tables can be added later without changing existing passwords.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from referee.club.bridge_setup import BRIDGE, HELP, OtherHall, bridge_host, bridge_rights, bridge_settings
from referee.club.mqtt.certificates import KeyPair, make_authority, make_broker_certificate
from referee.club.protocol import Kind, table_id
from referee.club.protocol.topics import VERSION, hall_topic, root_topic
from referee.club.table_side.home_assistant import STATUS, config_topics
from referee.devices.whole_file import write_whole
from referee.errors import BadInput
from referee.settings.file import text_of
from referee.settings.values import toml_of

HALL, HOME_ASSISTANT = "hall", "home-assistant"
MOST_TABLES = 1000
"""The largest number of tables that the hall follows, and was measured with (`python -m benchmarks crowd`)."""
QUEUED = 20_000
"""The most messages that the broker queues for a subscriber that cannot keep up. Mosquitto's default is 1,000.

When 200 tables reconnect after an evening without a broker, each sends several hundred events at once.
"""
ROUNDS, SALT_BYTES = 101, 12
"""Parameters of Mosquitto's password hash (PBKDF2 with SHA-512). The passwords are random, so few rounds suffice."""
PASSWORD_BYTES = 18
STATE = "club.json"
TOPIC = "referee"
BROKER_FOLDER = "/etc/mosquitto/referee"
OPEN_FILES = 4096
"""The most files, and so connections, that the broker may have open. Services may have 1,024 unless told otherwise."""
SETTINGS_FOLDER = "/etc/referee"
PRIVATE, PUBLIC = 0o600, 0o644
_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.:-]{0,252}[A-Za-z0-9])?")

Randomness = Callable[[int], bytes]
"""Returns the given number of random bytes, like `secrets.token_bytes`."""


@dataclass(frozen=True, slots=True)
class ClubAccounts:
    """The accounts of a club: the address of its broker, its root topic, and a password for each user."""

    hosts: tuple[str, ...]
    """Names and addresses of the broker. The first one is written to the settings of the hall and the tables."""
    topic: str
    passwords: Mapping[str, str] = field(repr=False)
    authority: KeyPair = field(repr=False)
    other: OtherHall | None = None
    """The other hall of the club, if its broker and this one are connected."""

    @property
    def tables(self) -> list[str]:
        """The users that are tables."""
        return [user for user in self.passwords if user not in (HALL, HOME_ASSISTANT, BRIDGE)]


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """The content of a file to be written, and its permissions."""

    content: bytes = field(repr=False)
    mode: int = PUBLIC


def prepare_club(
    folder: Path, tables: int, hosts: Sequence[str], topic: str | None, randomness: Randomness
) -> ClubAccounts:
    """Return the accounts stored in `folder`, with new ones added as needed for `tables` tables.

    If `hosts` or `topic` is empty, the stored value stays. No account is ever removed. Raises BadInput if a host is
    invalid, or if there is neither a stored one nor one in `hosts`.
    """
    before = read_accounts(folder)
    for host in hosts:
        if not _HOST.fullmatch(host):
            raise BadInput(f"expected a name or an address of the broker, found {host!r:.100}")
    if before is None and not hosts:
        raise BadInput("expected the broker's name or address, found none")
    passwords = dict(before.passwords) if before is not None else {}
    for user in (HALL, HOME_ASSISTANT, *(f"table-{number + 1}" for number in range(tables))):
        if user not in passwords:
            passwords[user] = _password(randomness)
    authority = make_authority("Rummy club") if before is None else before.authority
    kept_hosts = tuple(dict.fromkeys(hosts)) if hosts or before is None else before.hosts
    kept_topic = topic or (TOPIC if before is None else before.topic)
    other = None if before is None else before.other
    return ClubAccounts(kept_hosts, root_topic(kept_topic), passwords, authority, other)


def connect_halls(
    waiting: ClubAccounts, opening: ClubAccounts, randomness: Randomness
) -> tuple[ClubAccounts, ClubAccounts]:
    """Return the accounts of two halls whose brokers are connected: the broker of `opening` opens the connection.

    The bridge keeps its password if it has one. Raises BadInput if one of them is connected to a third hall, or the
    other way round.
    """
    for one, connects in ((waiting, False), (opening, True)):
        if one.other is not None and one.other.connects is not connects:
            raise BadInput("expected the hall whose broker opens the connection, as before, found the other one")
    if (waiting.passwords.get(BRIDGE) or None) != (opening.other.password if opening.other is not None else None):
        raise BadInput("expected two halls that are connected to each other or to none, found one with a third hall")
    if waiting.authority == opening.authority:
        raise BadInput("expected the folders of two halls, found the same club twice")
    password = waiting.passwords.get(BRIDGE) or _password(randomness)
    passwords = {**waiting.passwords, BRIDGE: password}

    def seen(one: ClubAccounts, *, connects: bool) -> OtherHall:
        certificate = one.authority.certificate.decode()
        return OtherHall(connects, bridge_host(one.hosts[0]), one.topic, tuple(one.tables), password, certificate)

    return (
        replace(waiting, passwords=passwords, other=seen(opening, connects=False)),
        replace(opening, other=seen(waiting, connects=True)),
    )


def plan_files(accounts: ClubAccounts, randomness: Randomness) -> dict[str, PlannedFile]:
    """Return all files to be written, by path within the folder. Raises BadInput if certificates cannot be made."""
    broker = make_broker_certificate(accounts.authority, accounts.hosts)
    files = {
        STATE: PlannedFile(_state_text(accounts).encode(), PRIVATE),
        "README.txt": PlannedFile(_readme(accounts).encode()),
        "broker/club.conf": PlannedFile(BROKER_SETTINGS.encode()),
        "broker/acl": PlannedFile(access_list(accounts.topic, accounts.tables).encode(), PRIVATE),
        "broker/passwords": PlannedFile(_password_lines(accounts.passwords, randomness).encode(), PRIVATE),
        "broker/server.pem": PlannedFile(broker.certificate),
        "broker/server.key": PlannedFile(broker.key, PRIVATE),
        "broker/install.sh": PlannedFile(_INSTALL_BROKER.encode()),
        f"{HALL}/hall.toml": PlannedFile(_hall_settings(accounts).encode(), PRIVATE),
        f"{HALL}/install.sh": PlannedFile(_INSTALL_HALL.encode()),
        f"{HOME_ASSISTANT}/account.txt": PlannedFile(_account_text(accounts, HOME_ASSISTANT).encode(), PRIVATE),
    }
    for table in accounts.tables:
        files[f"{table}/club.toml"] = PlannedFile(_table_settings(accounts, table).encode(), PRIVATE)
        files[f"{table}/join.sh"] = PlannedFile(_JOIN_CLUB.encode())
    other = accounts.other
    if other is not None and other.connects:
        settings = bridge_settings(accounts.topic, accounts.tables, other, BROKER_FOLDER)
        files[f"broker/{BRIDGE}.conf"] = PlannedFile(settings.encode(), PRIVATE)
        files[f"broker/{BRIDGE}.pem"] = PlannedFile(other.authority.encode())
    elif other is not None:
        rights = access_list(accounts.topic, accounts.tables) + "\n"
        rights += "# The broker of the other hall.\n" + bridge_rights(accounts.topic, accounts.tables, other)
        files["broker/acl"] = PlannedFile(rights.encode(), PRIVATE)
    for place in ("broker", HALL, HOME_ASSISTANT, *accounts.tables):
        files[f"{place}/ca.pem"] = PlannedFile(accounts.authority.certificate)
    return files


def write_files(folder: Path, files: Mapping[str, PlannedFile]) -> None:
    """Write each file atomically, in folders that only their owner can enter. Raises BadInput if that fails."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for place in sorted({(folder / path).parent for path in files}):
            place.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{folder}: expected a folder to write to, found: {error.strerror}") from error
    for path, file in files.items():
        write_whole(folder / path, file.content, "a place for a club's files", file.mode)


def read_accounts(folder: Path) -> ClubAccounts | None:
    """Return the accounts stored in `folder`, or None if there are none. Raises BadInput if they are invalid."""
    path = folder / STATE
    if not path.exists():
        return None
    try:
        state = json.loads(text_of(path))
        key_pair = KeyPair(state["authority"]["certificate"].encode(), state["authority"]["key"].encode())
        passwords = {table_id(user): str(password) for user, password in state["passwords"].items()}
        other = OtherHall.of_state(state.get("other"))
        return ClubAccounts(tuple(map(str, state["hosts"])), root_topic(state["topic"]), passwords, key_pair, other)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadInput(f"{path}: expected the accounts of a club, found something else ({error})") from error


def _state_text(accounts: ClubAccounts) -> str:
    state = {
        "hosts": list(accounts.hosts),
        "topic": accounts.topic,
        "passwords": dict(accounts.passwords),
        "authority": {
            "certificate": accounts.authority.certificate.decode(),
            "key": accounts.authority.key.decode(),
        },
        "other": None if accounts.other is None else accounts.other.state(),
    }
    return json.dumps(state, indent=1) + "\n"


def _password(randomness: Randomness) -> str:
    return base64.urlsafe_b64encode(randomness(PASSWORD_BYTES)).decode()


def hash_password(password: str, salt: bytes) -> str:
    """Return a password as Mosquitto stores it: `$7$ROUNDS$SALT$HASH`, with salt and hash in base64."""
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ROUNDS)
    return f"$7${ROUNDS}${base64.b64encode(salt).decode()}${base64.b64encode(digest).decode()}"


def _password_lines(passwords: Mapping[str, str], randomness: Randomness) -> str:
    return "".join(
        f"{user}:{hash_password(password, randomness(SALT_BYTES))}\n" for user, password in passwords.items()
    )


def access_list(topic: str, tables: Iterable[str]) -> str:
    """Return Mosquitto's access list: each table may use its own topics only.

    The hall and Home Assistant may read all topics and send commands to the tables. Topics that all tables may read
    are listed under each of `tables`, because Mosquitto warns about a pattern that does not contain the user's name.
    """
    own = f"{topic}/{VERSION}/%u"
    rights = [f"pattern readwrite {own}/{Kind.ONLINE.value}"]
    written = {kind: f"{kind.value}/#" if kind is Kind.RESULT else kind.value for kind in Kind}
    rights += [
        f"pattern write {own}/{place}"
        for kind, place in written.items()
        if kind is not Kind.ONLINE and not kind.is_from_hall
    ]
    rights += [f"pattern read {own}/{kind.value}" for kind in Kind if kind.is_from_hall]
    described = "".join(f"pattern readwrite {place}\n" for place in config_topics(topic, "%u"))
    reader = f"topic read {topic}/{VERSION}/#\ntopic write {topic}/{VERSION}/+/{Kind.DO.value}\n"
    return (
        "# Every table: its own topics, which have the name of the user.\n" + "\n".join(rights) + "\n"
        "# The description for Home Assistant, sent if the table's settings say so.\n"
        f"{described}\n"
        + "".join(f"user {table}\ntopic read {STATUS}\ntopic read {hall_topic(topic)}\n\n" for table in tables)
        + f"user {HALL}\n{reader}topic write {topic}/{VERSION}/+/{Kind.DESK.value}\n"
        f"topic write {hall_topic(topic)}\n\n"
        f"user {HOME_ASSISTANT}\n{reader}topic readwrite {STATUS.partition('/')[0]}/#\n"
    )


BROKER_SETTINGS = f"""\
# Mosquitto reads this from /etc/mosquitto/conf.d/.
listener 8883
allow_anonymous false
password_file {BROKER_FOLDER}/passwords
acl_file {BROKER_FOLDER}/acl
certfile {BROKER_FOLDER}/server.pem
keyfile {BROKER_FOLDER}/server.key
# Tables that were disconnected send everything at once when they are back; the broker must not drop any of it.
max_queued_messages {QUEUED}
"""


def _club_lines(accounts: ClubAccounts, user: str, certificate: str) -> list[str]:
    values = {
        "broker": accounts.hosts[0], "tls": True, "ca": f"{SETTINGS_FOLDER}/{certificate}",
        "user": user, "password": accounts.passwords[user], "topic": accounts.topic,
    }  # fmt: skip
    return [f"{key} = {toml_of(value)}" for key, value in values.items()]


def _hall_settings(accounts: ClubAccounts) -> str:
    lines = [
        "# Settings of the hall. `referee init` writes a file that explains every setting.",
        "[club]",
        *_club_lines(accounts, HALL, "club-ca.pem"),
        "",
        "[web]",
        "# Everybody in the club's network may watch; directors tell the PIN.",
        f"listen = {toml_of('0.0.0.0')}",  # noqa: S104 - the hall's page is for the club
    ]
    return "\n".join(lines) + "\n"


def _table_settings(accounts: ClubAccounts, table: str) -> str:
    lines = [
        "on = true",
        *_club_lines(accounts, table, "club-ca.pem"),
        f"table = {toml_of(table)}",
        f"commands = {toml_of(('pause', 'resume', 'look', 'announce', 'begin'))}",
    ]
    return "\n".join(lines) + "\n"


def _account_text(accounts: ClubAccounts, user: str) -> str:
    return (
        f"Broker: {accounts.hosts[0]}\nPort: 8883, with TLS; the broker's certificate is checked with ca.pem.\n"
        f"User: {user}\nPassword: {accounts.passwords[user]}\n"
    )


_INSTALL_BROKER = f"""\
#!/bin/sh
# On the machine of the broker: sudo sh install.sh
set -eu
umask 077
cd "$(dirname "$0")"
root=${{DESTDIR:-}}
if ! getent passwd mosquitto > /dev/null; then
  echo "expected the broker Mosquitto, found none: sudo apt install mosquitto" >&2
  exit 2
fi
install -d -m 0755 "$root{BROKER_FOLDER}" "$root/etc/mosquitto/conf.d"
for file in acl passwords server.key; do
  install -o mosquitto -g mosquitto -m 0600 "$file" "$root{BROKER_FOLDER}/$file"
done
for file in server.pem ca.pem; do
  install -m 0644 "$file" "$root{BROKER_FOLDER}/$file"
done
install -m 0644 club.conf "$root/etc/mosquitto/conf.d/referee.conf"
if [ -e {BRIDGE}.conf ]; then
  install -m 0644 {BRIDGE}.pem "$root{BROKER_FOLDER}/{BRIDGE}.pem"
  install -o mosquitto -g mosquitto -m 0600 {BRIDGE}.conf "$root/etc/mosquitto/conf.d/referee.{BRIDGE}.conf"
fi
unit=$root/etc/systemd/system/mosquitto.service.d
install -d -m 0755 "$unit"
echo "[Service]\nLimitNOFILE={OPEN_FILES}" > "$unit/referee.conf"
chmod 0644 "$unit/referee.conf"
[ -n "$root" ] || {{ systemctl daemon-reload; systemctl restart mosquitto; }}
echo "The broker listens at port 8883, with TLS."
"""

_INSTALL_HALL = f"""\
#!/bin/sh
# On the machine of the hall: sudo sh install.sh
set -eu
cd "$(dirname "$0")"
folder=${{DESTDIR:-}}{SETTINGS_FOLDER}
[ -d "$folder" ] || install -d -m 0755 "$folder"
install -m 0644 ca.pem "$folder/club-ca.pem"
install -m 0640 hall.toml "$folder/hall.toml"
if getent group referee > /dev/null; then chgrp referee "$folder/hall.toml"; fi
echo "$folder/hall.toml names the club's broker. Next: referee hall --config $folder/hall.toml, or with the service"
echo "(sudo make install EXTRAS=hall): sudo systemctl restart referee-hall"
"""

_JOIN_CLUB = f"""\
#!/bin/sh
# On the table's own machine: sudo sh join.sh
# Puts club.toml under [club] of the settings; what stood there becomes a remark.
set -eu
umask 077
cd "$(dirname "$0")"
folder=${{DESTDIR:-}}{SETTINGS_FOLDER}
settings=$folder/referee.toml
[ -d "$folder" ] || install -d -m 0755 "$folder"
[ -e "$settings" ] || : > "$settings"
draft=$settings.new
awk '
  function put(  line) {{
    print "# begin of what the club has set"
    while ((getline line < "club.toml") > 0) print line
    print "# end of what the club has set"
    placed = 1
  }}
  /^# begin of what the club has set$/ {{ skipping = 1 }}
  !skipping && /^[[:space:]]*\\[/ {{ inside = ($0 ~ /^[[:space:]]*\\[[[:space:]]*club[[:space:]]*\\]/) }}
  !skipping && inside && placed && !/^[[:space:]]*(#|$)/ {{ print "#" $0; next }}
  !skipping {{ print }}
  !skipping && inside && !placed {{ put() }}
  /^# end of what the club has set$/ {{ skipping = 0 }}
  END {{ if (!placed) {{ print "\\n[club]"; put() }} }}
' "$settings" > "$draft"
group=$(stat -c %G "$settings")
if getent group referee > /dev/null; then group=referee; fi
chown root:"$group" "$draft" 2> /dev/null || true
chmod 0640 "$draft"
mv "$draft" "$settings"
install -m 0644 ca.pem "$folder/club-ca.pem"
echo "$settings names the club's broker now. Next: sudo systemctl restart referee"
"""


def _readme(accounts: ClubAccounts) -> str:
    tables = accounts.tables
    return f"""\
The club's broker: {", ".join(accounts.hosts)}, port 8883, with TLS. Topic: {accounts.topic}.

This folder holds passwords: keep it where only you can read it. club.json makes it possible to add tables later:
    referee hall --setup FOLDER --tables {len(tables) + 1}

1. The broker, on a machine that is always on: copy the folder `broker` there, then
       sudo apt install mosquitto
       sudo sh broker/install.sh
2. The hall, on the same machine or on another one: copy the folder `{HALL}` there, then
       sudo sh {HALL}/install.sh
3. Each table, on its own machine: copy its folder there ({", ".join(tables)}), then
       sudo sh {tables[0]}/join.sh
       sudo systemctl restart referee
   `referee doctor` tries the broker.
4. Home Assistant, if you have it: {HOME_ASSISTANT}/account.txt names broker, user and password.

After adding tables: step 1 again, and step 3 for the new ones.
{"" if accounts.other is None else HELP}"""
