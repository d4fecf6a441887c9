"""Imports point downwards only: the design's table of layers, as a test."""

import ast
import graphlib
import importlib
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MODULES = sorted((ROOT / "referee").rglob("*.py"))
PACKAGES = [path for path in MODULES if path.name == "__init__.py"]

ANYTHING = frozenset({""})
OUTSIDE_WORLD = (
    "os io pathlib shutil tempfile glob socket ssl http urllib sqlite3 subprocess multiprocessing threading asyncio "
    "concurrent logging time datetime random secrets uuid sys"
)


@dataclass(frozen=True)
class Layer:
    """What the modules of a layer may import: `ours` below `referee`, `theirs` beyond the standard library."""

    ours: frozenset[str]
    theirs: frozenset[str] = frozenset()
    barred: frozenset[str] = frozenset()


def layer(ours: str, theirs: str = "", barred: str = "") -> Layer:
    return Layer(frozenset(ours.split()) | {"errors"}, frozenset(theirs.split()), frozenset(barred.split()))


LAYERS = {
    "": layer("api"),
    "api": layer("cli.parts devices vision game i18n"),
    "errors": layer(""),
    "bucket": layer("", barred=OUTSIDE_WORLD),
    "letters": layer("", barred=OUTSIDE_WORLD),
    "game": layer("game", barred=OUTSIDE_WORLD),
    "i18n": layer("i18n game.notice game.tiles game.notation"),
    "journal": layer("journal game"),
    "backup": layer("__version__ backup journal game.notice devices.whole_file settings"),
    "vision": layer("vision game.tiles game.notice game.doubt game.moves", "numpy cv2"),
    "devices": layer(
        "devices vision.sighting vision.boxes.box game.tiles game.notice",
        "numpy cv2 onnxruntime gpiozero lgpio picamera2 luma pi_heif",
    ),
    "settings": layer("settings devices.wiring.pins devices.whole_file"),
    "sim": layer("sim game vision.geometry.pose vision.sighting", "numpy cv2"),
    "table": layer("table settings game i18n vision devices journal", "numpy cv2"),
    "page": layer(
        "page bucket letters i18n game journal.codec devices.whole_file table.input",
        "starlette uvicorn jinja2 markupsafe itsdangerous",
    ),
    "club": layer(""),
    "club.bridge_setup": layer("club"),
    "club.broker_setup": layer("club game i18n devices settings"),
    "club.protocol": layer("club.protocol letters game i18n journal.codec journal.errors", barred=OUTSIDE_WORLD),
    "club.tournament": layer(
        "club.tournament letters game journal.codec journal.errors", "numpy scipy", barred=OUTSIDE_WORLD
    ),
    "club.mqtt": layer("club.mqtt devices game", "paho"),
    "club.hall": layer("club.hall club.protocol club.mqtt club.tournament bucket journal i18n game devices"),
    "club.table_side": layer(
        "__version__ club.table_side club.protocol club.mqtt table settings journal i18n vision devices game"
    ),
    "pages": layer(""),
    "pages.qr": layer("i18n", "segno"),
    "pages.hall": layer(
        "pages.hall pages.qr page bucket letters club journal i18n game devices", "starlette numpy cv2"
    ),
    "pages.table": layer(
        "pages.table pages.qr page bucket letters backup report table settings journal i18n vision devices game",
        "starlette numpy cv2",
    ),
    "report": layer("__version__ report settings journal i18n devices game", "cv2"),
    "doctor": layer("doctor cli.parts club.mqtt table settings journal i18n vision devices game", "numpy cv2"),
    "cli": layer(
        "__version__ api cli doctor report pages page club sim backup table settings journal i18n vision devices game",
        "numpy cv2 typer rich",
    ),
    "train": Layer(ANYTHING, ANYTHING),
    "__main__": layer("cli"),
}
"""What the modules of a room may import: a room is the longest of these names that a module's begins with."""
LAZILY = {"cli.verbs.train": "train"}
FLOORS = [
    "tiles", "table clock notice", "sets notation doubt moves", "rulebooks", "scoring solver", "judge",
    "gin coach puzzle", "match",
]  # fmt: skip
"""Of the rules, from the ground up: each stands on those before it."""


@dataclass(frozen=True)
class Import:
    """One imported name, in full, and where it stands."""

    name: str
    line: int
    top: bool


