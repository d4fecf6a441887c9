"""`referee enrol`: learns a box of tiles from a few pictures of all its tiles.

Questions are asked at the terminal; the result is printed in words or as JSON.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer

from referee.cli.parts import lens_profiles as optics
from referee.cli.parts.readers import Learner
from referee.cli.terminal import common
from referee.cli.terminal.chosen_box import learner_of, named_path
from referee.cli.terminal.common import Code
from referee.cli.terminal.reads import short
from referee.cli.terminal.targets import like_json, refuse_others
from referee.devices.box_file import KIND, SUFFIX, save_box
from referee.devices.camera.picture_kinds import PICTURE_SUFFIXES
from referee.devices.camera.stills import load_picture, save_picture
from referee.errors import BadInput, CannotJudge, UnreadablePicture
from referee.game.notation import parse_tile
from referee.game.tiles import FACE_DOWN, Tile, TileSet
from referee.i18n import ENGLISH, error_text
from referee.i18n.wording import count
from referee.vision.boxes.batches import Meant, Reread, faults_of, tile_in_question
from referee.vision.boxes.box import Box
from referee.vision.boxes.contact_sheet import Face, contact_sheet, face_of
from referee.vision.boxes.enrol import Batch
from referee.vision.sighting import Image

Named = dict[tuple[int, int], str]
"""Tiles named by people, by picture and index of the tile in it, both counted from 0."""
MOST_PASSED = 12
"""The most places of passed-over tiles that are reported."""

MOST = 12


@dataclass(frozen=True, slots=True)
class Added:
    """A tile that a person has pointed out: number of the picture from 0, place in pixels, and the tile."""

    picture: int
    place_px: tuple[float, float]
    tile: Tile


@dataclass(frozen=True, slots=True)
class Result:
    """The result of an enrolment: a box, or problems, or questions that nobody has answered."""

    tiles: tuple[int | None, ...]
    """The number of tiles in each picture; None for a picture that could not be used."""
    images: tuple[Path, ...]
    batches: tuple[Batch, ...] = ()
    problems: tuple[str, ...] = ()
    questions: tuple[Meant, ...] = ()
    box: Box | None = None
    reread: Reread | None = None
    looks_like: str | None = None

    @property
    def passed_places(self) -> tuple[tuple[int, str, int, int], ...]:
        """Places where something like a tile was passed over: number and name of the picture, and centre in pixels."""
        return tuple(
            (number, batch.picture, round(float(x)), round(float(y)))
            for number, batch in enumerate(self.batches, 1)
            for x, y in batch.passed_px.mean(axis=1)
        )

    def to_json(self, stored: Path | None) -> dict[str, Any]:
        """Return the JSON object of `enrol --json`."""
        pictures = [{"image": str(i), "tiles": n} for i, n in zip(self.images, self.tiles, strict=True)]
        value: dict[str, Any] = {
            "box": None if stored is None else str(stored),
            "pictures": pictures,
            "problems": list(self.problems),
            "questions": [
                {"picture": one.number, "image": one.picture, "index": one.index, "x_mm": one.x_mm, "y_mm": one.y_mm,
                 "names": list(one.names)}
                for one in self.questions
            ],
            "passed_over": [
                {"picture": number, "image": image, "x_px": x, "y_px": y} for number, image, x, y in self.passed_places
            ],
            "looks_like": self.looks_like,
            "learnt": None,
        }  # fmt: skip
        if self.box is not None and self.reread is not None:
            value["learnt"] = {
                "name": self.box.name, "tileset": self.box.tileset, "size_mm": list(self.box.size_mm),
                "style": self.box.style, "tiles": self.reread.total, "sure": self.reread.sure,
            }  # fmt: skip
        return value


@dataclass
class EnrolmentSession:
    """One enrolment: the pictures are read once, and questions asked as long as somebody answers."""

    learner: Learner
    name: str
    tileset: TileSet
    table_mm: tuple[float, float]
    images: Sequence[Path]
    added: Sequence[Added] = ()
    sure: bool = False
    """Whether the kind of box is confirmed, whatever its inks look like."""
    batches: list[Batch] = field(default_factory=list)

    def run(self, named: Named, *, ask: bool) -> Result:
        """Read the pictures and learn the box; `ask`: whether to ask questions at the terminal."""
        tiles, problems = self._read()
        images = tuple(self.images)
        if problems:
            return Result(tuple(tiles), images, problems=tuple(problems))
        named = dict(named)
        self._check(named)
        while True:
            learnt = self.learner.enrol(self.name, self.tileset, self.batches, named, sure=self.sure)
            if ask and learnt.looks_like is not None and confirm_tileset(self.tileset, learnt.looks_like):
                self.sure = True
                continue
            questions = tuple(tile_in_question(one, self.batches, self.table_mm) for one in learnt.questions)
            answers = ask_about_tiles(questions, self.tileset) if ask and questions and not learnt.problems else None
            if answers is None:
                break
            named |= answers
        done, reread = learnt.box, None
        problems = list(map(ENGLISH, learnt.problems))
        if done is not None:
            reread = self.learner.reread(self.batches, done, self.tileset)
            if reread.strange:
                many = ", ".join(map(short, reread.strange))
                problems.append(f"With what was learnt, more is read than the box holds: {many}; take other pictures.")
                done = None
        return Result(
            tuple(tiles), images, tuple(self.batches), tuple(problems), questions, done, reread, learnt.looks_like
        )

    def _read(self) -> tuple[list[int | None], list[str]]:
        """Read all pictures; return the number of tiles in each, and all problems together."""
        tiles: list[int | None] = []
        problems = []
        for number, image in enumerate(common.show_progress(self.images, "Reading the pictures"), 1):
            where = f"Picture {number} ({image})"
            try:
                picture = load_picture(image)
                batch = self.learner.batch(picture, image.name, self.tileset, self.table_mm)
                for one in self.added:
                    if one.picture == number - 1:
                        batch = self._with_added(batch, picture, one)
            except CannotJudge as error:
                problems.append(f"{where}: {error_text(error)}")
                tiles.append(None)
                continue
            except UnreadablePicture as error:
                problems.append(f"Picture {number}: {error}")
                tiles.append(None)
                continue
            problems += [f"{where}: {ENGLISH(fault)}" for fault in faults_of(batch)]
            self.batches.append(batch)
            tiles.append(len(batch.sighting.reads))
        return tiles, problems

    def _with_added(self, batch: Batch, picture: Image, one: Added) -> Batch:
        try:
            return self.learner.with_tile_named(batch, picture, one.place_px, one.tile, self.tileset, self.table_mm)
        except BadInput as error:
            raise BadInput(f"--add: picture {one.picture + 1}: {error}") from None

    def _check(self, named: Named) -> None:
        for picture, index in named:
            there = len(self.batches[picture].sighting.reads)
            if index >= there:
                raise BadInput(f"--name: expected a tile 0 to {there - 1} of picture {picture + 1}, found {index}")


def named_tiles(chosen: Sequence[str], images: Sequence[Path], tileset: TileSet) -> Named:
    """Return the tiles given with `--name`; raises BadInput for anything but PICTURE:INDEX=TILE of this box."""
    named: Named = {}
    for item in chosen:
        match = re.fullmatch(r"\s*(.+):(\d{1,6})\s*=\s*(\S+)\s*", item)
        if match is None:
            raise BadInput(f"--name: expected PICTURE:INDEX=TILE such as 2:17=R7, found {item!r}")
        named[_picture("--name", match[1], images), int(match[2])] = _tile(match[3], tileset, "--name: ")
    return named


def added_tiles(chosen: Sequence[str], images: Sequence[Path], tileset: TileSet) -> list[Added]:
    """Return the tiles given with `--add`; raises BadInput for anything but PICTURE:X,Y=TILE of this box."""
    added = []
    for item in chosen:
        match = re.fullmatch(r"\s*(.+):(\d{1,5}),(\d{1,5})\s*=\s*(\S+)\s*", item)
        if match is None:
            raise BadInput(f"--add: expected PICTURE:X,Y=TILE such as 2:812,455=R7, found {item!r}")
        tile = Tile.from_name(_tile(match[4], tileset, "--add: "))
        added.append(Added(_picture("--add", match[1], images), (float(match[2]), float(match[3])), tile))
    return added


def _picture(option: str, text: str, images: Sequence[Path]) -> int:
    """Return the index of the picture that a text names: by its number from 1, or by its name."""
    if text.isascii() and text.isdigit() and 1 <= int(text) <= len(images):
        return int(text) - 1
    same = [i for i, image in enumerate(images) if text in (image.name, image.stem, str(image))]
    if len(same) != 1:
        raise BadInput(f"{option}: expected a picture 1 to {len(images)}, or its name, found {text!r}")
    return same[0]


def _tile(text: str, tileset: TileSet, where: str = "") -> str:
    """Return the long name of a tile of this box, given in notation or by name."""
    try:
        tile = parse_tile(text)
    except BadInput as error:
        raise BadInput(f"{where}{error}") from None
    if tile not in tileset.inventory():
        raise BadInput(f"{where}expected a tile of {tileset.name}, found {tile}")
    return tile.name


def ask_about_tiles(questions: Sequence[Meant], tileset: TileSet) -> Named | None:
    """Ask at the terminal what the tiles are; return None if the person stops."""
    answers: Named = {}
    console = common.stderr()
    console.print(f"{count(len(questions), 'tile')} must be named. A number, or a tile such as R7; nothing stops.")
    for one in questions:
        choices = "  ".join(f"{i} {short(name)}" for i, name in enumerate(one.names, 1))
        console.print(f"Picture {one.number} ({one.picture}), tile {one.index}, {ENGLISH(one.place)}: {choices}")
        while (one.number - 1, one.index) not in answers:
            text = common.ask_line("Which tile is it? ")
            if not text:
                return None
            if text.isascii() and text.isdigit() and 1 <= int(text) <= len(one.names):
                answers[one.number - 1, one.index] = one.names[int(text) - 1]
                continue
            try:
                answers[one.number - 1, one.index] = _tile(text, tileset)
            except BadInput as error:
                common.complain(error)
    return answers


def confirm_tileset(tileset: TileSet, other: str) -> bool:
    """Ask at the terminal whether the box is of this kind although it looks like another one."""
    common.stderr().print(f"The inks of these pictures look like a box of {other} rather than one of {tileset.name}.")
    return common.ask_line(f"Is it a box of {tileset.name}? (y/n) ").lower() in ("y", "yes")


def report_result(result: Result, tileset: TileSet, stored: Path | None, sheet: Path | None) -> None:
    """Print the result: what was learnt on standard output, problems on standard error."""
    for problem in result.problems:
        common.complain(problem)
    if result.problems:
        for number, image, x, y in result.passed_places[:MOST_PASSED]:
            common.complain(f"picture {number} ({image}): something like a tile was passed over at pixel {x}, {y}; "
                            f"if it is one, name it with --add {number}:{x},{y}=TILE")  # fmt: skip
        if sheet is not None and result.batches:
            common.complain(f"all that was seen, to look at: {sheet}")
        common.complain("nothing was stored")
        return
    for one in result.questions:
        common.complain(f"expected a name for {_question(one)}; give it with --name {one.number}:{one.index}=TILE")
    if result.looks_like is not None:
        common.complain(f"--tileset: expected a box of {tileset.name}, found inks that look like {result.looks_like}; "
                        f"give --sure if it is really a box of {tileset.name}, "
                        "or else --tileset with the kind of box it is")  # fmt: skip
    box, reread, console = result.box, result.reread, common.stdout()
    if box is None or reread is None:
        common.complain("nothing was stored")
        return
    width, height, _ = box.size_mm
    console.print(f"{box.name}: {count(tileset.total, 'tile')} of {tileset.name}, {width:g} x {height:g} mm, "
                  f"faces {_style(box)}, seen in {count(len(box.inks), 'picture')}.")  # fmt: skip
    console.print(f"With it {reread.sure} of its {reread.total} tiles are read without doubt in these pictures.")
    if sheet is not None:
        console.print(f"All faces, to look at: {sheet}")
    console.print("Nothing was stored: this was a check." if stored is None else f"Stored: {stored}")


def _question(one: Meant) -> str:
    likely = ", ".join(map(short, one.names)) or "nothing that is left of the box"
    return f"picture {one.number} ({one.picture}), tile {one.index}, {ENGLISH(one.place)}: {likely}"


def _style(box: Box) -> str:
    return "1 to 13" if box.style == "numbers" else f"with {' '.join(box.style)}"


def shown_sheet(path: Path, tileset: TileSet, session: EnrolmentSession, result: Result) -> None:
    """Write the contact sheet with what was learnt, or else what was read, and everything that was passed over."""
    faces: list[Face] = []
    learnt: Mapping[int, Sequence[tuple[str, bool]]] = dict(enumerate(result.reread.names if result.reread else ()))
    for i, (image, batch) in enumerate(zip(session.images, session.batches, strict=True)):
        picture, reads = load_picture(image), batch.sighting.reads
        names = learnt.get(i) or [(read.name, read.doubtful) for read in reads]
        for j, (read, (name, doubtful)) in enumerate(zip(reads, names, strict=True)):
            told = batch.named.get(j, name)
            faces.append(face_of(picture, read.corners_px, told, doubtful=doubtful and told == name))
        for quad in batch.passed_px:
            x, y = quad.mean(axis=0)
            faces.append(face_of(picture, quad, FACE_DOWN, doubtful=True, label=f"{i + 1}:{x:.0f},{y:.0f}"))
    save_picture(path, contact_sheet(tileset, faces))


def enrol(
    context: typer.Context,
    images: Annotated[
        list[Path],
        typer.Argument(
            metavar="IMAGE", parser=common.some_path, help="Three to five pictures, with every tile in one of them."
        ),
    ],
    *,
    tileset: Annotated[str, typer.Option(metavar="NAME", help="The kind of box.")],
    out: Annotated[str, typer.Option(metavar="BOX", help="Name of the box, or the file to write.")],
    sheet: Annotated[
        Path | None,
        typer.Option(
            metavar="OUT.png", parser=common.some_path, help="Also write a picture of every face with its name."
        ),
    ] = None,
    table: Annotated[str, common.TABLE] = common.DEFAULT_TABLE,
    lens: Annotated[Path | None, common.LENS] = None,
    check: Annotated[bool, typer.Option("--check", help="Report what would be learnt, and store nothing.")] = False,
    name: Annotated[
        list[str] | None,
        typer.Option("--name", metavar="PICTURE:INDEX=R7", help="Answer to a question about a tile; may be repeated."),
    ] = None,
    add: Annotated[
        list[str] | None,
        typer.Option(
            "--add",
            metavar="PICTURE:X,Y=R7",
            help="A tile that was not found, by its place in pixels; may be repeated.",
        ),
    ] = None,
    sure: Annotated[
        bool, typer.Option("--sure", help="Accept the kind of box even if its inks look like another kind.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> int:
    """Learn a box of tiles from a few pictures that show all its tiles face up."""
    box = common.named_tile_set(tileset)
    size = common.table_size(table)
    path = named_path("--out", out)
    if Path(out).suffix.lower() in PICTURE_SUFFIXES or path.suffix.lower() != SUFFIX or not path.stem.strip("."):
        raise BadInput(f"--out: expected the name of a box or a file ending in {SUFFIX}, found {out!r}")
    if not check and Path(out).name != out:  # in the boxes' folder lie boxes alone, perhaps damaged ones
        refuse_others(path, "an earlier box", like_json(("version", "sha256", "content"), kind=KIND))
    _check_pictures(images, sheet)
    named = named_tiles(name or [], images, box)
    seen = None if lens is None else optics.load(lens).lens
    added = added_tiles(add or [], images, box)
    session = EnrolmentSession(learner_of(common.parts_of(context), seen), path.stem, box, size, images, added, sure)
    result = session.run(named, ask=not as_json and common.at_a_terminal())
    if result.batches and sheet is not None:
        shown_sheet(sheet, box, session, result)
    stored = None
    if result.box is not None and not check:
        save_box(path, result.box)
        stored = path
    if as_json:
        common.print_json(result.to_json(stored))
    else:
        report_result(result, box, stored, sheet)
    if result.problems:
        return Code.BAD_INPUT
    return Code.DONE if result.box is not None else Code.CANNOT_JUDGE


def _check_pictures(images: list[Path], sheet: Path | None) -> None:
    """Raise BadInput, before any work, for pictures and sheets that cannot be used."""
    if len(images) > MOST:
        raise BadInput(f"IMAGE: expected three to five pictures, {MOST} at most, found {len(images)}")
    if len({common.end_of_path(image) for image in images}) < len(images):
        raise BadInput("IMAGE: expected every picture once, found one twice")
    if sheet is None:
        return
    if sheet.suffix.lower() not in PICTURE_SUFFIXES:
        raise BadInput(f"--sheet: expected a name ending in {', '.join(PICTURE_SUFFIXES)}, found {sheet}")
    if not sheet.parent.is_dir():
        raise BadInput(f"--sheet: expected a folder to write to, found no folder {sheet.parent}")
    if common.end_of_path(sheet) in map(common.end_of_path, images):
        raise BadInput("--sheet: expected another name than a picture's own, found the same")
