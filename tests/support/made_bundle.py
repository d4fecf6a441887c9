"""A bundle of this checkout with made-up wheels, signed with a key of its own, and variants of it."""

import hashlib
import io
import json
import subprocess
import tarfile
from collections.abc import Callable
from pathlib import Path

from updater.bundle import MANIFEST, NAMESPACE, SIGNATURE

from tools import card_bundle
from tools.card_bundle import ARCHIVE

WHEELS = {
    "bookworm": (
        "both-1-py3-none-any.whl",
        "old-1-py3-none-any.whl",
        "built-2-cp311-cp311-manylinux_2_28_aarch64.whl",
    ),
    "trixie": ("both-1-py3-none-any.whl", "old-2-py3-none-any.whl", "built-2-cp313-cp313-manylinux_2_28_aarch64.whl"),
}


def make_key(path: Path) -> Path:
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path], check=True)  # noqa: S603, S607
    return path


def write_signers(key: Path, path: Path, namespace: str = NAMESPACE) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'referee namespaces="{namespace}" {key.with_suffix(".pub").read_text()}')
    return path


class Made:
    """A bundle of this checkout with made-up wheels, and who signed it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.path = folder, folder / "referee.bundle"
        self.key = make_key(folder / "key")
        self.signers = write_signers(self.key, folder / "signers")
        wheels = {}
        for release, names in WHEELS.items():
            wheels[release] = [folder / name for name in names]
            for path in wheels[release]:
                path.write_text(f"wheel {path.name}")
        self.size = card_bundle.make_bundle(self.path, self.key, wheels)

    def altered(self, to: Path, change: Callable[[str, bytes], bytes | None], sign: bool = False) -> Path:
        """The same bundle with other members: `change` returns their content, or None to leave one out."""
        with tarfile.open(self.path) as tar:
            members = [(one.name, tar.extractfile(one).read()) for one in tar.getmembers()]  # type: ignore[union-attr]
        found = {name: content for name, data in members if (content := change(name, data)) is not None}
        if sign:
            found[SIGNATURE] = card_bundle.sign(found[MANIFEST], self.key, NAMESPACE)
        with tarfile.open(to, "w") as tar:
            for name, data in found.items():
                member = tarfile.TarInfo(name)
                member.size = len(data)
                tar.addfile(member, io.BytesIO(data))
        return to

    def with_file(self, to: Path, changed: str, content: bytes) -> Path:
        """The same bundle with another content of one file, properly signed."""

        def change(name: str, data: bytes) -> bytes:
            if name == MANIFEST:
                found = json.loads(data)
                found["files"][changed] = [len(content), hashlib.sha256(content).hexdigest()]
                return json.dumps(found).encode()
            return content if name == changed else data

        return self.altered(to, change, sign=True)

    def archive(self) -> bytes:
        """The archive of the program."""
        with tarfile.open(self.path) as tar:
            return tar.extractfile(ARCHIVE).read()  # type: ignore[union-attr]