def imports_of(tree: ast.Module, package: str) -> Iterator[Import]:
    """Every import of a module, those inside functions and type-checking blocks too."""
    top = set(map(id, tree.body))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (Import(alias.name, node.lineno, id(node) in top) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")
            base = parts[: len(parts) + 1 - node.level] if node.level else []
            stem = ".".join([*base, *([node.module] if node.module else [])])
            yield from (Import(f"{stem}.{alias.name}", node.lineno, id(node) in top) for alias in node.names)


def within(name: str, roots: frozenset[str]) -> bool:
    return any(root in ("", name) or name.startswith(f"{root}.") for root in roots)


def violations(source: str, module: str) -> list[str]:
    """What `module` (dotted, without the leading `referee`) imports that its layer may not."""
    rooms = [room for room in LAYERS if module == room or module.startswith(f"{room}.")]
    if not rooms:
        return [f"referee.{module} belongs to no layer"]
    rules = LAYERS[max(rooms, key=len)]
    package = ".".join(["referee", *module.split(".")[:-1]])
    found = []
    for imported in imports_of(ast.parse(source), package):
        root, _, rest = imported.name.partition(".")
        if root == "referee":
            lazy = LAZILY.get(module) if not imported.top else None
            allowed = within(rest, rules.ours) or (lazy is not None and within(rest, frozenset({lazy})))
        elif root in sys.stdlib_module_names:
            allowed = root not in rules.barred
        else:
            allowed = within(root, rules.theirs)
        if not allowed:
            found.append(f"referee.{module}:{imported.line} imports {imported.name}")
    return found


def import_circle(sources: Mapping[str, str]) -> list[str]:
    """Modules that import each other in a circle, imports for types alone included; empty without one.

    `sources` are by dotted name, that of a package with `.__init__`.
    """
    modules = {name.removesuffix(".__init__") for name in sources}
    graph: dict[str, set[str]] = {}
    for name, source in sources.items():
        imports = graph[name.removesuffix(".__init__")] = set()
        for imported in imports_of(ast.parse(source), name.rpartition(".")[0]):
            # A name is a module of its own, or something that the module before it has.
            candidates = (imported.name, imported.name.rpartition(".")[0])
            imports.update([module for module in candidates if module in modules][:1])
        imports.discard(name.removesuffix(".__init__"))
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        circle: list[str] = error.args[1]
        return circle
    return []


def calls(source: str, names: frozenset[str]) -> list[int]:
    return [
        node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names
    ]


def dotted(path: Path) -> str:
    parts = path.relative_to(ROOT / "referee").with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) == 1 else parts)


def test_every_room_that_is_listed_exists() -> None:
    rooms = {dotted(path).removesuffix(".__init__") for path in MODULES} | {"", "__version__"}
    listed = {name for layer in LAYERS.values() for name in layer.ours} | set(LAYERS)
    assert listed - rooms == set()


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_a_module_imports_downwards_only(path: Path) -> None:
    assert violations(path.read_text(encoding="utf-8"), dotted(path)) == []


def test_no_modules_import_each_other() -> None:
    sources = {f"referee.{dotted(path)}": path.read_text(encoding="utf-8") for path in MODULES}
    assert import_circle(sources) == []


@pytest.mark.parametrize(
    "back",
    [
        pytest.param("from referee.a import A", id="at once"),
        pytest.param("import referee.a", id="as a whole"),
        pytest.param("from referee import a", id="from its package"),
        pytest.param("from .a import A", id="relatively"),
        pytest.param("if TYPE_CHECKING:\n    from referee.a import A", id="for its types"),
        pytest.param("def f():\n    from referee.a import A", id="inside a function"),
    ],
)
def test_a_planted_circle_is_caught(back: str) -> None:
    sources = {"referee.a": "import json\nfrom referee.b import B", "referee.b": "from referee.c.d import D"}
    assert import_circle({**sources, "referee.c.__init__": "", "referee.c.d": "from referee import errors"}) == []
    circle = import_circle({**sources, "referee.__init__": "", "referee.c.d": back.replace(" .a", " ..a")})
    assert set(circle) == {"referee.a", "referee.b", "referee.c.d"}


@pytest.mark.parametrize("path", [p for p in MODULES if "game" in p.parts], ids=lambda p: p.name)
def test_the_rules_touch_neither_files_nor_the_terminal(path: Path) -> None:
    assert calls(path.read_text(encoding="utf-8"), frozenset({"open", "print", "input"})) == []


def floor(name: str) -> int:
    """The floor of a module of the rules (dotted, without `referee.game.`)."""
    return next(number for number, rooms in enumerate(FLOORS) if name.split(".")[0] in rooms.split())


