"""Tells whether dpkg alone can install packages: `python3 fits.py FILE...`; 0 if it can, 1 if apt must find a way.

apt reads its lists of all packages several times, which takes longer on a Pi than to install a few. dpkg does not look
beforehand whether a package has all that it needs. So that is done here:

1. Everything that the packages need is installed, or among them; what one needs before it is unpacked is installed.
2. None of them breaks an installed package, or is broken by one, and what others need of them is still there. One that
   is replaced counts in both versions: dpkg unpacks one after the other, in the order of their names.
3. No package is of another kind of processor, on hold, or half installed.

Whatever is not certain is left to apt.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

STATUS = Path("/var/lib/dpkg/status")
_ALTERNATIVE = re.compile(r"([a-z0-9][a-z0-9+.-]+)(?::any|:native)?(?: \((<<|<=|=|>=|>>) ([^\s()]+)\))?")
_OPERATIONS = {"<<": "lt", "<=": "le", "=": "eq", ">=": "ge", ">>": "gt"}


class Unknown(Exception):
    """Something that is not understood here."""


@dataclass(frozen=True, slots=True)
class Relation:
    """A package that is named in a field, and which versions of it: `operation` is empty for all."""

    name: str
    operation: str = ""
    version: str = ""


@dataclass(frozen=True, slots=True)
class Package:
    """A package as its control fields describe it."""

    fields: Mapping[str, str]

    @property
    def name(self) -> str:
        """Its name."""
        return self.fields["Package"]

    def groups(self, field: str) -> list[list[Relation]]:
        """Return the relations of a field: one of each inner list is enough. Raises Unknown."""
        parts = (part for part in self.fields.get(field, "").split(",") if part.strip())
        return [[_relation(one) for one in part.split("|")] for part in parts]

    def provided(self) -> Iterator[Relation]:
        """Yield what it is known as: its name with its version, and what it stands in for."""
        yield Relation(self.name, "=", self.fields["Version"])
        for group in self.groups("Provides"):
            yield from group


def packages_in(text: str) -> Iterator[Package]:
    """Yield the packages that the stanzas of a control file describe."""
    for stanza in re.split(r"\n\s*\n", text):
        lines = re.sub(r"\n[ \t]+", " ", stanza).splitlines()
        fields = {name.strip(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        if "Package" in fields and "Version" in fields:
            yield Package(fields)


def fit(new: Iterable[Package], installed: Iterable[Package]) -> bool:
    """Return whether dpkg can install these packages beside those that are installed."""
    arriving, there = list(new), list(installed)
    coming = {one.name: one for one in arriving}
    before = {one.name: one for one in there}
    if len(coming) < len(arriving) or len(before) < len(there) or len(_processors([*arriving, *there])) > 1:
        return False
    after = {**before, **coming}
    changed = {relation.name for one in coming.values() for relation in one.provided()}
    changed |= {relation.name for name in coming if name in before for relation in before[name].provided()}
    try:
        known_before, known_after = _known(before.values()), _known(after.values())
        for one in after.values():
            needs = [*one.groups("Pre-Depends"), *one.groups("Depends")]
            if one.name not in coming:  # only what has to do with the new packages can have changed
                needs = [group for group in needs if changed & {relation.name for relation in group}]
            if not all(any(_is_met(relation, known_after) for relation in group) for group in needs):
                return False
        if any(_breaks(one, [*there, *arriving]) for one in arriving) or any(_breaks(one, arriving) for one in there):
            return False
        early = (group for one in coming.values() for group in one.groups("Pre-Depends"))
        return all(any(_is_met(relation, known_before) for relation in group) for group in early)
    except Unknown:
        return False


def _processors(packages: Iterable[Package]) -> set[str]:
    """Return the architectures that packages are built for, apart from `all`."""
    return {one.fields.get("Architecture", "all") for one in packages} - {"all"}


def _breaks(one: Package, others: Iterable[Package]) -> bool:
    """Return whether a package breaks one of the others, but for itself in another version."""
    unwanted = [group[0] for group in (*one.groups("Breaks"), *one.groups("Conflicts"))]
    known = _known(other for other in others if other.name != one.name) if unwanted else {}
    return any(_is_met(relation, known) for relation in unwanted)


def _relation(text: str) -> Relation:
    found = _ALTERNATIVE.fullmatch(" ".join(text.split()))
    if found is None:
        raise Unknown(text)
    return Relation(found[1], found[2] or "", found[3] or "")


def _known(packages: Iterable[Package]) -> dict[str, list[str]]:
    """Return the versions under which something is known; an empty one for what has none."""
    known: dict[str, list[str]] = {}
    for one in packages:
        for relation in one.provided():
            known.setdefault(relation.name, []).append(relation.version)
    return known


def _is_met(wanted: Relation, known: Mapping[str, list[str]]) -> bool:
    versions = known.get(wanted.name, [])
    if not wanted.operation:
        return bool(versions)
    return any(version and _compare(version, wanted.operation, wanted.version) for version in versions)


def _compare(version: str, operation: str, other: str) -> bool:
    command = ["dpkg", "--compare-versions", version, _OPERATIONS[operation], other]
    return subprocess.run(command, check=False).returncode == 0  # noqa: S603


def main(files: list[str]) -> int:
    """Return 0 if dpkg alone can install the packages in these files."""
    try:
        told = "\n\n".join(
            subprocess.run(["dpkg-deb", "--field", file], capture_output=True, text=True, check=True).stdout  # noqa: S603, S607
            for file in files
        )
        new, known = list(packages_in(told)), list(packages_in(STATUS.read_text(encoding="utf-8")))
        names = {one.name for one in new}
        if len(new) < len(files) or not all(_is_settled(one, coming=one.name in names) for one in known):
            return 1
        return 0 if fit(new, (one for one in known if _is_installed(one))) else 1
    except (OSError, ValueError, subprocess.CalledProcessError):
        return 1


def _is_installed(package: Package) -> bool:
    return package.fields.get("Status", "").endswith(" ok installed")


def _is_settled(package: Package, *, coming: bool) -> bool:
    """Return whether dpkg leaves a package alone, or if it is `coming`, may replace it: apt replaces none on hold."""
    wanted, _, state = package.fields.get("Status", "").partition(" ")
    if coming:
        return wanted != "hold"
    return state in ("ok installed", "ok config-files", "ok not-installed")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
