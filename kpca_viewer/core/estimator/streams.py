"""Rows that come in blocks: what people have of them, and what they get back.

Blocks are those of a `dask.array` or `dask.dataframe`, of a memory map that is larger
than memory, or of anything that can be walked again and again and gives tables.
Nothing is imported for that: a collection of Dask brings its own module along.

Tables among blocks: data frames have names to go by, arrays may hide cells.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from warnings import warn

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from kpca_viewer.core.estimator.parameters import (
    PRECOMPUTED,
    find_gamma,
    is_share,
    kernel_of,
)
from kpca_viewer.core.orientation import SPARE
from kpca_viewer.core.solvers.blocks import (
    Block,
    Blocks,
    Each,
    Look,
    T,
    Work,
    array_blocks,
    each_block,
    look,
)
from kpca_viewer.core.solvers.row_stream import TOLERANCE, decompose
from kpca_viewer.support import memory
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.progress import ShouldStop, check, never

if TYPE_CHECKING:
    from kpca_viewer.core.estimator.kernel_pca import KernelPCA


AT_A_TIME = 16
"""Blocks of Dask that are asked for together: their answers are held here."""

AT_ONCE_ROWS = 50_000

AT_ONCE_VALUES = 20_000_000
"""Blocks that have no more than this together are joined: 160 MB as float64."""

Names = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Stream:
    blocks: Blocks
    each: Each = each_block
    names: Names | None = None
    """Of the columns, where they have names."""


def stream_of(X: Any) -> Stream | None:
    if is_dask(X):
        return _of_dask(X)
    if isinstance(X, np.memmap) and X.ndim == 2 and not memory.fits(3 * 8 * X.size):
        return Stream(array_blocks(X))
    if is_walked(X):
        names = names_of(next(iter(X)))
        titles = [f"block {i}" for i, _ in enumerate(X, start=1)]
        blocks = [_Walked(X, title, names) for title in titles]
        return Stream(blocks, _each_walked, names)
    return None


def is_dask(X: Any) -> bool:
    return hasattr(X, "__dask_graph__") and hasattr(X, "to_delayed")


def is_walked(X: Any) -> bool:
    """Whether X is something that gives tables whenever it is walked."""
    if isinstance(X, Scores):
        return True
    if isinstance(X, str | bytes | Mapping) or hasattr(X, "__array__"):
        return False
    if hasattr(X, "shape") or hasattr(X, "__dataframe__"):
        return False
    if isinstance(X, Iterator):
        raise DataError(
            "The blocks can be walked only once; give a list, or an object whose "
            "__iter__ begins anew."
        )
    if not isinstance(X, Iterable):
        return False
    first = next(iter(X), None)
    return getattr(first, "ndim", 0) == 2


def fit_stream(model: "KernelPCA", stream: Stream) -> None:
    refuse_unfit(model)
    fit_seen(model, stream, look(stream.blocks, seed=model._seed(), each=stream.each))


def fit_seen(model: "KernelPCA", stream: Stream, seen: Look) -> int:
    """Fit an estimator to rows of which the first look is known.

    Returns
    -------
    int
        How often all rows were passed after it.
    """
    if seen.n <= AT_ONCE_ROWS and seen.n * len(seen.mean) <= AT_ONCE_VALUES:
        # Nothing is gained by less than what all rows at once give.
        rows = [part for part in stream.each(_read, stream.blocks) if len(part)]
        model._fit_table(np.concatenate(rows))
        _keep_names(model, stream, len(seen.mean))
        return 1
    _keep_names(model, stream, len(seen.mean))
    model.gamma_ = find_gamma(model, seen.sample)
    kernel, count = kernel_of(model), int(model.n_components or 1)
    found = decompose(
        stream.blocks,
        seen.n,
        seen.sample,
        kernel,
        count + SPARE,
        center=bool(model.center),
        tol=float(model.tol),
        certificate=model.certificate,
        seed=model._seed(),
        each=stream.each,
    )
    model._kernel, model._points = kernel, found.points
    model.X_fit_ = found.landmarks
    decomposition = found.decomposition.leading(count)
    model._keep(decomposition, len(found.landmarks), np.dtype(np.float64))
    wanted = float(model.tol) or TOLERANCE
    if decomposition.error > 1.05 * wanted:
        warn(
            f"The eigenvalues are known to {decomposition.error:.1g} of the largest, "
            f"not to {wanted:.1g} as is wanted; {decomposition.rank:,} landmarks do "
            "not hold more of these rows. Allow a larger tol, or a smaller gamma.",
            ConvergenceWarning,
            stacklevel=5,
        )
    return found.passes


def transform_stream(model: "KernelPCA", X: Any) -> Any:
    """Return scores as the same kind of thing that the rows are, as lazily as they."""
    if not is_dask(X):
        return Scores(model, X)
    names = list(model.get_feature_names_out())
    if hasattr(X, "map_partitions"):
        return _of_frame(model, X, names)
    rows = _with_whole_rows(X)
    return rows.map_blocks(
        _array_scores,
        model=model,
        dtype=np.float64,
        chunks=(rows.chunks[0], (len(names),)),
        meta=np.empty((0, 0)),
    )


def samples_of_dask(model: "KernelPCA", X: Any) -> Any:
    """Return `score_samples` of a collection of Dask, as lazily as it is."""
    if hasattr(X, "map_partitions"):
        return X.map_partitions(_frame_samples, model, meta=(None, np.float64))
    return _with_whole_rows(X).map_blocks(
        _array_samples, model=model, drop_axis=1, dtype=np.float64, meta=np.empty(0)
    )


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores of blocks, computed whenever they are walked.

    ``for Z in scores`` gives those of one block after the other, ``np.asarray(scores)``
    those of all rows (n, k).
    """

    model: "KernelPCA"
    blocks: Iterable[Any]

    def __repr__(self) -> str:
        return f"<Scores of blocks, {self.model.n_components_} components>"

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.concatenate(list(self)).astype(dtype or np.float64, copy=False)

    def __iter__(self) -> Iterator[Array]:
        """Yield the scores of every block, shape (m, k)."""
        names = getattr(self.model, "feature_names_in_", None)
        known = None if names is None else tuple(names)
        for number, block in enumerate(self.blocks, start=1):
            if len(block):
                yield self.model.transform(ordered(block, known, f"block {number}"))
            else:
                yield np.empty((0, self.model.n_components_))


