"""The recipes of the hall's containers: all that they name exists. No engine is needed, and none is used."""

import os
import re
import shlex
from fnmatch import fnmatch
from pathlib import Path

import pytest

from referee.cli.main import main
from referee.cli.verbs.verbs import VERBS
from referee.settings.settings import load

ROOT = Path(__file__).parent.parent
RECIPE = ROOT / "container" / "Containerfile"
COMPOSE = (ROOT / "container" / "compose.yaml").read_text(encoding="utf-8")
INSTRUCTIONS = frozenset("FROM RUN WORKDIR COPY ENV USER VOLUME EXPOSE HEALTHCHECK CMD".split())  # noqa: SIM905


def instructions() -> list[tuple[str, str]]:
    lines = [line for line in RECIPE.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", " ", "\n".join(lines))
    return [(name, rest) for name, _, rest in (line.partition(" ") for line in joined.splitlines())]


def test_every_instruction_is_one() -> None:
    assert {name for name, _ in instructions()} == INSTRUCTIONS
    bases = [rest.split()[0] for name, rest in instructions() if name == "FROM"]
    assert set(bases) == {"debian:trixie-slim"}


def test_what_is_copied_exists_and_is_sent_to_the_engine() -> None:
    rules = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and not line.startswith("#")]
    assert rules[0] == "*"
    sent = {rule.removeprefix("!") for rule in rules if rule.startswith("!")}
    copied = set()
    for name, rest in instructions():
        if name == "COPY" and not rest.startswith("--from"):
            copied |= set(shlex.split(rest)[:-1])
    assert copied == sent
    assert all((ROOT / path).exists() for path in copied)
    manifest = (ROOT / "MANIFEST.in").read_text()
    assert all(any(fnmatch(path, f"{one}*") for one in copied) for path in re.findall(r"^graft (\S+)", manifest, re.M))


def test_it_runs_the_hall_without_root() -> None:
    told = dict(instructions())
    user = told["USER"].partition(":")[0]
    assert user.isdecimal()
    assert int(user) > 0
    _, verb, option, path = re.findall(r'"([^"]+)"', told["CMD"])
    assert verb in VERBS
    assert option == "--config"
    assert f":{path}:ro" in COMPOSE
    assert "referee hall" in " ".join(re.findall(r'"([^"]+)"', told["CMD"]))
    assert re.search(r":(\d+)/enter", told["HEALTHCHECK"])[1] == told["EXPOSE"] == "8766"
    assert f"REFEREE_STATE={told['VOLUME']}" in told["ENV"]


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("club") / "club"
    made = ["hall", "--setup", str(folder), "--tables", "2", "--broker", "192.168.1.10", "--broker", "broker"]
    assert main(made) == 0
    return folder


def mounts() -> dict[str, str]:
    return dict(re.findall(r"^ +- \.\./club/(\S+?):(\S+?):ro$", COMPOSE, re.MULTILINE))


def test_what_is_mounted_is_what_the_setup_writes(club: Path) -> None:
    assert len(mounts()) == 4
    for source in mounts():
        assert (club / source).exists(), source


def test_the_broker_finds_all_files_of_its_settings(club: Path) -> None:
    places = {there: club / source for source, there in mounts().items()}
    settings = places["/mosquitto/config/mosquitto.conf"].read_text()
    named = [Path(one) for one in re.findall(r"^\w+file (\S+)$", settings, re.MULTILINE)]
    assert len(named) == 4
    for path in named:
        assert (places[str(path.parent)] / path.name).is_file(), path
    (port,) = re.findall(r"^listener (\d+)$", settings, re.MULTILINE)
    assert f'"{port}:{port}"' in COMPOSE


def test_the_hall_finds_broker_and_certificate(club: Path) -> None:
    places = {there: club / source for source, there in mounts().items()}
    settings = load(places["/etc/referee/hall.toml"], {"REFEREE_CLUB_BROKER": "broker"})
    assert settings.club.broker == "broker"
    assert settings.club.tls
    assert places[settings.club.ca].is_file()
    assert settings.web.listen == "0.0.0.0"  # noqa: S104 - within its container
    assert 'broker = "192.168.1.10"' in (club / "table-1" / "club.toml").read_text()


def test_compose_is_yaml_with_the_two_services() -> None:
    yaml = pytest.importorskip("yaml")
    told = yaml.safe_load(COMPOSE)
    assert set(told["services"]) == {"broker", "hall"}
    for service in told["services"].values():
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["user"].startswith("${CLUB_UID")
    build = told["services"]["hall"]["build"]
    assert (ROOT / "container" / build["context"] / build["dockerfile"]).samefile(RECIPE)
    assert os.path.lexists(ROOT / ".dockerignore")