@pytest.mark.parametrize("path", [p for p in MODULES if "game" in p.parts], ids=lambda p: str(p.relative_to(ROOT)))
def test_no_floor_of_the_rules_imports_one_above_it(path: Path) -> None:
    name = dotted(path).removeprefix("game.").removesuffix(".__init__")
    if name in ("game", "__init__"):
        return
    for imported in imports_of(ast.parse(path.read_text(encoding="utf-8")), f"referee.{dotted(path)}"):
        if imported.name.startswith("referee.game."):
            below = imported.name.removeprefix("referee.game.")
            assert floor(below) <= floor(name), f"{path}:{imported.line} imports {imported.name}"


def test_every_folder_with_modules_is_a_package() -> None:
    """Folders above them are, too: one that is none hides its modules from tools that look for packages."""
    folders = {parent for path in MODULES for parent in path.parents if ROOT / "referee" in (parent, *parent.parents)}
    assert sorted(folder for folder in folders if not (folder / "__init__.py").exists()) == []


@pytest.mark.parametrize("path", PACKAGES, ids=dotted)
def test_a_package_tells_in_two_sentences_what_lives_there(path: Path) -> None:
    told = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    assert len(re.findall(r"\.(?=\s|$)", told)) >= 2


@pytest.mark.parametrize("path", PACKAGES, ids=dotted)
def test_a_package_has_the_names_that_it_exports(path: Path) -> None:
    if "train" in path.parts:
        pytest.importorskip("PIL", reason="Pillow is not installed")
    package = importlib.import_module(".".join(path.parent.relative_to(ROOT).parts))
    exported = getattr(package, "__all__", [])
    assert [name for name in exported if not hasattr(package, name)] == []
    assert len(set(exported)) == len(exported)


@pytest.mark.parametrize(
    ("module", "source"),
    [
        pytest.param("game.judge", "import numpy", id="rules use a library"),
        pytest.param("game.judge", "import time", id="rules look at the clock"),
        pytest.param("game.judge", "from random import choice", id="rules throw dice"),
        pytest.param("game.judge", "from referee.vision import sighting", id="rules import vision"),
        pytest.param("game.judge", "from ..vision.sighting import Read", id="rules import vision relatively"),
        pytest.param("game.judge", "from .. import vision", id="rules import a package relatively"),
        pytest.param("game.judge", "def f():\n    import referee.cli", id="rules import upwards inside a function"),
        pytest.param("game.judge", "if TYPE_CHECKING:\n    import cv2", id="rules import a library for its types"),
        pytest.param("vision.fuse", "from referee.game.judge.judge import judge", id="vision imports the judge"),
        pytest.param("vision.fuse", "from referee.game import judge", id="vision imports the judge from its package"),
        pytest.param("vision.fuse", "from referee.devices.onnx import OnnxModel", id="vision imports a device"),
        pytest.param("vision.fuse", "import onnxruntime", id="vision runs a network by itself"),
        pytest.param("devices.pi", "from referee.game.match.machine import apply", id="a device knows the match"),
        pytest.param("sim.render", "from referee.vision.pipeline import TableReader", id="the sim reads pictures"),
        pytest.param("sim.render", "import referee.train.data", id="the sim imports training"),
        pytest.param("cli.programs.table", "from referee.train import main", id="a program imports training"),
        pytest.param("table.session", "from referee.cli.main import main", id="a table imports the command line"),
        pytest.param("cli.verbs.train", "from referee.train.main import train", id="training imported at once"),
        pytest.param("cli.verbs.read", "def f():\n    from referee.train import main", id="training for another verb"),
        pytest.param("club.tournament.machine", "import time", id="a tournament looks at the clock"),
        pytest.param("club.tournament.drawing", "from random import shuffle", id="a tournament throws dice"),
        pytest.param("club.tournament.machine", "from referee.journal.store import Store", id="it stores itself"),
        pytest.param("gamelike", "import json", id="a module of no layer"),
    ],
)
def test_a_planted_violation_is_caught(module: str, source: str) -> None:
    assert len(violations(source, module)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        pytest.param("game.judge", "from .tiles import Tile\nimport itertools", id="rules import rules"),
        pytest.param("game.judge", "from referee.errors import BadInput", id="everybody knows the errors"),
        pytest.param("vision.fuse", "import cv2, numpy as np\nfrom referee.game.tiles import Tile", id="vision"),
        pytest.param("vision.fuse", "from referee.game import tiles", id="tiles from their package"),
        pytest.param("cli.verbs.train", "def f():\n    from referee.train.main import train", id="training, lazily"),
        pytest.param(
            "train.net",
            "import torch\nfrom referee.cli.parts.readers import build_reader",
            id="training may everything",
        ),
    ],
)
def test_a_proper_import_passes(module: str, source: str) -> None:
    assert violations(source, module) == []
