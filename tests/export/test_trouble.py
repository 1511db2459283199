"""Whatever is written: on trouble the old file stays, alone, and one sentence is said.

The limit on the size of a file is a real one of the system, as a full disk is.
"""

import contextlib
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.document.files import save
from kpca_viewer.engine.document.model import Document, DocumentData
from kpca_viewer.engine.document.recovery import Swap
from kpca_viewer.export.film import save_animation
from kpca_viewer.export.image import save_image
from kpca_viewer.export.image_spec import ImageSpec
from kpca_viewer.export.model import save_fitted
from kpca_viewer.export.result_tables import coordinates
from kpca_viewer.export.table_files import FORMAT_TITLES, save_table
from kpca_viewer.support.errors import ExportError, KpcaError
from tests.ui.plots.results import result_of

NOISE = np.random.default_rng(0)
OLD = b"the old file"


def paint(painter: QPainter, rect: QRectF) -> None:
    """Draw enough for a file of some size in every format."""
    for x, y, shade in NOISE.integers(0, 200, size=(1500, 3)).tolist():
        painter.fillRect(QRectF(x, y, 3, 3), QColor(shade, x, y))


def picture(kind: str):
    def write(path: Path) -> None:
        save_image(path, ImageSpec(kind, 300, 300, "px", 96), paint)

    return write


def table(kind: str):
    def write(path: Path) -> None:
        save_table(path, coordinates(result_of("iris")), kind)

    return write


def session(path: Path) -> None:
    save(
        Document(data=DocumentData(embedded=Dataset(NOISE.normal(size=(900, 3))))), path
    )


def model(path: Path) -> None:
    save_fitted(result_of("iris"), path)


def film(path: Path) -> None:
    frames = []
    for _ in range(4):
        pixels = NOISE.integers(0, 255, size=(90, 90, 4), dtype=np.uint8)
        form = QImage.Format.Format_RGB32
        frames.append(QImage(pixels.data, 90, 90, 4 * 90, form).copy())
    save_animation(path, frames)


WRITERS = {
    **{f"a.{kind}": picture(kind) for kind in ("png", "svg", "pdf")},
    **{f"t.{kind}": table(kind) for kind in FORMAT_TITLES},
    "session.kpca": session,
    "model.npz": model,
    "film.gif": film,
    "film.apng": film,
}


@contextlib.contextmanager
def no_room():
    """Let no file grow beyond a few bytes."""
    resource = pytest.importorskip("resource", reason="only POSIX limits files")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (512, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def one_sentence(error: KpcaError, name: str) -> bool:
    text = str(error)
    return f"“{name}” was not saved: " in text and "\n" not in text and text[-1] == "."


@pytest.mark.parametrize("name", WRITERS)
def test_without_room_the_old_file_stays(qapp, tmp_path, name):
    path = tmp_path / name
    path.write_bytes(OLD)
    with no_room(), pytest.raises(ExportError) as caught:
        WRITERS[name](path)
    assert one_sentence(caught.value, name)
    assert path.read_bytes() == OLD
    assert [entry.name for entry in tmp_path.iterdir()] == [name]
    # It was the room alone: with some, the same file is written.
    WRITERS[name](path)
    assert path.stat().st_size > 512


@pytest.mark.parametrize("name", WRITERS)
def test_a_folder_that_is_gone_is_said(qapp, tmp_path, name):
    with pytest.raises(ExportError) as caught:
        WRITERS[name](tmp_path / "gone" / name)
    assert one_sentence(caught.value, name)
    assert "folder does not exist" in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", WRITERS)
def test_a_file_that_may_not_be_written_stays(qapp, tmp_path, monkeypatch, name):
    """Asked of the system as it is for everybody but the super-user."""
    path = tmp_path / name
    path.write_bytes(OLD)
    monkeypatch.setattr("kpca_viewer.support.atomic.os.access", lambda *_: False)
    with pytest.raises(ExportError, match="may not be written"):
        WRITERS[name](path)
    assert path.read_bytes() == OLD
    assert [entry.name for entry in tmp_path.iterdir()] == [name]


def test_without_room_the_hidden_copy_is_the_last_good_one(tmp_path):
    swap = Swap(tmp_path)
    swap.write(Document())
    before = swap.path.read_bytes()
    with no_room(), pytest.raises(ExportError):
        swap.write(
            Document(data=DocumentData(embedded=Dataset(NOISE.normal(size=(900, 3)))))
        )
    assert swap.path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [swap.path]
