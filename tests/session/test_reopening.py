"""A document finds its data again, and opens over a session that goes on."""

import hashlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.files.options import ReadOptions
from kpca_viewer.data.importing.settings import ImportSettings
from kpca_viewer.engine.analysis import run
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.document.files import (
    MissingDataError,
    load,
    open_data,
    reopened,
    save,
)
from kpca_viewer.engine.document.model import (
    Document,
    DocumentData,
    FileReference,
    Shown,
)
from kpca_viewer.engine.notes import Notes, PinNote, SweepNote
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.rows.row_set import RowAnchor
from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.engine.sources import Sources
from kpca_viewer.engine.sweep.settings import SweepSettings
from kpca_viewer.engine.views import Views
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


def test_what_stands_above_the_rows_is_read_as_it_was(tmp_path):
    path = tmp_path / "tea.csv"
    path.write_text("old\nname,s1,s2,s3\na,1,3,5\nb,2.5,4,7\nkind,x,y,x\n")
    reading = ReadOptions(skip=1, header=True, transpose=True)
    save(
        Document(SETTINGS, data=DocumentData(FileReference(path, "", reading))),
        tmp_path / "a.kpca",
    )
    dataset = analysed(load(tmp_path / "a.kpca")).dataset
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


# Over a session that goes on

BEFORE = SessionSettings(DataSettings("moons", seed=3))
NAMED = Notes(((1, "odd"),))


def test_a_session_brings_its_own_notes_and_views():
    pin = PinNote("pin", SETTINGS)
    document = Document(SETTINGS, Notes(pins=(pin,)), views=Views("table"))
    found = reopened(document, BEFORE, NAMED, Sources(), {})
    assert (found.settings, found.notes) == (SETTINGS, document.notes)
    assert found.views == Views("table")
    assert found.notes.anchor is None


def test_a_preset_leaves_data_notes_and_views():
    document = Document(SETTINGS, views=Views("table")).as_preset()
    found = reopened(document, BEFORE, NAMED, Sources(), {})
    assert found.settings.kernel == SETTINGS.kernel
    assert found.settings.data.source == "moons"
    assert found.notes is NAMED
    assert found.views is None


def test_rows_of_a_session_without_keys_are_those_of_its_own_file():
    file = FileReference(Path("/data/tea.csv"), "ab")
    document = Document(SETTINGS, NAMED, DocumentData(file))
    anchor = reopened(document, BEFORE, Notes(), Sources(), {}).notes.anchor
    assert anchor.stamp == "ab"
    assert anchor.find(np.array([1]), Dataset(np.eye(3))).tolist() == [-1]
    known = RowAnchor("cd", "name", np.array([7]), np.array([1]))
    named = replace(document, notes=replace(NAMED, anchor=known))
    assert reopened(named, BEFORE, Notes(), Sources(), {}).notes.anchor is known


def test_data_whose_name_is_taken_have_another_one_everywhere():
    settings = SessionSettings(DataSettings("mine"))
    notes = Notes(
        pins=(PinNote("mine", settings), PinNote("other", BEFORE)),
        sweep=SweepNote(SweepSettings(), settings),
    )
    own, others = Dataset(np.eye(3), name="mine"), Dataset(np.ones((3, 3)), name="mine")
    opened = Sources()
    opened["mine"] = others
    document = Document(settings, notes, DocumentData(embedded=own))
    sources = open_data(document).sources
    found = reopened(document, BEFORE, Notes(), opened, sources)
    assert found.settings.data.source == "mine (2)"
    assert (opened["mine"], opened["mine (2)"]) == (others, own)
    sources = [pin.settings.data.source for pin in found.notes.pins]
    assert sources == ["mine (2)", "moons"]
    assert found.notes.sweep.base.data.source == "mine (2)"


def test_other_numbers_than_those_of_a_picture_are_noticed(file):
    dataset, other = Dataset(np.eye(3)), Dataset(np.ones((3, 3)))
    shown = Shown.of(dataset)
    made = Document(BEFORE, data=DocumentData(shown=shown))
    found = reopened(made, SETTINGS, Notes(), Sources(), {})
    assert not found.finds_others(dataset)
    assert found.finds_others(other)
    assert not reopened(
        Document(BEFORE), SETTINGS, Notes(), Sources(), {}
    ).finds_others(other)
    # That a file has changed is said already.
    for content_hash, says in ((file.content_hash, True), ("other", False)):
        data = DocumentData(replace(file, content_hash=content_hash), shown=shown)
        document = Document(SETTINGS, data=data)
        opened = open_data(document)
        found = reopened(document, BEFORE, Notes(), Sources(), opened.sources)
        assert (opened.note == "", found.finds_others(other)) == (says, says)


def test_what_has_to_be_read_is_known():
    file, embedded = FileReference(Path("/data/tea.csv")), Dataset(np.eye(3))
    assert DocumentData().at_hand
    assert not DocumentData(file).at_hand
    assert DocumentData(file, embedded).at_hand
    assert [DocumentData(file).size, DocumentData(file, embedded).size] == [0, 72]
