"""A session comes back equal in every field, or one sentence says why not."""

import hashlib
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
from kpca_viewer.session.document import files as sessions
from kpca_viewer.session.document.arrays import packed_size
from kpca_viewer.session.document.files import (
    Document,
    FileReference,
    load,
    preset,
    save,
)
from kpca_viewer.session.settings import (
    AnalysisSettings,
    DataSettings,
    KernelSettings,
    SessionSettings,
    ViewSettings,
    as_values,
)
from kpca_viewer.support.errors import DataError

BUSY = SessionSettings(
    DataSettings("wine.csv", as_values({"noise": 0.1}), 7, "standardise"),
    KernelSettings("poly", as_values({"degree": 3, "gamma": 1 / 3})),
    AnalysisSettings(4, False, "dense"),
    ViewSettings((2, 1, 0), True, data_axes=(1, 0, 2), color_by="feature:1"),
)


# Any document at all

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
numbers = st.floats(allow_nan=False, allow_infinity=False)
indices = st.integers(0, 2**31 - 1)
axes = st.tuples(indices, indices, indices)
pairs = st.dictionaries(words, numbers, max_size=3).map(as_values)

colors = st.one_of(
    st.sampled_from(["label", "none"]),
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
        data_axes=st.none() | axes,
        color_by=colors,
        isolines=st.booleans(),
        spectrum=st.sampled_from(["linear", "log"]),
        cumulative=st.booleans(),
        gram_centred=st.booleans(),
        point_size=st.floats(0, 1000, exclude_min=True),
        motion=st.booleans(),
        fills=st.booleans(),
    ),
)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | numbers | words,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3)
    ),
    max_leaves=6,
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


@st.composite
def documents(draw):
    embedded = draw(st.none() | datasets())
    rows = st.integers(0, 40) if embedded is None else st.just(embedded.n)
    return Document(
        settings=draw(settings),
        file=draw(st.none() | references),
        embedded=embedded,
        selection=draw(st.none() | arrays.arrays(np.bool_, rows)),
        row_names=draw(st.dictionaries(st.integers(0, 10**9), words, max_size=3)),
        new_points=tuple(draw(st.lists(st.tuples(numbers, numbers), max_size=3))),
        pins=draw(json_values),
        sweep=draw(json_values),
        views=draw(json_values),
    )


@pytest.fixture(scope="module")
def anywhere(tmp_path_factory):
    return tmp_path_factory.mktemp("sessions") / "any.kpca"


