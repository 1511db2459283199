"""Films that play: every frame, its time and its colours come back."""

from itertools import pairwise

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QImage

from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.engine.sweep.run import run_sweep
from kpca_viewer.engine.sweep.settings import SweepSettings
from kpca_viewer.export import film as animation
from kpca_viewer.export.film import save_animation
from kpca_viewer.features.sweep.export import FilmImages
from kpca_viewer.features.sweep.sheet import ShownSweep
from kpca_viewer.support.errors import Cancelled, ExportError

COLORS = ("#0072B2", "#D55E00", "#009E73")


def plain(*colors, size=(31, 20)):
    frames = []
    for color in colors:
        image = QImage(*size, QImage.Format.Format_RGB32)
        image.fill(QColor(color))
        frames.append(image)
    return frames


def seen(path):
    """Return the colour in the middle of every frame, and its time."""
    with Image.open(path) as film:
        found = []
        for number in range(getattr(film, "n_frames", 1)):
            film.seek(number)
            pixel = film.convert("RGB").getpixel((15, 10))
            found.append(("#{:02X}{:02X}{:02X}".format(*pixel), film.info["duration"]))
        return found


@pytest.mark.parametrize("ending", ["gif", "png", "apng"])
def test_every_frame_comes_back(tmp_path, ending):
    path = tmp_path / f"film.{ending}"
    save_animation(path, plain(*COLORS), 120)
    assert seen(path) == [(color, 120) for color in COLORS]
    with Image.open(path) as film:
        assert film.info["loop"] == 0
        assert film.size == (31, 20)


def test_forth_and_back(tmp_path):
    path = tmp_path / "film.gif"
    save_animation(path, plain(*COLORS), 50, forth_and_back=True)
    assert [color for color, _ in seen(path)] == [*COLORS, COLORS[1]]


def test_one_frame_is_a_film_too(tmp_path):
    path = tmp_path / "film.png"
    save_animation(path, plain("#102030"))
    with Image.open(path) as film:
        assert film.convert("RGB").getpixel((3, 3)) == (16, 32, 48)


@pytest.mark.parametrize(
    ("frames", "name", "words"),
    [
        ([], "a.gif", "at least one"),
        (["#000000"], "a.avi", "is no film"),
    ],
)
def test_what_cannot_be_a_film(tmp_path, frames, name, words):
    with pytest.raises(ExportError, match=words):
        save_animation(tmp_path / name, plain(*frames))
    assert not (tmp_path / name).exists()


def test_frames_of_different_sizes_are_refused(tmp_path):
    frames = plain("#000000") + plain("#000000", size=(4, 4))
    with pytest.raises(ExportError, match="one size"):
        save_animation(tmp_path / "a.gif", frames)


def test_cancelling_leaves_the_old_file(tmp_path):
    path = tmp_path / "film.gif"
    path.write_bytes(b"old")
    with pytest.raises(Cancelled):
        save_animation(path, plain(*COLORS), should_stop=lambda: True)
    assert path.read_bytes() == b"old"


def test_the_film_of_a_sweep(qapp, tmp_path):
    settings = SessionSettings(data=DataSettings("moons", (("samples", 60.0),)))
    result = run_sweep(AnalysisRequest(settings), SweepSettings(steps=4), StageCache())
    frames = list(
        FilmImages(ShownSweep(result, "silhouette"), QSize(200, 220), between=2)
    )
    assert len(frames) == 7
    arrays = [animation.pixels_of(frame) for frame in frames]
    for a, b in pairwise(arrays):
        assert (a != b).any()
    path = tmp_path / "sweep.gif"
    save_animation(path, frames, 80)
    with Image.open(path) as film:
        assert film.n_frames == 7
        film.seek(3)
        shown = np.asarray(film.convert("RGB")).astype(int)
    # 256 colours: near enough that nobody sees the difference.
    assert np.abs(shown - arrays[3]).mean() < 4
