"""Tables of any number of rows: made part by part, kept as Parquet files."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

MOST_ROWS = 250_000
"""Of a part."""
LEAST_PARTS = 4


@dataclass(frozen=True)
class StreamTable:
    """Rows that are drawn part by part, and the γ of an RBF kernel for them."""

    name: str
    d: int
    gamma: float
    rows: Callable[[Any, int], Any]
    """``rows(random, count)``, shape (count, d)."""
    reference: float
    """The bound to which its eigenvalues are found for comparison."""

    def parts(self, n: int) -> list[int]:
        """Return the rows of every part."""
        count = max(LEAST_PARTS, -(-n // MOST_ROWS))
        return [n * (i + 1) // count - n * i // count for i in range(count)]

    def write(self, n: int, folder: Path) -> list[Path]:
        """Write n rows in float32, one file a part; what is there is kept."""
        import pyarrow as pa
        from pyarrow import parquet

        folder.mkdir(parents=True, exist_ok=True)
        paths = []
        for number, count in enumerate(self.parts(n)):
            path = folder / f"part-{number:05}.parquet"
            paths.append(path)
            if path.exists():
                continue
            X = self.rows(np.random.default_rng((7, number)), count)
            X = np.asarray(X, dtype=np.float32)
            names = [f"x{j}" for j in range(self.d)]
            parquet.write_table(pa.table(list(X.T), names=names), path)
        return paths


@dataclass(frozen=True)
class ParquetBlock:
    """The rows of one file, read where they are needed."""

    path: str

    @property
    def title(self) -> str:
        """The name of the file."""
        return Path(self.path).name

    def read(self) -> Any:
        """Return the rows, shape (m, d), in float32."""
        from pyarrow import parquet

        # Threads of Arrow would be more than a worker may use.
        table = parquet.read_table(self.path, use_threads=False)
        columns = [column.to_numpy() for column in table.columns]
        return np.stack(columns, axis=1)


def parquet_blocks(folder: Path) -> list[ParquetBlock]:
    """Return the blocks of a folder in their order."""
    return [ParquetBlock(str(path)) for path in sorted(folder.glob("*.parquet"))]


def circles(random: Any, count: int) -> Any:
    """Return two noisy circles, half of the rows on each."""
    angle = random.uniform(0, 2 * np.pi, count)
    radius = np.where(random.random(count) < 0.5, 1.0, 0.3)
    X = np.column_stack((radius * np.cos(angle), radius * np.sin(angle)))
    return X + random.normal(scale=0.05, size=X.shape)


def measurements(random: Any, count: int) -> Any:
    """Return ten correlated columns of about unit spread: factors that fall off."""
    weights = np.random.default_rng(0).normal(size=(10, 10)) * 0.6 ** np.arange(10)
    weights /= np.sqrt(np.square(weights).sum(axis=1) + 0.01)[:, None]
    X = random.normal(size=(count, 10)) @ weights.T
    return X + 0.1 * random.normal(size=X.shape)


STREAMED = {
    table.name: table
    for table in (
        StreamTable("circles", 2, 10.0, circles, 1e-6),
        StreamTable("measurements", 10, 0.01, measurements, 1e-5),
    )
}
