"""A certificate authority for a club and the certificate of its broker, made by the program `openssl`.

They are valid from 1970 to 2049. A table without an internet connection may start with a clock that was never set, and
must still be able to connect to its broker.
"""

from __future__ import annotations

import ipaddress
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from referee.errors import BadInput

PROGRAM = "openssl"
FROM, UNTIL = "19700101000000Z", "20491231235959Z"
"""The period of validity. 2049 is the last year that the short form of dates in certificates can express."""
LONGEST_S = 60.0
"""The longest time for one run of `openssl`, in seconds. Making a key takes milliseconds, but a machine that has just
started may have to wait for random numbers."""
_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-sha256", "-batch")
_CONFIG = """\
[req]
prompt = no
distinguished_name = name
[name]
CN = {name}
[ca]
default_ca = club
[club]
dir = {folder}
database = {folder}/index.txt
rand_serial = yes
new_certs_dir = {folder}
default_md = sha256
policy = any
unique_subject = no
copy_extensions = none
[any]
commonName = supplied
[authority]
basicConstraints = critical, CA:TRUE, pathlen:0
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[broker]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
subjectAltName = {hosts}
"""


@dataclass(frozen=True, slots=True)
class KeyPair:
    """A certificate and its private key, both in PEM."""

    certificate: bytes
    key: bytes


def make_authority(name: str) -> KeyPair:
    """Return a new authority; raises BadInput if `openssl` is missing or fails."""
    with tempfile.TemporaryDirectory() as folder:
        return _issue(Path(folder), name, "", "authority", ("-selfsign", "-keyfile", "new.key"))


def make_broker_certificate(authority: KeyPair, hosts: Sequence[str]) -> KeyPair:
    """Return a certificate signed by `authority`, for the names and addresses of the broker.

    Raises BadInput if `openssl` is missing or fails.
    """
    names = ", ".join(f"{'IP' if _is_address(host) else 'DNS'}:{host}" for host in hosts)
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        (folder / "ca.pem").write_bytes(authority.certificate)
        _write_key(folder / "ca.key", authority.key)
        return _issue(folder, "Broker of the club", names, "broker", ("-cert", "ca.pem", "-keyfile", "ca.key"))


def _issue(folder: Path, name: str, hosts: str, extensions: str, signer: Sequence[str]) -> KeyPair:
    config = _CONFIG.format(name=name, folder=folder, hosts=hosts or "DNS:localhost")
    (folder / "openssl.cnf").write_text(config, encoding="utf-8")
    (folder / "index.txt").touch()
    _run(folder, "req", "-new", *_KEY, "-config", "openssl.cnf", "-keyout", "new.key", "-out", "new.csr")
    _run(
        folder, "ca", "-batch", "-notext", "-config", "openssl.cnf", "-extensions", extensions,
        "-startdate", FROM, "-enddate", UNTIL, *signer, "-in", "new.csr", "-out", "new.pem",
    )  # fmt: skip
    return KeyPair((folder / "new.pem").read_bytes(), (folder / "new.key").read_bytes())


def _run(folder: Path, *arguments: str) -> None:
    program = shutil.which(PROGRAM)
    if program is None:
        raise BadInput(f"expected the program {PROGRAM}, which makes certificates, found none: apt install openssl")
    try:
        done = subprocess.run(  # noqa: S603 - our own arguments only
            [program, *arguments], cwd=folder, capture_output=True, text=True, check=False, timeout=LONGEST_S
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BadInput(f"expected a certificate from {PROGRAM}, found: {error}") from error
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason"])[-1]
        raise BadInput(f"expected a certificate from {PROGRAM} {arguments[0]}, found: {reason}")


def _write_key(path: Path, key: bytes) -> None:
    path.touch(mode=0o600)
    path.write_bytes(key)


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
