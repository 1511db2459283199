"""A session comes back equal in every field, or one sentence says why not."""

import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as effort
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from kpca_viewer.core.kernels.kernel import FAMILIES
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.files.options import ReadOptions
from kpca_viewer.data.generators import GENERATORS
from kpca_viewer.data.importing.settings import ImportSettings
from kpca_viewer.engine.choice_note import ChoiceNote, RowNote
from kpca_viewer.engine.document.arrays import packed_size
from kpca_viewer.engine.document.files import load, save
from kpca_viewer.engine.document.format import to_bytes
from kpca_viewer.engine.document.model import (
    Document,
    DocumentData,
    FileReference,
    Shown,
)
from kpca_viewer.engine.notes import Notes, PinNote, Selected, SweepNote
from kpca_viewer.engine.rows.row_set import RowAnchor
from kpca_viewer.engine.settings import (
    AnalysisSettings,
    DataSettings,
    KernelSettings,
    SessionSettings,
    ViewSettings,
    as_values,
)
from kpca_viewer.engine.sweep.settings import SweepAxis, SweepSettings
from kpca_viewer.engine.views import Camera, Pose, Views
from kpca_viewer.support.errors import DataError

BUSY = SessionSettings(
    DataSettings("wine.csv", as_values({"noise": 0.1}), 7, "standardise"),
    KernelSettings("poly", as_values({"degree": 3, "gamma": 1 / 3})),
    AnalysisSettings(4, False, "dense"),
    ViewSettings((2, 1, 0), True, data_axes=(1, 0, 2), color_by="feature:1"),
)


CHOICE = ChoiceNote(
    BUSY.data,
    "classes",
    (RowNote("linear", None, 1, 0.9, 0.1, counted=(0.9,), counted_errors=(0.1,)),),
)
PIN = PinNote("RBF, γ = 2.5", BUSY, (("share_2", 0.8),))


# Any document at all

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
numbers = st.floats(allow_nan=False, allow_infinity=False)
indices = st.integers(0, 2**31 - 1)
axes = st.tuples(indices, indices, indices)
pairs = st.dictionaries(words, numbers, max_size=3).map(as_values)

colors = st.one_of(
    st.sampled_from(["label", "none", "odd:cos2", "odd:t2", "odd:spe"]),
    words.filter(bool).map("column:{}".format),
    st.integers(0, 999_999_999).map("feature:{}".format),
    st.integers(0, 999_999_999).map("component:{}".format),
)

settings = st.builds(
    SessionSettings,
    st.builds(
        DataSettings,
        st.sampled_from(list(GENERATORS)) | words,
        pairs,
        st.integers(0, 2**32 - 1),
        st.sampled_from(["none", "standardise", "minmax", "unit"]),
        st.none()
        | st.builds(
            ImportSettings,
            roles=st.lists(
                st.tuples(
                    words, st.sampled_from(["feature", "label", "name", "ignore"])
                ),
                max_size=3,
            ).map(tuple),
            missing=st.sampled_from(["drop", "median"]),
            treat_text_as_missing=st.booleans(),
            one_hot=st.booleans(),
            sample=st.none() | indices,
            sample_seed=indices,
            matrix=st.sampled_from(["points", "kernel", "distances"]),
        ),
    ),
    st.builds(KernelSettings, st.sampled_from(list(FAMILIES)) | words, pairs),
    st.builds(AnalysisSettings, st.integers(1, 2**31 - 1), st.booleans(), words),
    st.builds(
        ViewSettings,
        axes=axes,
        embedding_3d=st.booleans(),
        data_3d=st.booleans(),
        lift=st.sampled_from(["", "paraboloid", "offset_square", "components"]),
        raised=st.floats(0, 1),
        pair=st.none()
        | st.tuples(*[st.tuples(*[st.floats(-1e9, 1e9, width=32)] * 2)] * 2),
        data_axes=st.none() | axes,
        color_by=colors,
        isolines=st.booleans(),
        spectrum=st.sampled_from(["linear", "log"]),
        cumulative=st.booleans(),
        gram_centred=st.booleans(),
        rebuild=st.sampled_from(["matrix", "ways"]),
        rebuilt_from=indices,
        odd_by=st.sampled_from(["shown", "all"]),
        null=st.sampled_from(["permuted", "gaussian"]),
        real=st.sampled_from(["beside", "nine"]),
        null_draw=indices,
        bootstrap=st.booleans(),
        point_size=st.floats(0, 1000, exclude_min=True),
        motion=st.booleans(),
        fills=st.booleans(),
    ),
)


