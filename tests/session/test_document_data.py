"""A document finds its data again, and says when they are not the same."""

import hashlib

import numpy as np
import pytest

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.files.options import ReadOptions
from kpca_viewer.data.importing.settings import ImportSettings
from kpca_viewer.session.analysis import run
from kpca_viewer.session.cache import StageCache
from kpca_viewer.session.document.files import load, save
from kpca_viewer.session.document.model import Document, DocumentData, FileReference
from kpca_viewer.session.document.reopening import MissingDataError, open_data
from kpca_viewer.session.request import AnalysisRequest
from kpca_viewer.session.settings import DataSettings, SessionSettings
from kpca_viewer.support.errors import Cancelled, DataError

ROLES = ImportSettings((("a", "feature"), ("b", "feature"), ("kind", "label")))
SETTINGS = SessionSettings(DataSettings("tea", importing=ROLES))


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "tea.csv"
    path.write_text("a;b;kind\n1;2,5;x\n3;4;y\n5;7;x\n")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return FileReference(path, digest, ReadOptions(delimiter=";", decimal=","))


def analysed(document):
    opened = open_data(document)
    return run(AnalysisRequest(document.settings, opened.sources), StageCache())


def test_a_file_is_read_as_it_was(tmp_path, file):
    save(Document(SETTINGS, data=DocumentData(file)), tmp_path / "a.kpca")
    document = load(tmp_path / "a.kpca")
    assert list(open_data(document).sources) == ["tea"]
    assert open_data(document).note == ""
    dataset = analysed(document).dataset
    assert dataset.points.tolist() == [[1, 2.5], [3, 4], [5, 7]]
    assert dataset.label_names == ("x", "y")


def test_a_file_without_choices_is_guessed(file):
    document = Document(
        SessionSettings(DataSettings("tea")),
        data=DocumentData(FileReference(file.path)),
    )
    assert open_data(document).note == ""
    assert analysed(document).dataset.points.shape == (3, 2)


def test_a_changed_file_is_opened_with_a_note(file):
    file.path.write_text("a;b;kind\n1;2,5;x\n3;9;y\n")
    document = Document(SETTINGS, data=DocumentData(file))
    note = open_data(document).note
    assert note == (
        "“tea.csv” has changed since the session was saved; it is shown as it is now."
    )
    assert analysed(document).dataset.points.tolist() == [[1, 2.5], [3, 9]]


def test_a_column_that_is_gone_is_named(file):
    file.path.write_text("a;c\n1;2\n3;4\n")
    with pytest.raises(DataError, match="no column “b”"):
        analysed(Document(SETTINGS, data=DocumentData(file)))


def test_a_file_that_is_gone_says_where_it_was(file):
    file.path.unlink()
    document = Document(SETTINGS, data=DocumentData(file))
    gone = r"tea.csv, are not there any more"
    with pytest.raises(MissingDataError, match=gone) as caught:
        open_data(document)
    assert caught.value.document is document


def test_embedded_data_come_first(file):
    embedded = Dataset(np.eye(3))
    file.path.unlink()
    opened = open_data(Document(SETTINGS, data=DocumentData(file, embedded)))
    assert opened.sources == {"tea": embedded}


def test_a_generator_needs_nothing():
    assert open_data(Document()).sources == {}


def test_reading_can_be_stopped(file):
    with pytest.raises(Cancelled):
        open_data(Document(SETTINGS, data=DocumentData(file)), should_stop=lambda: True)
