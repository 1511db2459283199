"""One sweep in every kind of file."""

import threading
from dataclasses import replace

import pytest
from PIL import Image
from PySide6.QtGui import QImage

from kpca_viewer.features.sweep.export import SweepFile, save_sweep
from kpca_viewer.features.sweep.sheet import ShownSweep
from kpca_viewer.support.errors import ExportError
from kpca_viewer.widgets.plots.text import printed_type, set_type_scale, type_scale


@pytest.mark.parametrize(
    ("kind", "ending", "begins"),
    [
        ("grid", "png", b"\x89PNG"),
        ("grid", "svg", b"<?xml"),
        ("grid", "pdf", b"%PDF"),
        ("strip", "png", b"\x89PNG"),
        ("table", "csv", b"kernel,gamma"),
        ("table", "parquet", b"PAR1"),
    ],
)
def test_every_kind(qapp, swept, tmp_path, kind, ending, begins):
    path = tmp_path / f"sweep.{ending}"
    save_sweep(SweepFile(path, kind, ShownSweep(swept, name="circles")))
    assert path.read_bytes().startswith(begins)


def test_a_film_runs_forth_and_back_on_white(qapp, swept, tmp_path):
    path = tmp_path / "sweep.gif"
    save_sweep(SweepFile(path, "film", ShownSweep(swept, measure="silhouette")))
    with Image.open(path) as film:
        forth = 8 * 5 + 1
        assert film.n_frames == 2 * forth - 2
        assert film.convert("RGB").getpixel((1, 1)) == (255, 255, 255)
        assert film.info["duration"] == 50


@pytest.mark.parametrize("kind", ["grid", "strip", "film"])
def test_files_have_the_type_of_a_desk_while_presenting(qapp, swept, tmp_path, kind):
    swept = replace(swept, points=swept.points[:2])
    ending = "gif" if kind == "film" else "png"
    save_sweep(SweepFile(tmp_path / f"desk.{ending}", kind, ShownSweep(swept)))
    set_type_scale(1.4)
    try:
        save_sweep(SweepFile(tmp_path / f"class.{ending}", kind, ShownSweep(swept)))
        assert type_scale() == 1.4
    finally:
        set_type_scale(1.0)
    desk, class_ = (tmp_path / f"{name}.{ending}" for name in ("desk", "class"))
    assert desk.read_bytes() == class_.read_bytes()


def test_a_film_that_is_drawn_beside_the_window_leaves_its_type_alone(qapp, swept):
    set_type_scale(1.4)
    seen = []

    def draw():
        with printed_type():
            drawing.set()
            looked.wait(10)
            seen.append(type_scale())

    drawing, looked = threading.Event(), threading.Event()
    thread = threading.Thread(target=draw)
    try:
        thread.start()
        drawing.wait(10)
        assert type_scale() == 1.4
        looked.set()
        thread.join(10)
        assert seen == [1.0]
    finally:
        set_type_scale(1.0)


def test_print_is_twice_as_fine(qapp, swept, tmp_path):
    save_sweep(SweepFile(tmp_path / "a.png", "grid", ShownSweep(swept)))
    image = QImage(str(tmp_path / "a.png"))
    assert image.dotsPerMeterX() == round(192 / 0.0254)


def test_wrong_endings_are_refused(swept, tmp_path):
    with pytest.raises(ExportError, match="is not a film"):
        save_sweep(SweepFile(tmp_path / "a.csv", "film", ShownSweep(swept)))
