"""Blocks that are data frames, or arrays with cells that are hidden or not there."""

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

from kpca_viewer import KernelPCA
from kpca_viewer.core.solvers import blocks
from kpca_viewer.support.errors import DataError

N = 3000
X = np.random.default_rng(0).normal(size=(N, 3)) * [1.0, 3.0, 9.0]
OPTIONS = {"kernel": "rbf", "gamma": 0.02}
FRAME = pd.DataFrame(X, columns=["a", "b", "c"])


@pytest.fixture(params=[1000, 12_000], ids=["many", "few"])
def sample(request, monkeypatch):
    """Let the rows be more than a sample holds, or fewer."""
    monkeypatch.setattr(blocks, "SAMPLE", request.param)
    monkeypatch.setattr(
        "kpca_viewer.core.estimator.streams.AT_ONCE_ROWS", request.param
    )


@pytest.mark.journey
def test_columns_in_another_order_are_the_same_columns(sample):
    parts = [FRAME[:1000], FRAME[["c", "a", "b"]][1000:]]
    model = KernelPCA(2, **OPTIONS)
    scores = np.concatenate(list(model.fit_transform(parts)))
    plain = KernelPCA(2, **OPTIONS).fit([X[:1000], X[1000:]])
    np.testing.assert_allclose(model.eigenvalues_, plain.eigenvalues_, rtol=1e-6)
    np.testing.assert_allclose(scores, plain.transform(X), atol=1e-4)
    assert model.feature_names_in_.tolist() == ["a", "b", "c"]
    lazy = model.transform(dd.from_pandas(FRAME[["b", "c", "a"]], npartitions=2))
    np.testing.assert_allclose(lazy.compute().to_numpy(), scores, atol=1e-12)


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (FRAME.rename(columns={"c": "d"}), "Block 2 has no column “c”, unlike"),
        (FRAME.assign(d=1.0), "Block 2 has the column “d”, unlike"),
        (FRAME[["a", "b"]], "Block 2 has no column “c”, unlike"),
    ],
)
def test_a_frame_with_other_columns_is_refused(other, words):
    with pytest.raises(DataError, match=words):
        KernelPCA(2, **OPTIONS).fit([FRAME[:500], other[500:]])


@pytest.mark.journey
def test_numbers_of_every_kind_of_a_frame_are_numbers(sample):
    whole = pd.DataFrame(
        {
            "count": np.arange(N) % 7,
            "size": X[:, 0],
            "flag": X[:, 1] > 0,
            "name": X[:, 2],
        }
    )
    kinds = {"count": "Int64", "name": "double[pyarrow]"}
    frame = dd.from_pandas(whole.astype(kinds), npartitions=3)
    model = KernelPCA(2, **OPTIONS).fit(frame)
    numbers = whole.to_numpy(dtype=float)
    plain = KernelPCA(2, **OPTIONS).fit(np.array_split(numbers, 3))
    np.testing.assert_allclose(model.eigenvalues_, plain.eigenvalues_, rtol=1e-12)
    scores = model.transform(frame).compute().to_numpy()
    np.testing.assert_allclose(scores, plain.transform(numbers), atol=1e-9)


def test_words_in_a_frame_are_refused():
    frame = FRAME.assign(word="north")
    with pytest.raises(
        DataError, match="column “word” of block 1 is no column of numbers"
    ):
        KernelPCA(2, **OPTIONS).fit([frame[:500], frame[500:]])


def test_what_is_masked_is_missing():
    masked = da.ma.masked_greater(da.from_array(X, chunks=(1000, 3)), 25)
    with pytest.raises(DataError, match=r"Block \d has no finite number in row"):
        KernelPCA(2, **OPTIONS).fit(masked)
    model = KernelPCA(2, **OPTIONS).fit(X)
    with pytest.raises(ValueError, match="contains NaN"):
        model.transform(masked).compute()


@pytest.mark.journey
def test_blocks_of_dask_without_rows_have_no_scores(sample):
    A = da.from_array(X, chunks=(100, 2))
    model = KernelPCA(2, **OPTIONS).fit(X)
    few = X[X[:, 0] > 3]
    found = model.transform(da.from_array(X, chunks=(100, 3))[A[:, 0] > 3])
    np.testing.assert_allclose(found.compute(), model.transform(few), atol=1e-12)
    samples = model.score_samples(da.from_array(X, chunks=(100, 3))[A[:, 0] > 3])
    np.testing.assert_allclose(samples.compute(), model.score_samples(few), atol=1e-9)


def test_an_array_of_one_dimension_is_refused():
    A = da.from_array(X, chunks=(1000, 3))
    model = KernelPCA(2, **OPTIONS).fit(X)
    for ask in (model.transform, KernelPCA(2).fit):
        with pytest.raises(DataError, match="The array has one dimension"):
            ask(A[:, 0])


class Growing:
    """Has one more table whenever it is walked."""

    def __init__(self):
        self._walks = 0

    def __iter__(self):
        self._walks += 1
        yield from np.array_split(X, 3)
        yield from [np.ones((5, 7))] * max(self._walks - 3, 0)


def test_blocks_that_become_more_are_refused(sample):
    with pytest.raises(DataError, match="3 blocks at first and are more now"):
        KernelPCA(2, **OPTIONS).fit(Growing())