def _read(block: Block, _number: int) -> Array:
    return block.read()


def refuse_unfit(model: "KernelPCA") -> None:
    """Refuse an estimator that needs all rows at once."""
    if model.n_components is None or is_share(model.n_components):
        raise DataError(
            "Rows that come in blocks need n_components as a whole number: how many "
            "there are is not known before the end."
        )
    if callable(model.kernel) or model.kernel in PRECOMPUTED:
        raise DataError(
            "Rows that come in blocks need a named kernel; a function or a matrix "
            "would need all rows at once."
        )
    if model.fit_inverse_transform:
        raise DataError(
            "The inverse transform is learnt from all rows, never held at once; leave "
            "out fit_inverse_transform, or fit it on a sample."
        )
    if model.eigen_solver not in ("auto", "lowrank"):
        raise DataError(
            f"Rows that come in blocks have one solver, the low-rank one; the "
            f"{model.eigen_solver} solver would need all rows at once."
        )


def _keep_names(model: "KernelPCA", stream: Stream, d: int) -> None:
    model.n_features_in_ = d
    if stream.names is not None:
        model.feature_names_in_ = np.array(stream.names, dtype=object)
    elif hasattr(model, "feature_names_in_"):
        del model.feature_names_in_


@dataclass(frozen=True, eq=False)
class _Walked:
    """One of the tables that are met on the way; it is read on that way only."""

    tables: Iterable[Any]
    title: str
    names: Names | None

    def read(self) -> Array:
        raise NotImplementedError("it is read by _each_walked")


@dataclass(frozen=True)
class _Computed:
    rows: Any
    title: str
    names: Names | None = None

    def read(self) -> Array:
        if hasattr(self.rows, "dtypes"):
            _refuse_words(self.rows, f" of {self.title}")
        return as_array(ordered(self.rows, self.names, self.title))


def _refuse_words(frame: Any, where: str = "") -> None:
    for name, kind in frame.dtypes.items():
        if getattr(kind, "kind", "O") not in "fiub":
            raise DataError(
                f"The column “{name}”{where} is no column of numbers ({kind}); leave "
                "it out, or encode it."
            )


def _each_walked(
    work: Work[T], blocks: Blocks, should_stop: ShouldStop = never
) -> Iterator[T]:
    """Walk once, and work on every table that is met."""
    first = blocks[0]
    assert isinstance(first, _Walked)
    for number, table in enumerate(first.tables):
        check(should_stop)
        if number >= len(blocks):
            raise DataError(
                f"There were {len(blocks):,} blocks at first and are more now; give "
                "what yields the same tables whenever it is walked."
            )
        yield work(_Computed(table, blocks[number].title, first.names), number)


