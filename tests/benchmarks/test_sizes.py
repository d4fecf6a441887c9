"""How large tiles must be: sizes are safe only above every size that is not."""

from pathlib import Path

import numpy as np

from benchmarks.sizes import HEIGHTS_PX, Count, figures
from referee.vision.sighting import Image

WHOLE = Count(tiles=1000, found=1000, sure=1000)


def safe_from(**by_height: Count) -> str:
    counts = {(marked, high): WHOLE for marked in (True, False) for high in HEIGHTS_PX}
    counts |= {(True, int(high[1:])): count for high, count in by_height.items()}
    rows = {(row.what, row.on): row for row in figures(counts).rows}
    assert rows["tiles are safe to read from", "without markers"].figure == f"{HEIGHTS_PX[0]} px high"
    return rows["tiles are safe to read from", "with markers"].figure


def test_every_size_is_safe_if_all_is_found_and_right() -> None:
    assert safe_from() == "12 px high"


def test_tiles_are_safe_above_the_largest_size_that_is_not() -> None:
    assert safe_from(h12=Count(1000, 900), h20=Count(1000, 994), h14=Count(1000, 700)) == "24 px high"


def test_a_size_with_an_error_without_doubt_is_not_safe() -> None:
    assert safe_from(h28=Count(1000, 1000, 999, wrong=1)) == "32 px high"


def test_no_size_is_safe_if_the_largest_is_not() -> None:
    assert safe_from(**{f"h{HEIGHTS_PX[-1]}": Count(1000, 10)}) == "no size"


def test_markers_that_are_painted_over_are_not_found_any_more() -> None:
    from benchmarks import virtual
    from benchmarks.sizes import paint_over_markers
    from referee.vision.geometry.markers import find_markers, locate

    picture: Image = next(virtual.tables())[1]
    located = locate(picture, (900.0, 600.0))
    assert located is not None
    assert find_markers(paint_over_markers(picture, located)) == {}
    assert not np.array_equal(paint_over_markers(picture, located), picture)


def test_things_like_a_few_large_tiles_hide_no_small_tiles() -> None:
    """In a picture without markers, three joints of the floor once were the only candidates that were read."""
    import cv2

    from benchmarks.sizes import RENDERED, tables
    from referee.cli.parts.readers import build_reader

    shown = [table for table in tables(Path("/nowhere"), RENDERED) if table.box.name == "ravensburger"]
    reader = build_reader()
    for table in shown:
        scale = 18 / table.high_px
        small = np.asarray(cv2.resize(table.unmarked, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
        assert len(reader.read(small, table.box, table.size_mm).reads) > 0.8 * len(table.names)
