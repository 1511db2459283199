"""Files of an earlier version open with every field that was written."""

import json
import pickle
import shutil
from pathlib import Path

import numpy as np
import pytest

import kpca_viewer
from kpca_viewer import KernelPCA
from kpca_viewer.core.estimator.model_file import load_model
from kpca_viewer.engine.document.format import from_bytes, to_bytes
from kpca_viewer.engine.document.in_picture import document_of, read_metadata
from kpca_viewer.engine.document.model import Document
from kpca_viewer.engine.document.wire import REMOVED
from tests.session.test_document_samples import content_of, missing

BEFORE = Path(__file__).parents[1] / "data" / "before"
HOME = Path("/home/ann")
"""Where the sessions were saved; their data are not there any more."""

EXPECTED = json.loads((BEFORE / "expected.json").read_text())
SESSIONS = sorted(path.stem for path in BEFORE.glob("*.kpca"))


WITHOUT = {
    f"{owner}.{part}.{name}"
    for owner in (".settings", ".pins[0].settings", ".pins[1].settings", ".sweep.base")
    for part, names in REMOVED.items()
    for name in names
}
"""Places of what was removed from the program."""


def session(name):
    return (BEFORE / f"{name}.kpca").read_bytes()


@pytest.mark.parametrize("name", SESSIONS)
def test_every_field_of_a_session_is_known_and_written_as_it_was(name):
    text = session(name)
    document = from_bytes(text, HOME)
    # What is not known would be kept beside the document, and come back from there.
    assert (dict(document.unknown), document.unread) == ({}, 0)
    before, now = content_of(text), content_of(to_bytes(document, HOME))
    known = [place for place in missing(before, now) if place not in WITHOUT]
    assert known == []
    assert missing(now, before) == []


def test_every_field_differs_from_its_default():
    ours = json.loads(to_bytes(Document()))["settings"]
    theirs = json.loads(session("every_field"))["settings"]
    same = [
        f"{part}.{name}"
        for part in ("kernel", "analysis", "view")
        for name, value in ours[part].items()
        if name in theirs[part] and theirs[part][name] == value
    ]
    assert same == []


def test_fields_have_the_values_that_were_chosen():
    settings = from_bytes(session("every_field"), HOME).settings
    assert settings.kernel.family == "poly"
    assert dict(settings.kernel.values) == {"degree": 3, "gamma": 0.5, "coef0": 2}
    assert settings.analysis.components == 5
    assert settings.data.excluded is not None
    assert settings.data.excluded.rows.count == 2
    assert [group.name for group in settings.data.groups] == ["odd", "late"]
    assert settings.view.axes == (2, 0, 1)


def test_notes_are_all_there():
    notes = from_bytes(session("every_field"), HOME).notes
    assert [pin.name for pin in notes.pins] == ["γ = 2.5", "full"]
    assert notes.pins[1].settings == from_bytes(session("every_field"), HOME).settings
    assert notes.sweep is not None
    assert [axis.parameter for axis in notes.sweep.sweep.axes] == ["degree", "coef0"]
    assert notes.choice is not None
    assert notes.choice.taken_row.line.family == "linear"
    assert notes.row_names == ((0, "first"), (5, "odd one"))
    assert np.flatnonzero(notes.selected.mask()).tolist() == [2, 3, 6]
    assert notes.new_points == ((0.25, -1.5), (2.0, 0.125))
    assert notes.anchor is not None


def test_drawn_points_and_embedded_data_are_what_they_were():
    drawn = from_bytes(session("drawn")).settings.data.drawn
    assert drawn.points == ((0.0, 1.0), (2.5, -1.0), (3.0, 3.5))
    assert (drawn.classes, drawn.class_names) == ((0, 1, -1), ("sun", "moon"))
    data = from_bytes(session("embedded")).data.embedded
    assert (data.n, data.d, data.label_names) == (8, 3, ("good", "bad"))
    assert data.columns["town"].words == ("Aix", "Bonn", "Cork")
    assert (data.left_out, data.filled, data.sampled_from) == (2, (3, 1), 40)


