"""Crops mined with the trained finder: its own mistakes, and its own placement of corners, on new generated pictures.

A finder of tiles makes mistakes where spots, knots and seams look like print, and the reader that checks it must have
seen such places. They are found by running the finder on generated pictures, half of which have no tile at all.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import Any

import cv2
import numpy as np
import torch

from referee.train import data
from referee.train.data import ALIGNED, CropList, Samples
from referee.train.nets import FinderNet
from referee.train.pictures.scenes import Truth, make_scene
from referee.train.pictures.surfaces import Floats
from referee.train.pictures.typefaces import Faces
from referee.vision.finding import search
from referee.vision.reading import crops
from referee.vision.reading.answers import Model

SIDE = 640
THRESHOLD = 0.2
"""The finder's least score for a crop to learn from: nearly the least one that is tried in use (`main.FIND_FROM`)."""
MOST_TILES = 12  # of one picture


def as_model(net: torch.nn.Module) -> Model:
    """Return a torch network as a function from an array to a tuple of arrays."""

    def run(array: Any) -> tuple[Any, ...]:
        with torch.no_grad():
            return (net(torch.from_numpy(array)).numpy(),)

    return run


def label_candidate(corners: Floats, tiles: tuple[Truth, ...]) -> tuple[int, Floats | None, Truth | None]:
    """Return 1 with the true corners (in the candidate's order) and the tile; 0 for no tile; -1 if it is neither."""
    if not tiles:
        return 0, None, None
    centre = corners.mean(axis=0)
    sides = crops.short_sides(np.asarray([corners, *(t.corners for t in tiles)], np.float32))
    way = np.asarray([np.linalg.norm(t.corners.mean(axis=0) - centre) for t in tiles]) / sides[1:]
    nearest = int(way.argmin())
    ratio = sides[0] / sides[1 + nearest]
    if way[nearest] < 0.25 and 0.75 < ratio < 1.33 and not tiles[nearest].cut:
        true = tiles[nearest].corners
        turned = np.roll(true, 2, axis=0)
        same = float(np.linalg.norm(true - corners)) <= float(np.linalg.norm(turned - corners))
        exact = true if same else turned
        if float(np.abs(exact - corners).max()) < 0.35 * sides[1 + nearest]:
            return 1, exact, tiles[nearest]
    elif way[nearest] > 0.45 or not 0.55 < ratio < 1.8:
        return 0, None, None
    return -1, None, None


def mine_picture(seed: int, finder: Model, faces: Faces) -> Samples:
    """Return crops of one new picture as the finder places them; even seeds give a picture without tiles."""
    rng = np.random.default_rng([seed, 2])
    short = float(np.exp(rng.uniform(np.log(26), np.log(75))))
    scene = make_scene(rng, faces, side=SIDE, short_px=short, empty=seed % 2 == 0)
    picture = np.ascontiguousarray(scene.picture[..., ::-1])
    found = search.at_any_scale(finder, picture, THRESHOLD)
    chosen, tiles = CropList(), 0
    for corners in found.corners:
        what, exact, truth = label_candidate(corners, scene.tiles)
        if what == 1 and truth is not None and exact is not None:
            tiles += 1
            if tiles > MOST_TILES:
                continue
            inverted = bool(np.abs(exact[0] - truth.corners[0]).max() > 1e-3)
            chosen.add_tile(truth, corners, exact, inverted=inverted, loose=True)
            near = data.jitter(rng, exact, ALIGNED)
            chosen.add_tile(truth, near, exact, inverted=inverted, loose=False)
        elif what == 0:
            chosen.add_nothing(corners)
    return chosen.cut(picture)


def _mine_many(seeds: list[int], state: dict[str, Any], faces: Faces) -> list[Samples]:
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    net = FinderNet()
    net.load_state_dict(state)
    model = as_model(net.eval())
    return [mine_picture(seed, model, faces) for seed in seeds]


def mine(finder: torch.nn.Module, faces: Faces, seeds: range, report: Any, workers: int = 2) -> Samples:
    """Return mined crops of many new pictures; `report` is called with the progress."""
    state = {name: tensor.contiguous() for name, tensor in finder.state_dict().items()}
    pieces = [list(seeds[i : i + 25]) for i in range(0, len(seeds), 25)]
    results: list[Samples] = []
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for done, part in enumerate(pool.map(partial(_mine_many, state=state, faces=faces), pieces), 1):
            results += part
            report("mining", min(25 * done, len(seeds)), len(seeds), "")
    return data.join_samples(results)
