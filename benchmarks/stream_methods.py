"""Fits of rows in Parquet parts, or of the same in memory, each in its own process.

``python -m benchmarks.stream_methods FOLDER METHOD COMPONENTS`` is such a process, see
`benchmarks.rounds`; the name of the folder begins with that of the table.
"""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.rounds import answer_lines
from benchmarks.stream_tables import STREAMED, ParquetBlock, parquet_blocks
from kpca_viewer import KernelPCA
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.orientation import SPARE
from kpca_viewer.core.solvers.blocks import Blocks, Each, each_block, look
from kpca_viewer.core.solvers.row_stream import decompose

Fit = Callable[[int], tuple[Any, dict[str, Any]]]

TOLERANCE = 1e-3
BLOCK = 65_536
"""Rows of a block in memory."""

BATCH = 10_000
"""Rows of a batch of `IncrementalPCA`: of 2,000, 10,000 and 50,000 the fastest."""
KEPT = 30
"""Components that it keeps: with those that are wanted alone its error is larger."""
CHOSEN_FROM = 20_000
"""Rows that `Nystroem` chooses its landmarks from."""


def method(name: str, folder: Path, components: int) -> Fit:
    """Make the fit of a name ready.

    Parameters
    ----------
    name : str
        "array", "blocks", "parquet", "parquet TOL", or "Nystroem M".
    """
    gamma = STREAMED[folder.name.split("-")[0]].gamma
    kind, _, value = name.partition(" ")
    blocks = parquet_blocks(folder)
    if kind == "Nystroem":
        return partial(nystroem, blocks, gamma, components, int(value))
    if kind == "parquet":
        tol = float(value) if value else TOLERANCE
        return partial(streamed, blocks, gamma, components, tol=tol)
    X = _held(blocks)
    if kind == "array":
        return partial(estimated, X, gamma, components)
    parts = [X[start : start + BLOCK] for start in range(0, len(X), BLOCK)]
    return partial(estimated, parts, gamma, components)


def _held(blocks: list[ParquetBlock]) -> Any:
    """Return all rows in float32, shape (n, d), without holding them twice."""
    from pyarrow import parquet

    counts = [parquet.read_metadata(block.path).num_rows for block in blocks]
    shape = sum(counts), blocks[0].read().shape[1]
    X = np.empty(shape, dtype=np.float32)
    for block, stop in zip(blocks, np.cumsum(counts), strict=True):
        rows = block.read()
        X[stop - len(rows) : stop] = rows
    return X


def streamed(
    blocks: Blocks,
    gamma: float,
    components: int,
    seed: int = 0,
    *,
    tol: float = TOLERANCE,
    each: Each = each_block,
) -> tuple[Any, dict[str, Any]]:
    """Look at all rows, then pass over them."""
    seen = look(blocks, seed=seed, each=each)
    found = decompose(
        blocks,
        seen.n,
        seen.sample,
        Kernel("rbf", gamma=gamma),
        components + SPARE,
        tol=tol,
        seed=seed,
        each=each,
    )
    known = found.decomposition.leading(components)
    notes = {
        "rank": known.rank,
        "bound": known.error,
        "passes": found.passes,
        "certificate": known.certificate,
    }
    return known.eigenvalues, notes


def estimated(
    X: Any, gamma: float, components: int, seed: int
) -> tuple[Any, dict[str, Any]]:
    """Fit the estimator to an array, or to a list of blocks."""
    model = KernelPCA(
        components, kernel="rbf", gamma=gamma, tol=TOLERANCE, random_state=seed
    ).fit(X)
    bounds = model.eigenvalue_bounds_
    width = float((bounds[:, 1] - bounds[:, 0]).max() / model.eigenvalues_[0])
    return model.eigenvalues_, {"rank": int(model.rank_), "bound": width}


def nystroem(
    blocks: list[ParquetBlock], gamma: float, components: int, count: int, seed: int
) -> tuple[Any, dict[str, Any]]:
    """Let scikit-learn do it block by block, in float64: float32 costs it digits."""
    from sklearn.decomposition import IncrementalPCA
    from sklearn.kernel_approximation import Nystroem

    features = Nystroem(gamma=gamma, n_components=count, random_state=seed)
    features.fit(blocks[0].read()[:CHOSEN_FROM].astype(np.float64))
    pca = IncrementalPCA(min(KEPT, count))
    for block in blocks:
        X = block.read().astype(np.float64)
        # A last batch of fewer rows than components would be refused.
        for rows in np.array_split(X, max(1, len(X) // BATCH)):
            pca.partial_fit(features.transform(rows))
    values = pca.explained_variance_[:components] * (pca.n_samples_seen_ - 1)
    return values, {}


if __name__ == "__main__":
    folder, name, components = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    answer_lines(sys.stdin.readline, method(name, folder, components))