@pytest.mark.parametrize(
    ("ending", "of"),
    [("png", "every_field"), ("svg", "generator"), ("pdf", "generator")],
)
def test_a_picture_carries_its_session(ending, of):
    text = read_metadata(BEFORE / f"picture.{ending}")
    document, whole = document_of(text, HOME), from_bytes(session(of), HOME)
    assert (dict(document.unknown), document.unread) == ({}, 0)
    assert document.data.shown.name == "Moons"
    assert document.views == whole.views
    assert document.settings.view == whole.settings.view
    assert document.settings.kernel == whole.settings.kernel
    assert document.settings.analysis == whole.settings.analysis
    assert len(document.notes.pins) == len(whole.notes.pins)
    assert document.notes.sweep.sweep == whole.notes.sweep.sweep
    assert document.notes.choice.rows == whole.notes.choice.rows


@pytest.mark.parametrize("name", EXPECTED["models"])
def test_a_model_gives_the_same_numbers(name):
    model, known = load_model(BEFORE / f"{name}.npz"), EXPECTED["models"][name]
    parameters = model.get_params()
    assert {key: parameters[key] for key in known["params"]} == known["params"]
    assert model.solver_ == known["solver"]
    assert model.certificate_ == known["certificate"]
    np.testing.assert_array_equal(model.eigenvalues_, known["eigenvalues"])
    np.testing.assert_array_equal(model.eigenvalue_bounds_, known["bounds"])
    np.testing.assert_allclose(
        model.explained_variance_ratio_, known["ratio"], rtol=1e-12
    )
    scores = model.transform(np.array(EXPECTED["new"]))
    np.testing.assert_allclose(scores, known["scores"], rtol=1e-9, atol=1e-12)


def test_a_prepared_model_takes_raw_rows():
    model = kpca_viewer.load(BEFORE / "prepared.npz")
    scores = model.transform(np.array(EXPECTED["new"]))
    np.testing.assert_allclose(scores, EXPECTED["prepared"], rtol=1e-9, atol=1e-12)


def test_pickles_find_their_modules():
    pytest.importorskip("numpy._core", reason="NumPy 2 has written them")
    estimator = pickle.loads((BEFORE / "estimator.pickle").read_bytes())
    assert isinstance(estimator, KernelPCA)
    scores = estimator.transform(np.array(EXPECTED["new"]))
    known = EXPECTED["models"]["rbf_dense"]["scores"]
    np.testing.assert_allclose(scores, known, rtol=1e-9, atol=1e-12)
    pipeline = pickle.loads((BEFORE / "pipeline.pickle").read_bytes())
    scores = pipeline.transform(np.array(EXPECTED["new"]))
    np.testing.assert_allclose(scores, EXPECTED["prepared"], rtol=1e-9, atol=1e-12)


def test_preferences_are_found(tmp_path):
    from PySide6.QtCore import QSettings

    from kpca_viewer.widgets.export_form import Choices
    from kpca_viewer.window.preferences import Preferences

    copy = tmp_path / "preferences.ini"
    shutil.copy(BEFORE / "preferences.ini", copy)
    preferences = Preferences()
    preferences.store = QSettings(str(copy), QSettings.Format.IniFormat)
    assert preferences.theme().name == "dark"
    assert preferences.type_steps() == 2
    assert not preferences.letter_keys()
    assert preferences.folder("open") == Path("/usr/lib")
    assert preferences.recent() == [Path("/usr/bin/env")]
    assert preferences.answers() == {"a|b|c": '{"roles": [["a", "label"]]}'}
    assert preferences.cluster().scheduler == "tcp://10.0.0.1:8786"
    assert preferences.cluster().files == (Path("/mnt/data"),)
    assert not preferences.wants_hint()
    choices = Choices(preferences.store)
    assert choices.text("page", "image", ("image", "numbers")) == "numbers"
    assert not choices.flag("legend", True)
    assert choices.number("scale", 1.0, 0.1, 10.0) == 1.5
