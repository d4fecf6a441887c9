"""The type faces of this machine that training and measurements print with, and the choice of one for a box."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import ImageFont

from referee.train.pictures.surfaces import Rng

FONT_ROOT = Path("/usr/share/fonts")
PRINTED_SUITS = {"heart": "♥", "diamond": "♦", "spade": "♠", "club": "♣"}
# Families used in the path-traced development tables. They are never trained on, so that those tables are a fair test.
HELD_OUT = ("Play", "Lato", "Andika", "URWBookman", "P052", "NimbusSansNarrow", "Cantarell")
VALIDATION = frozenset({"Anonymous Pro B", "AveriaSerifGWF", "C", "CaslonRoman", "Courier Prime Sans", "Dosis",
    "FreeMono", "GentiumBookPlus", "Inconsolata", "Junkyard", "LiberationSerif", "Mplus", "OCRBE", "OpenDyslexicMono",
    "PTM55F", "PenguinAttack", "Rasa", "Solothurn", "Verana", "cmunbbx", "cmunbxo", "cmunsl", "cmunui",
    "tuffy"})  # fmt: skip
"""Families for calibration and for the drawn tables of the measurements. They are named, so that they stay the same
ones however many other families a machine has."""
UNUSUAL = frozenset({"Apropal", "DancingScript", "FerriteCoreDX", "GemunuLibre", "RadisSans", "Kinnari", "Sawasdee",
    "aescrawl", "cleavttr", "extracti", "fbsbltc", "lamebrai", "monkphon", "pincers", "quandary", "withstan",
    "zeldadxt", "AnnapurnaSIL", "UKIJMejT", "BABELreg", "OCRA", "summersby", "Peddana", "UnDinaru", "BMHANNAPro",
    "YuseiMagic"})  # fmt: skip
"""Families that are held out as well, to measure how numbers in unusual type faces are read. They were drawn at random
from those that differ from all of training in at least 4 % of the ink of their digits."""
_SKIP = ("Emoji", "Symbol", "Math", "Icons", "Oblique", "Italic", "Cond-Ita", "It.", "Obl.", "ecolier", "Barcode",
    "-Thin", "Hairline", "ExtraLight", "UltraLight", "Braille", "Sketch", "LobsterTwo", "Ancient", "Z003", "Chancery",
    "Extraligh", "D050000L", "StandardSymbols", "Fallback", "qzc", "texgyrechorus", "rsfs",
    # Their digits are other signs, or people cannot read them.
    "3dlet", "90stars", "entlayr", "entangle", "lineding", "symmetry", "fauxsnow", "numskull", "skullcap", "snailets",
    "tearful", "xeroxmal", "xmasl", "DedEena", "UKIJImaret", "graze", "hdmaker", "bandwdth", "binaryt", "zurklez",
    "grudge", "Euljiroo", "quillex", "jawbrko2", "darkside", "jasper", "xtrusion")  # fmt: skip
_HEAVY = ("Bold", "Black", "Heavy", "Semi", "Demi", "Medium", "ExtraB", "-bol", "bold", "black")
CROWDED = 0.25
"""Families in one folder are chosen less often, by this power of their number: more than 200 families, all of them
unusual, are in one folder, and 31 of Computer Modern, which differ little, in another."""


@dataclass(frozen=True)
class Faces:
    """Type face files, divided by family into those for training and those held out."""

    training: tuple[Path, ...]
    validation: tuple[Path, ...]
    symbols: Path
    suits: tuple[Path, ...]
    """Type faces that can draw hearts, diamonds, spades and clubs."""
    unusual: tuple[Path, ...] = ()


def family(path: Path) -> str:
    """Return the name of a type face without its weight."""
    return path.stem.split("-")[0].split("_")[0].rstrip("0123456789")


def _draws_digits(path: Path) -> bool:
    """Return whether the type face draws ten different digits (and not ten empty boxes)."""
    try:
        font = ImageFont.truetype(str(path), 40)
        masks = [font.getmask(c) for c in "0123456789ABDEJKOQRV"]
    except (OSError, ValueError):
        return False
    return all(m.size[0] > 4 and m.size[1] > 15 for m in masks) and len({bytes(m) for m in masks}) == len(masks)


def _draws_suits(path: Path) -> bool:
    """Return whether the type face draws four different suits."""
    try:
        font = ImageFont.truetype(str(path), 40)
        masks = [bytes(font.getmask(c)) for c in (*PRINTED_SUITS.values(), "\uffff")]
    except (OSError, ValueError):
        return False
    return len(set(masks)) == len(masks)


def find_faces(root: Path = FONT_ROOT) -> Faces:
    """Return the usable type faces below `root`, at most fourteen of each family.

    Raises FileNotFoundError if there are fewer than twenty families, since a network trained on three would read only
    three; if none of the families for calibration is there; and if DejaVu Sans is missing.
    """
    seen: set[str] = set()
    found: dict[str, list[Path]] = {}
    for path in sorted(root.rglob("*.[to]tf")):
        if path.name in seen or any(s in path.name for s in _SKIP) or path.name.startswith(HELD_OUT):
            continue
        seen.add(path.name)
        found.setdefault(family(path), []).append(path)
    groups = {name: [p for p in sorted(paths)[:14] if _draws_digits(p)] for name, paths in sorted(found.items())}
    groups = {name: paths for name, paths in groups.items() if paths}
    if len(groups) < 20:
        raise FileNotFoundError(f"expected at least 20 families of type faces under {root}, found {len(groups)}")
    if not VALIDATION & groups.keys():
        raise FileNotFoundError(f"expected one of {', '.join(sorted(VALIDATION))} under {root}, found none")
    symbols = next(iter(root.rglob("DejaVuSans.ttf")), None)
    if symbols is None:
        raise FileNotFoundError(f"expected DejaVuSans.ttf (suits, crowns, smileys) under {root}, found none")

    def files(names: Iterable[str]) -> tuple[Path, ...]:
        return tuple(path for name in sorted(names) for path in groups[name])

    suits = tuple(path for path in files(groups) if _draws_suits(path)) or (symbols,)
    training = files(groups.keys() - VALIDATION - UNUSUAL)
    return Faces(training, files(groups.keys() & VALIDATION), symbols, suits, files(groups.keys() & UNUSUAL))


def choose_face(rng: Rng, paths: Sequence[Path], *, always_heavy: bool = False) -> Path:
    """Choose a family at random, and one of its type faces, mostly a heavy one."""
    folders = {family(path): path.parent for path in paths}
    families = sorted(folders)
    crowd = Counter(folders.values())
    weights = np.asarray([crowd[folders[name]] ** -CROWDED for name in families])
    chosen = families[int(rng.choice(len(families), p=weights / weights.sum()))]
    own = [path for path in paths if family(path) == chosen]
    heavy = [path for path in own if any(h in path.name for h in _HEAVY)]
    pool = heavy if heavy and (always_heavy or rng.random() < 0.85) else own
    return pool[int(rng.integers(len(pool)))]
