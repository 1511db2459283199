"""The evidence of a choice in few numbers: history, session file, and back."""

import json
from dataclasses import replace

import numpy as np
import pytest

from kpca_viewer.core.methods.kernel_ranking import Choice, Line, Row, Tried
from kpca_viewer.engine.choice_note import (
    ChoiceNote,
    describe_choice,
    is_taken,
    kernel_of,
    with_row,
)
from kpca_viewer.engine.claims.choice import reason, score_text, verdict
from kpca_viewer.engine.document.format import from_bytes, to_bytes
from kpca_viewer.engine.document.model import Document
from kpca_viewer.engine.notes import Notes
from kpca_viewer.engine.rows.groups import RowGroup
from kpca_viewer.engine.rows.row_set import RowSet
from kpca_viewer.engine.settings import (
    AnalysisSettings,
    DataSettings,
    KernelSettings,
    SessionSettings,
    ViewSettings,
)

RBF, LINEAR = Line("rbf", (), "gamma"), Line("linear")
MATERN = Line("matern", (("nu", 1.5),), "length_scale")
DATA = DataSettings("wine", scaling="standardise")


def tried(line, value, *scores):
    return Tried(line, value, np.array(scores), np.full(len(scores), 0.0123456789))


def row(line, value, components, *those, **others):
    own = next(one for one in those if one.value == value)
    score = float(own.scores[components - 1])
    return Row(line, value, components, score, 0.0123456789, tried=those, **others)


CHOICE = Choice(
    "classes",
    (
        row(
            RBF,
            1.0,
            2,
            tried(RBF, 0.1, 0.5, 0.6, 0.7),
            tried(RBF, 1.0, 0.8, 1 / 3, 0.9),
            tried(RBF, 10.0, 0.4, 0.55, 0.5),
            Tried(RBF, 100.0, refusal="Too narrow."),
            real=3,
            stability=0.91,
            stable=(0.1, 1.0),
            seconds=0.02,
        ),
        row(LINEAR, None, 1, tried(LINEAR, None, 0.7, 0.6), seconds=0.001),
        row(MATERN, 2.0, 1, tried(MATERN, 2.0, 0.6), refined=False),
    ),
    best=2,
    chance=0.4,
    folds=5,
    repeats=3,
    n=178,
    rules=(("median", 1.2345678),),
    notes=("One column is constant and tells nothing.",),
    corrected=0.7,
)
NOTE = ChoiceNote.of(CHOICE, DATA)


def test_words_and_curves_are_the_same_after_a_note():
    back = NOTE.choice()
    assert verdict(back) == verdict(CHOICE)
    assert [reason(r, back) for r in back.rows] == [
        reason(r, CHOICE) for r in CHOICE.rows
    ]
    first = back.chosen
    assert [one.value for one in first.tried] == [0.1, 1.0, 10.0]
    assert [one.scores[1] for one in first.tried] == [0.6, 1 / 3, 0.55]
    np.testing.assert_allclose(first.tried[1].scores, [0.8, 1 / 3, 0.9])
    np.testing.assert_allclose(back.rows[1].tried[0].scores, [0.7, 0.6])
    assert (back.folds, back.repeats, back.n, back.chance) == (5, 3, 178, 0.4)


def test_a_score_is_not_rounded_twice():
    # Six digits of it are 0.9655, which would be told as 96.5.
    high = 0.96550004
    own = row(RBF, 1.0, 1, tried(RBF, 1.0, high))
    choice = replace(CHOICE, rows=(own,), best=0)
    note = ChoiceNote.of(choice, DATA)
    written = to_bytes(Document(notes=Notes(choice=note)))
    for known in (note, from_bytes(written).notes.choice):
        back = known.choice()
        told = score_text(back.chosen.score, back.chosen.error, "classes")
        assert told == "96.6 ± 1.2 %"
        assert reason(back.chosen, back) == reason(own, choice)


def test_a_note_of_a_note_is_the_same():
    assert ChoiceNote.of(NOTE.choice(), DATA) == NOTE


def test_the_evidence_is_part_of_the_session_file():
    note = replace(NOTE, taken=1)
    written = to_bytes(Document(notes=Notes(choice=note)))
    assert from_bytes(written).notes.choice == note
    assert b"NaN" not in written


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("rows", []),
        ("best", 3),
        ("taken", 9),
        ("evidence", "a feeling"),
        ("seed", "none"),
    ],
)
def test_evidence_that_nobody_understands_is_kept_and_not_shown(name, value):
    raw = json.loads(to_bytes(Document(notes=Notes(choice=NOTE))))
    raw["choice"][name] = value
    document = from_bytes(json.dumps(raw).encode())
    assert document.notes.choice is None
    assert document.unread == 1
    assert json.loads(to_bytes(document))["choice"] == raw["choice"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("family", "no such kernel"),
        ("value", -1.0),
        ("components", 0),
        ("components", 4),
        ("scores", [0.5]),
        ("values", [10.0, 1.0, 0.1]),
        ("counted_errors", []),
    ],
)
def test_a_row_that_makes_no_sense_is_not_shown(name, value):
    raw = json.loads(to_bytes(Document(notes=Notes(choice=NOTE))))
    raw["choice"]["rows"][0][name] = value
    assert from_bytes(json.dumps(raw).encode()).notes.choice is None


def test_a_session_before_there_was_a_choice_has_none():
    written = to_bytes(Document())
    assert b'"choice"' not in written
    assert from_bytes(written).notes.choice is None


def test_evidence_is_about_rows_scale_and_classes_but_not_about_groups():
    group = RowGroup("group", "odd", RowSet((1,), 5, ""))
    assert NOTE.is_of(replace(DATA, groups=(group,)))
    assert not NOTE.is_of(replace(DATA, scaling="none"))
    assert not NOTE.is_of(replace(DATA, source="iris"))


def test_data_that_are_called_otherwise_keep_their_evidence():
    notes = Notes(choice=NOTE).with_source("wine", "wine 2")
    assert notes.choice is not None
    assert notes.choice.data.source == "wine 2"
    assert Notes(choice=NOTE).with_source("iris", "x").choice == NOTE


def test_taking_a_row_sets_kernel_components_and_axes():
    before = SessionSettings(
        kernel=KernelSettings("poly"),
        analysis=AnalysisSettings(center=False),
        view=ViewSettings(axes=(4, 2, 1), gram_centred=False),
    )
    after = with_row(before, CHOICE.rows[2])
    assert after.kernel == KernelSettings(
        "matern", (("length_scale", 2.0), ("nu", 1.5))
    )
    assert after.view.axes == (0, 1, 2)
    # Scores are of centred kernels; a picture has two axes.
    assert after.analysis.center
    assert after.analysis.components == 2
    assert is_taken(after, CHOICE.rows[2])
    assert not is_taken(before, CHOICE.rows[2])
    three = replace(before, view=ViewSettings(embedding_3d=True))
    assert with_row(three, CHOICE.rows[2]).analysis.components == 3
    assert kernel_of(CHOICE.rows[1]) == ("linear", ())


def test_the_step_that_takes_a_row_has_words_of_its_own():
    before = SessionSettings()
    after = with_row(before, CHOICE.chosen)
    taken = replace(NOTE, taken=0)
    assert describe_choice(before, after, taken) == (
        "choice of RBF γ = 1, two components"
    )
    assert describe_choice(before, after, NOTE) == ""
    assert describe_choice(before, after, None) == ""
    # Another step after it is none.
    later = replace(after, kernel=KernelSettings("rbf", (("gamma", 2.0),)))
    assert describe_choice(after, later, taken) == ""