@st.composite
def datasets(draw):
    n, d = draw(st.integers(1, 5)), draw(st.integers(1, 3))
    any_floats = st.floats(width=64)
    labels = draw(
        st.none() | arrays.arrays(np.int64, n, elements=st.integers(-1, 2)),
    )
    return Dataset(
        draw(arrays.arrays(np.float64, (n, d), elements=any_floats)),
        labels,
        () if labels is None else tuple(draw(st.tuples(words, words, words))),
        tuple(draw(st.lists(words, min_size=d, max_size=d))),
        draw(st.none() | st.lists(words, min_size=n, max_size=n).map(tuple)),
        draw(
            st.dictionaries(
                words, arrays.arrays(np.float64, n, elements=any_floats), max_size=2
            )
        ),
        "points",
        draw(words),
    )


references = st.builds(
    FileReference,
    words.map(lambda word: Path("/data") / word.replace("\0", "").replace("/", "_")),
    words,
    st.builds(
        ReadOptions,
        delimiter=st.none() | words,
        decimal=st.sampled_from([None, ".", ","]),
        header=st.none() | st.booleans(),
        encoding=st.none() | words,
        sheet=st.none() | words,
        arrays=st.none() | st.lists(words, max_size=2).map(tuple),
        max_rows=st.none() | indices,
        sample=st.none() | indices,
        seed=indices,
        na_values=st.lists(words, max_size=2).map(tuple),
    ),
)


pins = st.builds(
    PinNote,
    words,
    settings,
    st.lists(st.tuples(words, numbers), max_size=2).map(tuple),
    words,
)

sweep_axes = st.builds(
    SweepAxis,
    st.sampled_from(["components", "degree", "noise"]),
    st.floats(0.01, 0.5),
    st.floats(1, 100),
    st.integers(2, 9),
)

sweeps = st.builds(
    SweepNote,
    st.builds(
        SweepSettings,
        low=st.floats(0.01, 0.5),
        high=st.floats(1, 100),
        steps=st.integers(2, 9),
        second=st.none() | sweep_axes,
        measure=words,
    ),
    settings,
)


def notes(rows):
    """Return any notes about so many rows."""
    names = st.dictionaries(st.integers(0, 10**9), words, max_size=3)
    return st.builds(
        Notes,
        names.map(lambda found: tuple(sorted(found.items()))),
        st.lists(pins, max_size=2).map(tuple),
        st.none() | sweeps,
        arrays.arrays(np.bool_, rows).map(Selected.of),
        st.lists(st.tuples(numbers, numbers), max_size=3).map(tuple),
    )


ranges = st.tuples(st.floats(-99, 0), st.floats(1, 99))
poses = st.builds(
    Pose,
    st.none() | st.builds(Camera, numbers, numbers, zoom=st.floats(0.2, 20)),
    st.none() | st.tuples(ranges, ranges),
)
views = st.builds(
    Views,
    st.none() | words,
    st.lists(indices, max_size=3).map(tuple),
    poses,
    poses,
    poses,
    filled=st.none() | words,
)


@st.composite
def documents(draw):
    embedded = draw(st.none() | datasets())
    rows = st.integers(0, 40) if embedded is None else st.just(embedded.n)
    return Document(
        draw(settings),
        draw(notes(rows)),
        DocumentData(draw(st.none() | references), embedded),
        draw(views),
    )


@pytest.fixture(scope="module")
def anywhere(tmp_path_factory):
    return tmp_path_factory.mktemp("sessions") / "any.kpca"