@given(document=documents())
@effort(
    max_examples=100,
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


@given(document=documents())
@effort(
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
def test_saving_what_was_loaded_gives_the_same_bytes(document, anywhere):
    save(document, anywhere)
    first = anywhere.read_bytes()
    save(load(anywhere), anywhere)
    assert anywhere.read_bytes() == first


def test_equality_sees_every_field():
    start = Document(
        BUSY,
        FileReference(Path("/data/wine.csv"), "ab", ReadOptions(";")),
        Dataset(np.eye(2), np.array([0, 1])),
        np.array([True, False]),
        {1: "odd"},
        ((0.5, 1.0),),
        [1],
        {"steps": 3},
        {"zoom": 1.5},
        unknown={"glow": 1},
    )
    others = {
        "settings": SessionSettings(),
        "file": FileReference(Path("/data/wine.csv"), "ab"),
        "embedded": Dataset(np.eye(2), np.array([1, 0])),
        "selection": np.array([True, True]),
        "row_names": {1: "even"},
        "new_points": ((0.5, 1.5),),
        "pins": None,
        "sweep": {"steps": 4},
        "views": {},
        "row_keys": {"by": "name"},
        "preset": True,
        "unknown": {},
    }
    assert start == replace(start)
    assert set(others) == set(Document.__dataclass_fields__)
    for name, value in others.items():
        assert start != replace(start, **{name: value}), name
    for name in ("file", "embedded", "selection"):
        assert start != replace(start, **{name: None}), name
    assert start != "a session"


def test_the_text_can_be_read_by_a_person(tmp_path):
    path = tmp_path / "a.kpca"
    save(Document(BUSY, row_names={3: "odd one"}), path)
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
    save(Document(embedded=dataset), tmp_path / "a.kpca")
    again = load(tmp_path / "a.kpca").embedded
    assert again.points.tobytes() == odd.tobytes()
    assert again.columns["x"].values.tobytes() == odd[:, 1].tobytes()
    assert not again.points.flags.writeable


def test_embedded_data_know_how_many_rows_of_their_file_are_missing(tmp_path):
    known = Dataset(np.eye(3), left_out=7, filled=(5, 2))
    save(Document(embedded=known), tmp_path / "a.kpca")
    again = load(tmp_path / "a.kpca").embedded
    assert (again.left_out, again.filled) == (7, (5, 2))


def test_embedded_data_keep_what_is_known_of_their_rows(tmp_path):
    columns = {"site": ["Wien", None, "a\nb"], "age": [1.5, np.nan, 3.0]}
    document = Document(
        embedded=Dataset(np.eye(3), columns=columns, scale="age", name="known")
    )
    save(document, tmp_path / "a.kpca")
    again = load(tmp_path / "a.kpca")
    assert again == document
    assert again.embedded.columns["site"].texts() == ("Wien", "", "a\nb")
    assert again.embedded.scale == "age"
    assert document != replace(again, embedded=replace(again.embedded, columns={}))


def test_embedded_words_that_their_codes_do_not_know_are_refused(tmp_path):
    document = Document(embedded=Dataset(np.eye(2), columns={"site": ["x", "y"]}))
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
    save(Document(embedded=dataset), tmp_path / "a.kpca")
    assert load(tmp_path / "a.kpca").embedded.kind == kind


def test_large_selections_are_small(tmp_path):
    mask = np.zeros(1_000_000, dtype=bool)
    mask[1000:900_000] = True
    save(Document(selection=mask), tmp_path / "a.kpca")
    assert (tmp_path / "a.kpca").stat().st_size < 5000
    again = load(tmp_path / "a.kpca").selection
    assert np.array_equal(again, mask)
    assert not again.flags.writeable


def test_a_selection_has_one_dimension():
    with pytest.raises(DataError, match="one flag per row"):
        Document(selection=np.ones((2, 2), dtype=bool))


def referring(folder, name="wine.csv"):
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(b"a,b\n1,2\n")
    digest = "1fd4d29f78bd4f4ae1e0cbe4efabd2ef"
    return Document(file=FileReference(folder / name, digest, ReadOptions(";")))


def test_data_move_with_their_session(tmp_path):
    document = referring(tmp_path / "old")
    save(document, tmp_path / "old" / "a.kpca")
    os.rename(tmp_path / "old", tmp_path / "new")
    again = load(tmp_path / "new" / "a.kpca")
    assert again.file.path == tmp_path / "new" / "wine.csv"
    assert again.file.reading == ReadOptions(";")


def test_a_session_that_moves_alone_finds_its_data(tmp_path):
    document = referring(tmp_path / "data")
    save(document, tmp_path / "a.kpca")
    (tmp_path / "elsewhere").mkdir()
    os.rename(tmp_path / "a.kpca", tmp_path / "elsewhere" / "a.kpca")
    assert load(tmp_path / "elsewhere" / "a.kpca") == document


def test_data_that_are_gone_are_remembered_by_their_place(tmp_path):
    document = referring(tmp_path / "data")
    save(document, tmp_path / "a.kpca")
    document.file.path.unlink()
    assert load(tmp_path / "a.kpca") == document
    assert sessions.file_state(document.file) == "missing"


def test_changed_data_are_noticed(tmp_path):
    path = tmp_path / "wine.csv"
    path.write_bytes(b"a,b\n1,2\n")
    file = FileReference(path, hashlib.sha256(path.read_bytes()).hexdigest())
    assert sessions.file_state(file) == "same"
    path.write_bytes(b"a,b\n1,3\n")
    assert sessions.file_state(file) == "changed"


# Presets


def test_a_preset_has_no_data_of_its_own(tmp_path):
    document = Document(
        BUSY,
        FileReference(Path("/data/wine.csv"), "ab"),
        Dataset(np.eye(2)),
        np.array([True, False]),
        {1: "odd"},
        views={"zoom": 2},
    )
    bare = preset(document)
    assert bare.preset
    assert (bare.file, bare.embedded, bare.selection) == (None, None, None)
    assert bare.row_names == {}
    assert bare.settings.kernel == BUSY.kernel
    assert bare.settings.analysis == BUSY.analysis
    assert bare.settings.view.axes == BUSY.view.axes
    assert bare.settings.view.color_by == "label"
    assert bare.settings.view.data_axes is None
    save(bare, tmp_path / "a.kpca")
    assert b"wine" not in (tmp_path / "a.kpca").read_bytes()
    assert load(tmp_path / "a.kpca") == bare


@pytest.mark.parametrize("color", ["label", "none", "component:2"])
def test_a_preset_keeps_colours_that_any_data_have(color):
    view = replace(BUSY.view, color_by=color)
    bare = preset(Document(replace(BUSY, view=view)))
    assert bare.settings.view.color_by == color


def test_a_preset_keeps_the_data_that_are_shown():
    shown = SessionSettings(DataSettings("moons", seed=3))
    applied = preset(Document(BUSY)).applied_to(shown)
    assert applied.data == DataSettings("moons", seed=3, scaling="standardise")
    assert applied.kernel == BUSY.kernel
    assert Document(BUSY).applied_to(shown) == BUSY


@pytest.mark.parametrize("repeated", [False, True])
def test_the_size_of_embedded_data_is_forecast(repeated):
    points = np.random.default_rng(0).normal(size=(50_000, 6))
    if repeated:
        points = np.round(points)
    dataset = Dataset(points, labels=np.arange(50_000) % 3)
    real = len(sessions.to_bytes(Document(embedded=dataset)))
    assert 0.8 * real < packed_size(dataset) < 1.2 * real
