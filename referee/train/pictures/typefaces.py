"""The type faces of this machine that training and measurements print with, and the choice of one for a box.

Held-out type faces are never trained on, under any name: fonts are copied and renamed, so digits are compared.
Nor are other weights of them, which are recognised by their names and their digits.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageFont

from referee.train.pictures.printing import JOKERS, text_mask
from referee.train.pictures.surfaces import Floats, Rng

FONT_ROOT = Path("/usr/share/fonts")
PRINTED_SUITS = {"heart": "♥", "diamond": "♦", "spade": "♠", "club": "♣"}
HELD_OUT = ("Play", "Lato", "Andika", "URWBookman", "P052", "NimbusSansNarrow", "Cantarell")
"""How the files of the type faces in the path-traced development tables begin; those tables are a fair test only if
these are used for nothing else."""
VALIDATION = frozenset({"Anonymous Pro B", "AveriaSerifGWF", "C", "CaslonRoman", "Courier Prime Sans", "Dosis",
    "FreeMono", "GentiumBookPlus", "Inconsolata", "Junkyard", "LiberationSerif", "Mplus", "OpenDyslexicMono", "PTM55F",
    "PenguinAttack", "Rasa", "Solothurn", "Verana", "cmunbbx", "cmunbxo", "cmunsl", "cmunui",
    "tuffy"})  # fmt: skip
"""Families, as `family()` names them ("C" is C059), for calibration and for the drawn tables of the measurements. They
are listed here, so that they stay the same ones however many other families a machine has."""
UNUSUAL = frozenset({"Apropal", "DancingScript", "FerriteCoreDX", "GemunuLibre", "RadisSans", "Kinnari", "Sawasdee",
    "aescrawl", "cleavttr", "extracti", "fbsbltc", "lamebrai", "monkphon", "pincers", "quandary", "withstan",
    "zeldadxt", "AnnapurnaSIL", "UKIJMejT", "BABELreg", "OCRA", "summersby", "Peddana", "BMHANNAPro",
    "YuseiMagic"})  # fmt: skip
"""Families that are held out as well, to measure how numbers in unusual type faces are read. They were drawn at random
from the more than 400 families that were not ALIKE to any in the training until then."""
ALIKE = 0.05
"""Two type faces are alike if their digits, stretched to the same box, differ in less of it than this. Copies of a
face under another name differ in 0.00 to 0.02; Carlito, which was made after Lato, differs from it in 0.04."""
RELATED, SAME_LETTERS = 0.2, 5
"""Two type faces are related if their files state the same family, or if the first SAME_LETTERS letters of their
families are the same and their digits differ in less than RELATED. Other weights of one face differ in 0.05 to 0.2,
and many files are named so that `family()` takes them for another family."""
_HIGH_PX, _BOX = 64, (16, 24)
_SKIP = ("Emoji", "Symbol", "Math", "Icons", "Oblique", "Italic", "Cond-Ita", "It.", "Obl.", "ecolier", "Barcode",
    "-Thin", "Hairline", "ExtraLight", "UltraLight", "Braille", "Sketch", "LobsterTwo", "Ancient", "Z003", "Chancery",
    "Extraligh", "D050000L", "StandardSymbols", "Fallback", "qzc", "texgyrechorus", "rsfs",
    # Their digits are other signs, or people cannot read them.
    "3dlet", "90stars", "entlayr", "entangle", "lineding", "symmetry", "fauxsnow", "numskull", "skullcap", "snailets",
    "tearful", "xeroxmal", "xmasl", "DedEena", "UKIJImaret", "graze", "hdmaker", "bandwdth", "binaryt", "zurklez",
    "grudge", "Euljiroo", "quillex", "jawbrko2", "darkside", "jasper", "xtrusion",
    # Their digits are blank in a filled box, as on no tiles that are sold.
    "OCRBE", "OCRBX", "binaryx")  # fmt: skip
_HEAVY = ("Bold", "Black", "Heavy", "Semi", "Demi", "Medium", "ExtraB", "-bol", "bold", "black")
CROWDED = 0.25
"""The weight of a family is the number of families in its folder to the power of -CROWDED. Otherwise two folders would
have too many of the boxes: one with more than 200 unusual families, and one with about 30 that differ little."""


@dataclass(frozen=True)
class Faces:
    """What boxes are printed with.

    Type face files by use: for training, for calibration and measurements, and unusual ones for measurements.
    """

    training: tuple[Path, ...]
    validation: tuple[Path, ...]
    symbols: Path
    suits: tuple[Path, ...]
    """Type faces that can draw hearts, diamonds, spades and clubs; all boxes are printed with the same ones."""
    unusual: tuple[Path, ...] = ()
    jokers: tuple[str, ...] = JOKERS
    """The kinds of jokers that boxes print."""


def family(path: Path) -> str:
    """Return the name of a type face without its weight."""
    return path.stem.split("-")[0].split("_")[0].rstrip("0123456789")


def _draws_digits(path: Path) -> bool:
    """Return whether the type face draws ten different digits (and not ten empty boxes) and the letters of tiles."""
    masks = _different_masks(path, "0123456789ABDEJKOQRV")
    return bool(masks) and all(mask.size[0] > 4 and mask.size[1] > 15 for mask in masks)


def _draws_suits(path: Path) -> bool:
    """Return whether the type face draws four different suits."""
    return bool(_different_masks(path, (*PRINTED_SUITS.values(), "\uffff")))  # the last one is drawn as an empty box


def _different_masks(path: Path, characters: Iterable[str]) -> list[Image.core.ImagingCore]:
    """Return each character as the type face draws it; nothing if it cannot be used or draws two of them alike."""
    try:
        font = ImageFont.truetype(str(path), 40)
        masks = [font.getmask(character) for character in characters]
    except (OSError, ValueError):
        return []
    return masks if len({bytes(mask) for mask in masks}) == len(masks) else []


def find_faces(root: Path = FONT_ROOT) -> Faces:
    """Return the usable type faces below `root`, at most fourteen of each family.

    Raises FileNotFoundError if there are fewer than twenty families, since a network trained on three would read only
    three; if none of the families for calibration is there; and if DejaVu Sans is missing.
    """
    found: dict[str, Path] = {}
    for path in sorted(root.rglob("*.[to]tf")):
        if not any(s in path.name for s in _SKIP):
            found.setdefault(path.name, path)
    groups: dict[str, list[Path]] = {}
    for path in sorted(found.values()):
        if not path.name.startswith(HELD_OUT):
            groups.setdefault(family(path), []).append(path)
    groups = {name: [p for p in paths[:14] if _draws_digits(p)] for name, paths in sorted(groups.items())}
    groups = {name: paths for name, paths in groups.items() if paths}
    if len(groups) < 20:
        raise FileNotFoundError(f"expected at least 20 families of type faces under {root}, found {len(groups)}")
    if not VALIDATION & groups.keys():
        raise FileNotFoundError(f"expected one of {', '.join(sorted(VALIDATION))} under {root}, found none")
    symbols = min(root.rglob("DejaVuSans.ttf"), default=None)
    if symbols is None:
        raise FileNotFoundError(f"expected DejaVuSans.ttf (suits, crowns, smileys) under {root}, found none")

    def files(names: Iterable[str]) -> list[Path]:
        return [path for name in sorted(names) for path in groups[name]]

    validation, unusual = files(groups.keys() & VALIDATION), files(groups.keys() & UNUSUAL)
    held_out = [path for path in found.values() if path.name.startswith(HELD_OUT) and _draws_digits(path)]
    others = files(groups.keys() - VALIDATION - UNUSUAL)
    unlike, training = _leave_out_known(others, [*held_out, *validation, *unusual])
    suits = tuple(path for path in unlike if _draws_suits(path)) or (symbols,)
    return Faces(tuple(training), tuple(validation), symbols, suits, tuple(unusual))


def _leave_out_known(paths: Sequence[Path], held_out: Sequence[Path]) -> tuple[list[Path], list[Path]]:
    """Return the type faces that are not ALIKE to any held-out one, and those of them that are not RELATED to any."""
    kept = np.stack([_digits(path) for path in held_out])
    names = [_stated_family(path) for path in held_out]
    letters = np.asarray([name[:SAME_LETTERS] for name in names])
    unlike, unrelated = list[Path](), list[Path]()
    for path in paths:
        difference, name = np.abs(kept - _digits(path)).mean(axis=1), _stated_family(path)
        if difference.min() >= ALIKE:
            unlike.append(path)
            if name not in names and (difference[letters == name[:SAME_LETTERS]] >= RELATED).all():
                unrelated.append(path)
    return unlike, unrelated


def _stated_family(path: Path) -> str:
    """Return the family's name that is stated in a type face file, in small letters and digits."""
    name = ImageFont.truetype(str(path), _HIGH_PX).getname()[0] or path.stem
    return "".join(letter for letter in name.lower() if letter.isalnum())


