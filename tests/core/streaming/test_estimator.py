"""KernelPCA of rows that come in blocks: the kinds people have, and what comes back."""

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_circles

from kpca_viewer import KernelPCA
from kpca_viewer.core.estimator import streams
from kpca_viewer.core.solvers import blocks
from kpca_viewer.support import memory
from kpca_viewer.support.errors import DataError

N = 3000
X, Y = make_circles(N, factor=0.3, noise=0.05, random_state=0)
OPTIONS = {"kernel": "rbf", "gamma": 4.0}


@pytest.fixture(autouse=True)
def few_are_many(monkeypatch):
    """Let so few rows be more than a sample."""
    monkeypatch.setattr(blocks, "SAMPLE", 1000)
    monkeypatch.setattr(streams, "AT_ONCE_ROWS", 1000)


class Tables:
    """What can be walked again and again."""

    def __iter__(self):
        yield from np.array_split(X, 7)


def mapped(tmp_path):
    np.save(tmp_path / "rows.npy", X)
    return np.load(tmp_path / "rows.npy", mmap_mode="r")


KINDS = {
    "tables": lambda _: Tables(),
    "list": lambda _: np.array_split(X, 7),
    "frames": lambda _: [pd.DataFrame(part) for part in np.array_split(X, 3)],
    "memory map": mapped,
    "dask.array": lambda _: da.from_array(X, chunks=(500, 1)),
    "dask.dataframe": lambda _: dd.from_pandas(
        pd.DataFrame(X, columns=["left", "right"]), npartitions=5
    ),
}


def as_array(scores):
    if hasattr(scores, "compute"):
        return np.asarray(scores.compute())
    return scores if isinstance(scores, np.ndarray) else np.concatenate(list(scores))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_gives_the_picture_of_all_rows(kind, tmp_path, monkeypatch):
    whole = KernelPCA(3, **OPTIONS).fit(X)
    rows = KINDS[kind](tmp_path)
    if kind == "memory map":
        monkeypatch.setattr(memory, "fits", lambda size: False)
    model = KernelPCA(3, **OPTIONS)
    scores = as_array(model.fit_transform(rows))
    assert model.n_rows_ == N
    assert model.rank_ < 400
    assert len(model.X_fit_) == model.rank_
    bounds, true = model.eigenvalue_bounds_, whole.eigenvalue_bounds_
    assert (bounds[:, 0] <= true[:, 1]).all()
    assert (true[:, 0] <= bounds[:, 1]).all()
    exact = whole.transform(X)
    assert scores.shape == exact.shape
    # Two of the components belong to one eigenvalue, and may be turned.
    np.testing.assert_allclose(
        np.linalg.norm(scores, axis=1), np.linalg.norm(exact, axis=1), atol=0.01
    )


def test_names_and_index_of_a_frame_come_back():
    frame = pd.DataFrame(X, columns=["left", "right"], index=np.arange(N) + 10)
    model = KernelPCA(2, **OPTIONS)
    scores = model.fit_transform(dd.from_pandas(frame, npartitions=3))
    assert isinstance(scores, dd.DataFrame)
    found = scores.compute()
    assert list(found.columns) == ["kernelpca0", "kernelpca1"]
    np.testing.assert_array_equal(found.index, frame.index)
    assert model.feature_names_in_.tolist() == ["left", "right"]


def test_a_dask_array_is_computed_only_when_it_is_asked_for():
    asked = []

    def block(part):
        asked.append(len(part))
        return part

    rows = da.from_array(X, chunks=(1000, 2)).map_blocks(block, meta=np.empty((0, 0)))
    model = KernelPCA(2, **OPTIONS).fit(rows)
    asked.clear()
    scores = model.transform(rows)
    assert scores.shape == (N, 2)
    assert asked == []
    assert scores[:1000].compute().shape == (1000, 2)
    assert asked == [1000]


def test_scores_of_tables_are_walked_or_joined():
    parts = np.array_split(X, 7)
    model = KernelPCA(2, **OPTIONS).fit(parts)
    scores = model.transform(parts)
    assert repr(scores) == "<Scores of blocks, 2 components>"
    expected = np.concatenate([model.transform(part) for part in parts])
    np.testing.assert_array_equal(np.asarray(scores), expected)
    assert np.asarray(scores, dtype=np.float32).dtype == np.float32
    assert [len(Z) for Z in scores] == [len(part) for part in parts]
    again = KernelPCA(2).fit(scores)
    assert len(again.X_fit_) == again.rank_ < N


def test_how_normal_rows_are_is_as_lazy_as_they():
    model = KernelPCA(2, **OPTIONS).fit(X)
    expected = model.score_samples(X)
    rows = da.from_array(X, chunks=(1000, 1))
    found = model.score_samples(rows)
    assert isinstance(found, da.Array)
    np.testing.assert_allclose(found.compute(), expected, rtol=1e-9, atol=1e-12)
    frame = pd.DataFrame(X, index=np.arange(N) + 5)
    found = model.score_samples(dd.from_pandas(frame, npartitions=3))
    assert isinstance(found, dd.Series)
    np.testing.assert_array_equal(found.compute().index, frame.index)
    np.testing.assert_allclose(found.compute(), expected, rtol=1e-9, atol=1e-12)