@pytest.mark.journey
@given(document=documents())
@effort(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
def test_every_document_comes_back_equal(document, anywhere):
    save(document, anywhere)
    again = load(anywhere)
    assert again == document
    assert again.settings == document.settings
    assert hash(again.settings) == hash(document.settings)
    assert again.unknown == {}
    first = anywhere.read_bytes()
    save(again, anywhere)
    assert anywhere.read_bytes() == first


def test_equality_sees_every_field():
    keys = np.array([7], dtype=np.int64)
    anchor = RowAnchor("ab", "name", keys, np.array([1]))
    file = FileReference(Path("/data/wine.csv"), "ab", ReadOptions(";"))
    start = Document(
        BUSY,
        Notes(
            ((1, "odd"),),
            (PIN,),
            SweepNote(SweepSettings(steps=3), BUSY),
            Selected.of(np.array([True, False])),
            ((0.5, 1.0),),
            anchor,
            CHOICE,
        ),
        DocumentData(
            file, Dataset(np.eye(2), np.array([0, 1])), Shown("wine", 2, 2, "cd")
        ),
        Views("table"),
        unknown={"glow": 1},
    )
    others = {
        "settings": SessionSettings(),
        "notes": {
            "row_names": ((1, "even"),),
            "pins": (),
            "sweep": None,
            "selected": Selected.of(np.array([True, True])),
            "new_points": ((0.5, 1.5),),
            "anchor": replace(anchor, keys=keys + 1),
            "choice": replace(CHOICE, seed=1),
        },
        "data": {
            "file": replace(file, reading=ReadOptions()),
            "embedded": Dataset(np.eye(2), np.array([1, 0])),
            "shown": None,
        },
        "views": Views("table", (1,)),
        "preset": True,
        "unread": 1,
        "unknown": {},
    }
    assert start == replace(start)
    assert set(others) == set(Document.__dataclass_fields__)
    for name, value in others.items():
        before = getattr(start, name)
        changes = value if name in ("notes", "data") else {}
        assert not changes or set(changes) == set(type(before).__dataclass_fields__)
        for part, other in changes.items():
            after = replace(before, **{part: other})
            assert start != replace(start, **{name: after}), part
        if not changes:
            assert start != replace(start, **{name: value}), name
    for part in ("file", "embedded"):
        assert start != replace(start, data=replace(start.data, **{part: None})), part
    without = replace(start.notes, anchor=None)
    assert start != replace(start, notes=without) != start
    assert start != "a session"


def test_the_text_can_be_read_by_a_person(tmp_path):
    path = tmp_path / "a.kpca"
    save(Document(BUSY, Notes(((3, "odd one"),))), path)
    text = json.loads(path.read_text(encoding="utf-8"))
    assert text["kpca_viewer"] == 1
    assert text["data"] == {"kind": "generator"}
    assert text["settings"]["kernel"]["family"] == "poly"
    assert text["row_names"] == {"3": "odd one"}
    assert "pins" not in text
    assert "embedded" not in text
    assert len(path.read_text(encoding="utf-8").splitlines()) > 20


# Data


def test_embedded_numbers_survive_bit_for_bit(tmp_path):
    odd = np.array([[np.nan, -0.0], [np.inf, 5e-324], [1 / 3, -np.inf]])
    nan_with_a_message = np.uint64(0x7FF8_0000_0000_0ABC).view(np.float64)
    odd[0, 0] = nan_with_a_message
    dataset = Dataset(odd, columns={"x": odd[:, 1]}, row_names=("a", "b", "=c"))
    save(Document(data=DocumentData(embedded=dataset)), tmp_path / "a.kpca")
    again = load(tmp_path / "a.kpca").data.embedded
    assert again.points.tobytes() == odd.tobytes()
    assert again.columns["x"].values.tobytes() == odd[:, 1].tobytes()
    assert not again.points.flags.writeable


def test_embedded_data_know_how_many_rows_of_their_file_are_missing(tmp_path):
    known = Dataset(np.eye(3), left_out=7, filled=(5, 2))
    save(Document(data=DocumentData(embedded=known)), tmp_path / "a.kpca")
    again = load(tmp_path / "a.kpca").data.embedded
    assert (again.left_out, again.filled) == (7, (5, 2))


def test_embedded_data_keep_what_is_known_of_their_rows(tmp_path):
    columns = {"site": ["Wien", None, "a\nb"], "age": [1.5, np.nan, 3.0]}
    known = Dataset(np.eye(3), columns=columns, scale="age", name="known")
    document = Document(data=DocumentData(embedded=known))
    save(document, tmp_path / "a.kpca")
    again = load(tmp_path / "a.kpca")
    assert again == document
    assert again.data.embedded.columns["site"].texts() == ("Wien", "", "a\nb")
    assert again.data.embedded.scale == "age"
    bare = DocumentData(embedded=replace(again.data.embedded, columns={}))
    assert document != replace(again, data=bare)


def test_embedded_words_that_their_codes_do_not_know_are_refused(tmp_path):
    embedded = Dataset(np.eye(2), columns={"site": ["x", "y"]})
    document = Document(data=DocumentData(embedded=embedded))
    path = tmp_path / "a.kpca"
    save(document, path)
    content = json.loads(path.read_text())
    content["embedded"]["words"] = {"site": ["x"]}
    path.write_text(json.dumps(content))
    with pytest.raises(DataError, match="codes of a column"):
        load(path)


@pytest.mark.parametrize("kind", ["kernel", "distances"])
def test_matrices_are_embedded_too(tmp_path, kind):
    dataset = Dataset(np.ones((3, 3)), kind=kind, name="matrix")
    save(Document(data=DocumentData(embedded=dataset)), tmp_path / "a.kpca")
    assert load(tmp_path / "a.kpca").data.embedded.kind == kind


@pytest.mark.journey
def test_large_selections_are_small(tmp_path):
    mask = np.zeros(300_000, dtype=bool)
    mask[1000:250_000] = True
    save(Document(notes=Notes(selected=Selected.of(mask))), tmp_path / "a.kpca")
    assert (tmp_path / "a.kpca").stat().st_size < 5000
    again = load(tmp_path / "a.kpca").notes.selected
    assert np.array_equal(again.mask(), mask)


def test_a_selection_has_one_dimension():
    with pytest.raises(DataError, match="one flag per row"):
        Selected.of(np.ones((2, 2), dtype=bool))


def referring(folder, name="wine.csv"):
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(b"a,b\n1,2\n")
    digest = "1fd4d29f78bd4f4ae1e0cbe4efabd2ef"
    file = FileReference(folder / name, digest, ReadOptions(";"))
    return Document(data=DocumentData(file))


def test_data_move_with_their_session(tmp_path):
    document = referring(tmp_path / "old")
    save(document, tmp_path / "old" / "a.kpca")
    os.rename(tmp_path / "old", tmp_path / "new")
    again = load(tmp_path / "new" / "a.kpca")
    assert again.data.file.path == tmp_path / "new" / "wine.csv"
    assert again.data.file.reading == ReadOptions(";")


def test_a_session_that_moves_alone_finds_its_data(tmp_path):
    document = referring(tmp_path / "data")
    save(document, tmp_path / "a.kpca")
    (tmp_path / "elsewhere").mkdir()
    os.rename(tmp_path / "a.kpca", tmp_path / "elsewhere" / "a.kpca")
    assert load(tmp_path / "elsewhere" / "a.kpca") == document


def test_data_that_are_gone_are_remembered_by_their_place(tmp_path):
    document = referring(tmp_path / "data")
    save(document, tmp_path / "a.kpca")
    document.data.file.path.unlink()
    assert load(tmp_path / "a.kpca") == document


# Presets


def test_a_preset_has_no_data_of_its_own(tmp_path):
    document = Document(
        BUSY,
        Notes(((1, "odd"),), selected=Selected.of(np.array([True, False]))),
        DocumentData(FileReference(Path("/data/wine.csv"), "ab"), Dataset(np.eye(2))),
        Views("table"),
    )
    bare = document.as_preset()
    assert bare.preset
    assert (bare.notes, bare.data, bare.views) == (Notes(), DocumentData(), Views())
    assert bare.settings.kernel == BUSY.kernel
    assert bare.settings.analysis == BUSY.analysis
    assert bare.settings.view.axes == BUSY.view.axes
    assert bare.settings.view.color_by == "label"
    assert bare.settings.view.data_axes is None
    save(bare, tmp_path / "a.kpca")
    assert b"wine" not in (tmp_path / "a.kpca").read_bytes()
    assert load(tmp_path / "a.kpca") == bare


def test_embedded_rows_keep_the_numbers_of_their_file(tmp_path):
    data = Dataset(np.eye(3), file_numbers=[2, 5, 90])
    save(Document(data=DocumentData(embedded=data)), tmp_path / "a.kpca")
    assert load(tmp_path / "a.kpca").data.embedded.row_number(2) == 90


@pytest.mark.parametrize("color", ["label", "none", "component:2", "odd:t2"])
def test_a_preset_keeps_colours_that_any_data_have(color):
    view = replace(BUSY.view, color_by=color)
    bare = Document(replace(BUSY, view=view)).as_preset()
    assert bare.settings.view.color_by == color


def test_a_preset_keeps_the_data_that_are_shown():
    shown = SessionSettings(DataSettings("moons", seed=3))
    applied = Document(BUSY).as_preset().applied_to(shown)
    assert applied.data == DataSettings("moons", seed=3, scaling="standardise")
    assert applied.kernel == BUSY.kernel
    assert Document(BUSY).applied_to(shown) == BUSY


@pytest.mark.parametrize("repeated", [False, True])
def test_the_size_of_embedded_data_is_forecast(repeated):
    points = np.random.default_rng(0).normal(size=(50_000, 6))
    if repeated:
        points = np.round(points)
    dataset = Dataset(points, labels=np.arange(50_000) % 3)
    real = len(to_bytes(Document(data=DocumentData(embedded=dataset))))
    assert 0.8 * real < packed_size(dataset) < 1.2 * real