def _digits(path: Path) -> Floats:
    """Return the ink of a type face's digits, each stretched to the same box, in a row."""
    masks = [cv2.resize(text_mask(c, path, _HIGH_PX), _BOX, interpolation=cv2.INTER_AREA) for c in "0123456789"]
    return np.asarray(np.concatenate([mask.ravel() for mask in masks]), np.float32)


def choose_face(rng: Rng, paths: tuple[Path, ...], *, always_heavy: bool = False) -> Path:
    """Choose a family at random, and one of its type faces, mostly a heavy one."""
    families, shares = _families(paths)
    own = families[sorted(families)[int(rng.choice(len(families), p=shares))]]
    heavy = [path for path in own if any(h in path.name for h in _HEAVY)]
    pool = heavy if heavy and (always_heavy or rng.random() < 0.85) else own
    return pool[int(rng.integers(len(pool)))]


@functools.lru_cache(maxsize=4)  # every box is printed with one of the same 2,000
def _families(paths: tuple[Path, ...]) -> tuple[dict[str, list[Path]], Floats]:
    """Return the type faces of each family, and how often each family, in alphabetical order, is chosen.

    The more families share a folder, the less often each of them is chosen.
    """
    families: dict[str, list[Path]] = {}
    for path in paths:
        families.setdefault(family(path), []).append(path)
    folders = {name: own[-1].parent for name, own in families.items()}
    crowd = Counter(folders.values())
    weights = np.asarray([crowd[folders[name]] ** -CROWDED for name in sorted(families)])
    return families, weights / weights.sum()