def test_a_column_of_words_is_named():
    frame = pd.DataFrame(X, columns=["left", "right"])
    frame["kind"] = np.where(Y, "in", "out")
    told = r"The column “kind” is no column of numbers \("
    with pytest.raises(DataError, match=told):
        KernelPCA(2).fit(dd.from_pandas(frame, npartitions=3))
    with pytest.raises(DataError, match=r"The column “kind” of block 2 is no column"):
        KernelPCA(2).fit([frame[["left", "right"]], frame])


def test_a_model_of_blocks_is_saved_and_loaded(tmp_path):
    for kernel, values in (("rbf", {"gamma": 4.0}), ("linear", {}), ("paraboloid", {})):
        model = KernelPCA(2, kernel=kernel, **values).fit(np.array_split(X + 5, 4))
        model.save(tmp_path / "model.npz")
        loaded = KernelPCA.load(tmp_path / "model.npz")
        np.testing.assert_array_equal(loaded.transform(X), model.transform(X))
        assert loaded.n_rows_ == N


def test_few_rows_in_blocks_are_as_good_as_all_at_once():
    model = KernelPCA(2, **OPTIONS).fit([X[:200], X[200:400]])
    whole = KernelPCA(2, **OPTIONS).fit(X[:400])
    np.testing.assert_array_equal(model.eigenvalues_, whole.eigenvalues_)
    assert model.n_rows_ == 400


def test_blocks_are_joined_up_to_so_many_rows_and_values(monkeypatch):
    rows = da.from_array(X, chunks=(500, 2))
    whole = KernelPCA(2, **OPTIONS).fit(X)
    monkeypatch.setattr(streams, "AT_ONCE_ROWS", N)
    joined = KernelPCA(2, **OPTIONS).fit(rows)
    np.testing.assert_array_equal(joined.eigenvalue_bounds_, whole.eigenvalue_bounds_)
    assert joined.certificate_ == whole.certificate_ == "proven"
    assert joined.rank_ == whole.rank_
    monkeypatch.setattr(streams, "AT_ONCE_VALUES", 2 * N - 1)
    apart = KernelPCA(2, **OPTIONS).fit(rows)
    assert apart.rank_ < joined.rank_
    assert len(apart.X_fit_) == apart.rank_


def test_new_rows_have_diagnostics_and_those_that_are_gone_have_none():
    model = KernelPCA(2, **OPTIONS).fit(np.array_split(X, 3))
    whole = KernelPCA(2, **OPTIONS).fit(X)
    ours, theirs = (m.diagnostics(X[:50]) for m in (model, whole))
    np.testing.assert_allclose(ours.t2, theirs.t2, rtol=0.05)
    np.testing.assert_allclose(ours.spe, theirs.spe, atol=0.01)
    for ask in (model.diagnostics, model.influence):
        with pytest.raises(DataError, match="keeps its landmarks only"):
            ask()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"n_components": None}, "need n_components as a whole number"),
        ({"n_components": 0.9}, "need n_components as a whole number"),
        ({"kernel": "precomputed"}, "need a named kernel"),
        ({"kernel": lambda a, b: 1.0}, "need a named kernel"),
        ({"fit_inverse_transform": True}, "inverse transform is learnt from all rows"),
        ({"eigen_solver": "dense"}, "have one solver, the low-rank one"),
        ({"kernel": "sigmoid"}, "may be indefinite"),
    ],
)
def test_what_blocks_cannot_have_is_said(options, words):
    with pytest.raises(ValueError, match=words):
        KernelPCA(**{"n_components": 2, **options}).fit(np.array_split(X, 3))


def test_what_can_be_walked_once_only_is_refused():
    with pytest.raises(DataError, match="walked only once"):
        KernelPCA(2).fit(part for part in np.array_split(X, 3))


def test_a_missing_value_is_named_by_its_block():
    bad = X.copy()
    bad[2100, 1] = np.nan
    with pytest.raises(DataError, match=r"Block 3 has no finite number in row 101"):
        KernelPCA(2).fit(da.from_array(bad, chunks=(1000, 2)))


def test_too_few_landmarks_are_said(monkeypatch):
    monkeypatch.setattr(blocks, "SAMPLE", 200)
    monkeypatch.setattr(streams, "AT_ONCE_ROWS", 200)
    rows = np.random.default_rng(0).normal(size=(500, 30))
    with pytest.warns(UserWarning, match="landmarks do not hold more of these rows"):
        KernelPCA(2, kernel="rbf", gamma=1.0).fit(np.array_split(rows, 3))
