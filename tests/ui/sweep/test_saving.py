"""A sweep as a film and as a table."""

import threading
from dataclasses import replace

import pytest
from PIL import Image
from PySide6.QtCore import QSize

from kpca_viewer.engine.sweep.settings import SweepSettings
from kpca_viewer.features.sweep.export import FilmImages, save_sweep
from kpca_viewer.features.sweep.sheet import ShownSweep
from kpca_viewer.support.errors import ExportError
from kpca_viewer.widgets.plots.text import printed_type, set_type_scale, type_scale

PATIENCE = 120
"""Seconds after which a test gives up instead of hanging."""


@pytest.mark.parametrize(
    ("ending", "begins"), [("csv", b"kernel,gamma"), ("parquet", b"PAR1")]
)
def test_a_table(qapp, swept, tmp_path, ending, begins):
    path = tmp_path / f"sweep.{ending}"
    save_sweep(path, ShownSweep(swept, name="circles"))
    assert path.read_bytes().startswith(begins)


@pytest.mark.journey
def test_a_film_runs_forth_and_back_on_white(qapp, swept, tmp_path):
    path = tmp_path / "sweep.gif"
    swept = replace(swept, points=swept.points[:3])
    sweep = SweepSettings("gamma", swept.points[0].value, swept.points[2].value, 3)
    save_sweep(path, ShownSweep(replace(swept, sweep=sweep), measure="silhouette"))
    with Image.open(path) as film:
        forth = 2 * 5 + 1
        assert film.n_frames == 2 * forth - 2
        assert film.convert("RGB").getpixel((1, 1)) == (255, 255, 255)
        assert film.info["duration"] == 50


def test_a_film_has_the_type_of_a_desk_while_presenting(qapp, swept):
    frames = FilmImages(ShownSweep(swept), QSize(200, 200))
    desk = frames[1]
    set_type_scale(1.4)
    try:
        assert frames[1] == desk
        assert type_scale() == 1.4
    finally:
        set_type_scale(1.0)


def test_a_film_that_is_drawn_beside_the_window_leaves_its_type_alone(qapp, swept):
    set_type_scale(1.4)
    seen = []

    def draw():
        with printed_type():
            drawing.set()
            looked.wait(PATIENCE)
            seen.append(type_scale())

    drawing, looked = threading.Event(), threading.Event()
    thread = threading.Thread(target=draw)
    try:
        thread.start()
        assert drawing.wait(PATIENCE)
        assert type_scale() == 1.4
        looked.set()
        thread.join(PATIENCE)
        assert seen == [1.0]
    finally:
        set_type_scale(1.0)


def test_other_endings_are_refused(swept, tmp_path):
    with pytest.raises(ExportError, match="neither a film nor a table"):
        save_sweep(tmp_path / "a.doc", ShownSweep(swept))
