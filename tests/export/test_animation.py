"""Films that play: every frame, its time and its colours come back."""

import subprocess
import sys
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
from kpca_viewer.export.film import Film, mp4_bytes, save_animation
from kpca_viewer.features.sweep.export import FilmImages
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


def test_without_an_encoder_mp4_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr(animation, "encoder", lambda: None)
    with pytest.raises(ExportError, match=r"pip install 'kpca-viewer\[film\]'"):
        save_animation(tmp_path / "a.mp4", plain(*COLORS))


ENCODER = """#!{python}
import sys
size, pixels = sys.argv[sys.argv.index("-s") + 1], sys.stdin.buffer.read()
open(sys.argv[-1], "w").write(f"{{size}} {{len(pixels)}}")
"""


@pytest.fixture
def fake_encoder(tmp_path, monkeypatch):
    """A program in the place of ffmpeg, found as ffmpeg is."""

    def make(text):
        program = tmp_path / "bin" / "ffmpeg"
        program.parent.mkdir()
        program.write_text(text.format(python=sys.executable))
        program.chmod(0o755)
        monkeypatch.setenv("PATH", str(program.parent))

    return make


def test_an_encoder_on_the_path_is_used(fake_encoder):
    fake_encoder(ENCODER)
    once = mp4_bytes(Film(plain(*COLORS), 100, [0, 1, 2]))
    assert once == f"30x20 {3 * 30 * 20 * 3}".encode()
    there_and_back = mp4_bytes(Film(plain(*COLORS), 100, [0, 1, 2, 1]))
    assert there_and_back == f"30x20 {4 * 30 * 20 * 3}".encode()


def test_an_encoder_that_fails_is_quoted(fake_encoder):
    fake_encoder("#!{python}\nimport sys\nsys.exit('a\\nUnknown encoder')\n")
    with pytest.raises(ExportError, match="Unknown encoder"):
        mp4_bytes(Film(plain(*COLORS, size=(600, 600)), 100, [0, 1, 2]))


def test_an_encoder_is_stopped_when_nobody_wants_the_film(fake_encoder):
    fake_encoder(ENCODER)
    asked = iter([False, False, True])
    with pytest.raises(Cancelled):
        mp4_bytes(Film(plain(*COLORS), 100, [0, 1, 2], lambda: next(asked)))


@pytest.mark.skipif(animation.encoder() is None, reason="no ffmpeg here")
def test_a_real_mp4(tmp_path):
    path = tmp_path / "film.mp4"
    frames = plain(*COLORS, size=(64, 48))
    save_animation(path, frames, 200, forth_and_back=True)
    assert path.read_bytes()[4:8] == b"ftyp"
    # Decoded again: every frame, in its colour.
    command = [animation.encoder(), "-loglevel", "error", "-i", str(path)]
    command += ["-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    done = subprocess.run(command, capture_output=True, check=True)
    shown = np.frombuffer(done.stdout, np.uint8).reshape(-1, 48, 64, 3)
    assert len(shown) == 4
    for frame, color in zip(shown, (*COLORS, COLORS[1]), strict=True):
        wanted = QColor(color).getRgb()[:3]
        np.testing.assert_allclose(frame[24, 32], wanted, atol=12)


def test_the_film_of_a_sweep(qapp, tmp_path):
    settings = SessionSettings(data=DataSettings("moons", (("samples", 60.0),)))
    result = run_sweep(AnalysisRequest(settings), SweepSettings(steps=4), StageCache())
    frames = list(FilmImages(result, "silhouette", QSize(200, 220), between=2))
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