# Dask


@dataclass(frozen=True, eq=False)
class _Delayed:
    delayed: Any
    title: str

    def read(self) -> Array:
        return as_array(self.delayed.compute())


def _of_dask(X: Any) -> Stream:
    names = None
    if hasattr(X, "map_partitions"):
        _refuse_words(X)
        names = tuple(str(name) for name in X.columns)
    else:
        X = _with_whole_rows(X)
    parts = np.ravel(X.to_delayed())
    blocks = [_Delayed(part, f"block {i}") for i, part in enumerate(parts, start=1)]
    return Stream(blocks, _each_delayed, names)


def _with_whole_rows(X: Any) -> Any:
    """Return an array of Dask whose blocks have all columns."""
    if X.ndim != 2:
        what = "one dimension" if X.ndim == 1 else f"{X.ndim} dimensions"
        raise DataError(
            f"The array has {what}; a row per point and a column per feature are "
            "needed."
        )
    return X.rechunk({1: -1})


def _each_delayed(
    work: Work[T], blocks: Blocks, should_stop: ShouldStop = never
) -> Iterator[T]:
    """Let Dask work on every block, where it has them."""
    dask = sys.modules["dask"]
    sent = dask.delayed(_work_on, pure=False)
    carried = dask.delayed(work)
    for start in range(0, len(blocks), AT_A_TIME):
        check(should_stop)
        some = range(start, min(start + AT_A_TIME, len(blocks)))
        tasks = [sent(carried, _part(blocks[i]), blocks[i].title, i) for i in some]
        yield from dask.compute(*tasks)


def _part(block: Block) -> Any:
    assert isinstance(block, _Delayed)
    return block.delayed


def _work_on(work: Callable[[Block, int], T], rows: Any, title: str, number: int) -> T:
    return work(_Computed(rows, title), number)


def _of_frame(model: "KernelPCA", X: Any, names: list[str]) -> Any:
    import pandas as pd

    known = getattr(model, "feature_names_in_", None)
    X = ordered(X, None if known is None else tuple(known), "the data frame")
    meta = pd.DataFrame({name: np.empty(0) for name in names})
    return X.map_partitions(_frame_scores, model, names, meta=meta)


def _array_scores(part: Any, model: "KernelPCA") -> Array:
    if not len(part):
        return np.empty((0, model.n_components_))
    return np.asarray(model.transform(as_array(part)))


def _array_samples(part: Any, model: "KernelPCA") -> Array:
    return model.score_samples(as_array(part)) if len(part) else np.empty(0)


def _frame_scores(part: Any, model: "KernelPCA", names: list[str]) -> Any:
    import pandas as pd

    Z = model.transform(part) if len(part) else np.empty((0, len(names)))
    return pd.DataFrame(Z, columns=names, index=part.index)


def _frame_samples(part: Any, model: "KernelPCA") -> Any:
    import pandas as pd

    found = model.score_samples(part) if len(part) else np.empty(0)
    return pd.Series(found, index=part.index)


def names_of(table: Any) -> Names | None:
    """Return the names of the columns; None where they have none, or only numbers."""
    names = tuple(getattr(table, "columns", ()))
    return names if names and all(isinstance(name, str) for name in names) else None


def ordered(table: Any, names: Names | None, title: str) -> Any:
    """Return a table with its columns in the order of ``names``.

    Raises
    ------
    DataError
        If a data frame has other columns than these.
    """
    own = names_of(table)
    if own is None or names is None or own == names:
        return table
    lacking, others = set(names) - set(own), set(own) - set(names)
    if lacking or others or len(own) != len(names):
        column = min(lacking or others or set(own))
        has = "has no column" if lacking else "has the column"
        raise DataError(
            f"{title[:1].upper()}{title[1:]} {has} “{column}”, unlike the rows before; "
            "give blocks of the same table."
        )
    return table[list(names)]


def as_array(table: Any) -> Array:
    """Return a table as an array, NaN for cells that are masked or missing."""
    if isinstance(table, np.ma.MaskedArray):
        return np.asarray(np.ma.filled(table.astype(np.float64), np.nan))
    array = np.asarray(table)
    if array.dtype == object and hasattr(table, "to_numpy"):
        # Numbers that may be missing, or truth values beside numbers.
        try:
            return np.asarray(table.to_numpy(dtype=np.float64, na_value=np.nan))
        except (TypeError, ValueError):
            return array
    return array
