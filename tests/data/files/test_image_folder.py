"""A folder of pictures as rows of pixels."""

import numpy as np
import pytest
from PIL import Image

import kpca_viewer
from kpca_viewer.data.files import preview_table, read_table
from kpca_viewer.data.files.options import ReadOptions
from kpca_viewer.data.image_rows import ImageSize
from kpca_viewer.data.reading import located
from kpca_viewer.engine.row_pictures import row_pictures
from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.resources import asset
from kpca_viewer.support.errors import Cancelled, DataError
from tests.data.files.opening import opened


@pytest.fixture
def folder(tmp_path):
    shades = np.arange(80, dtype=np.uint8).reshape(8, 10)
    for i in range(4):
        Image.fromarray(shades + 10 * np.uint8(i)).save(tmp_path / f"p{i}.png")
    return tmp_path


def test_pixels_are_rows_that_are_seen_as_pictures(folder):
    data = opened(folder)
    assert data.row_names == ("p0", "p1", "p2", "p3")
    np.testing.assert_array_equal(data.points[1], np.arange(80) + 10)
    assert row_pictures(data, ViewSettings()).size == ImageSize(10, 8)
    assert preview_table(folder) is None
    assert located(folder, ReadOptions()) == (folder, ReadOptions())
    assert kpca_viewer.read(folder).content_hash == data.content_hash
    before = read_table(folder).content_hash
    Image.new("L", (10, 8)).save(folder / "p0.png")
    assert read_table(folder).content_hash != before


def test_folders_are_classes():
    shapes = kpca_viewer.read(asset("data", "shapes"))
    assert shapes.label_names == ("circle", "cross", "square")
    # Pixels that are black in all pictures have their place.
    assert (shapes.points[:, 0] == 0).all()
    assert row_pictures(shapes, ViewSettings()).size == ImageSize(12, 12)


def test_one_size_is_said(folder):
    Image.new("RGB", (20, 8), "white").save(folder / "q.jpg")
    (folder / "about.txt").write_text("about")
    table = read_table(folder)
    assert table.notes == (
        "pictures of 10 × 8 pixels, in grey",
        "1 of another size stretched to it",
        "1 other file left out",
    )
    assert {c.values[-1] for c in table.columns[1:]} == {255.0}


def test_large_pictures_and_deep_ones(tmp_path):
    deep = np.full((300, 400), 257 * 100, dtype=np.uint16)
    Image.fromarray(deep).save(tmp_path / "deep.png")
    table = read_table(tmp_path)
    assert table.notes[1] == "made smaller from 400 × 300"
    assert len(table.columns) - 1 == 73 * 55
    assert {c.values[0] for c in table.columns[1:]} == {100.0}


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"\x89PNG\r\n\x1a\n", "“bad.png” is damaged, cut short or no picture at all"),
        (b"", "“bad.png” is damaged"),
        (b"a,b\n1,2\n", "“bad.png” is damaged"),
    ],
)
def test_what_is_no_picture_is_named(folder, content, says):
    (folder / "bad.png").write_bytes(content)
    with pytest.raises(DataError, match=says):
        read_table(folder)


def test_a_picture_that_is_cut_short_is_named(folder):
    whole = (folder / "p1.png").read_bytes()
    (folder / "p1.png").write_bytes(whole[: len(whole) - 40])
    with pytest.raises(DataError, match=r"“p1\.png” is damaged"):
        read_table(folder)


def test_what_declares_too_many_pixels_is_not_unpacked(folder):
    head = (folder / "p1.png").read_bytes()
    wide = head[:16] + (90_000).to_bytes(4, "big") * 2 + head[24:]
    (folder / "p1.png").write_bytes(wide)
    with pytest.raises(DataError, match=r"“p1.png”"):
        read_table(folder)


def test_reading_can_be_stopped_and_takes_a_sample(folder):
    with pytest.raises(Cancelled):
        read_table(folder, should_stop=lambda: True)
    table = read_table(folder, options=ReadOptions(sample=2))
    assert table.n == 2
    assert "random sample of 2 of 4 rows" in table.notes


def test_a_folder_of_tables_with_a_picture_is_no_folder_of_pictures(folder):
    for i in range(5):
        (folder / f"t{i}.csv").write_text("a,b\n1,2\n3,4\n")
    assert located(folder, ReadOptions()) == (folder, ReadOptions(parts=()))
