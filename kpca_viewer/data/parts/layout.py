"""What the columns of all parts are, learnt without holding them all."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any

import numpy as np

from kpca_viewer.core.solvers.blocks import SAMPLE, Block, Each, Look, random_of
from kpca_viewer.data.files.cells import object_array
from kpca_viewer.data.files.options import ReadOptions
from kpca_viewer.data.files.units import without_unit
from kpca_viewer.data.importing.complete import without_gaps
from kpca_viewer.data.importing.convert import (
    is_quantity,
    label_codes,
    only_column,
)
from kpca_viewer.data.importing.features import (
    MAX_CATEGORIES,
    Source,
    feature_sources,
    numbers_of,
)
from kpca_viewer.data.importing.settings import MOST_MISSING, ImportSettings
from kpca_viewer.data.parts.blocks import Description, PartBlock, Preparation
from kpca_viewer.data.parts.pieces import Piece, parquet_names
from kpca_viewer.data.preparation import (
    ColumnScalings,
    Scaler,
    Scaling,
    by_feature,
    scaling_for,
)
from kpca_viewer.data.raw_rows import RawRows
from kpca_viewer.data.table import Column, Table
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import DataError

Words = dict[str, Counter[str]]

CONSTANT = "Every feature has the same value in all rows; choose columns that vary."


@dataclass(frozen=True)
class Layout:
    """The pieces, and what is done to their rows."""

    pieces: tuple[Piece, ...]
    preparation: Preparation
    undecided: tuple[str, ...] = ()
    """Columns without two different numbers in the first part: see `decided`."""
    gappy: tuple[str, ...] = ()
    """Features of which more is filled, in a sample of all rows, than of one file."""

    @property
    def blocks(self) -> list[PartBlock]:
        return [PartBlock(piece, self.preparation) for piece in self.pieces]

    def with_rows(self, rows: RawRows) -> "Layout":
        """Return a copy with another preparation; a feature describes no row."""
        features = rows.importing.columns("feature")
        description = self.preparation.description.without(features)
        prepared = replace(self.preparation, rows=rows, description=description)
        return replace(self, preparation=prepared)


def first_layout(
    pieces: Sequence[Piece],
    table: Table,
    importing: ImportSettings,
    options: ReadOptions,
    undecided: tuple[str, ...] = (),
) -> Layout:
    """Return what the columns are by the table of the first part, unscaled.

    ``undecided``: columns that the other parts decide on, as `without_variety` has
    them.
    """
    if importing.matrix != "points":
        raise DataError(
            f"The first part is a matrix of {importing.matrix}, which comes in one "
            "piece; --matrix points takes its columns as features."
        )
    importing = without_gaps(table, importing)
    sources: Sequence[Source] = ()
    if importing.columns("feature") or not undecided:
        sources = feature_sources(table, importing)
    names = tuple(name for source in sources for name in source.names)
    classes: tuple[str, ...] = ()
    label = only_column(table, importing, "label")
    if label is not None and not is_quantity(label):
        classes = label_codes(label, missing=importing.missing_words)[1]
    rows = unscaled(importing, names, classes, np.zeros(len(names)))
    description = Description.by(table, importing)
    preparation = Preparation(rows, options, description)
    return Layout(tuple(pieces), preparation, undecided)


def surveyed(layout: Layout, each: Each, seed: int = 0) -> Layout:
    """Return the layout with the words of all parts, and what fills their gaps."""
    rows = layout.preparation.rows
    features = rows.importing.columns("feature")
    in_words = [name for name in features if name not in rows.feature_names]
    if not in_words and not layout.preparation.fills:
        return layout
    blocks = layout.blocks
    most = min(SAMPLE, 4 * SAMPLE // len(blocks) + 64)
    work = _Surveying(tuple(in_words), seed, most)
    words: Words = {name: Counter() for name in in_words}
    numbers = _Sampled.none(len(features) - len(in_words))
    for found, sampled in each(work, blocks):
        for name, counted in found.items():
            words[name] += Counter(counted)
            _check_words(name, words[name])
        numbers = numbers.joined(sampled)
    names, typical = _described(features, words, numbers.values)
    plain = [name for name in features if name not in words]
    much = np.isnan(numbers.values).mean(axis=0) > MOST_MISSING
    layout = replace(layout, gappy=tuple(compress(plain, much)))
    return layout.with_rows(unscaled(rows.importing, names, rows.label_names, typical))


def learnt(
    layout: Layout,
    seen: Look,
    scaling: Scaling | None,
    columns: ColumnScalings = (),
) -> tuple[Layout, Look]:
    """Return layout and look with the scaling that a look at all rows teaches.

    ``scaling``: None takes what suits the data; ``columns``: (feature, how), scaled in
    another way. Quartiles and logarithms are learnt from the sample, for one look at
    all rows does not tell them; the rest is that of all rows.
    """
    if not seen.spread.any():
        raise DataError(CONSTANT)
    how = scaling or scaling_for(seen.spread)
    zeros = np.zeros(len(seen.mean))
    known: dict[str, tuple[Array, Array]] = {
        "standardise": (seen.mean, seen.spread),
        "minmax": (seen.low, seen.high - seen.low),
    }
    names = layout.preparation.rows.feature_names
    if by_feature(how, columns, names):
        scaler = Scaler.learn(seen.sample, how, columns, names)
        scaler.refuse_outside(seen.low)
        for one in ("standardise", "minmax"):
            scaler = scaler.with_statistics((one,), *known[one])
    else:
        scaler = Scaler.from_columns(how, *known.get(how, (zeros, zeros)))
    rows = layout.preparation.rows.with_scaler(scaler)
    return layout.with_rows(rows), replace(seen, sample=scaler.apply(seen.sample))


def sampled_labels(
    layout: Layout, places: Array, each: Each
) -> tuple[Array | None, Array | None]:
    """Return the classes, or the quantity, that the label of some rows says (s,).

    All rows of their blocks are read where there is a label; else nothing is done.
    ``places`` (s, 2): block and row of it, from 0, ascending. Classes are codes, −1
    where a row has none; numbers are NaN where it has none.
    """
    description = layout.preparation.description
    label = next(iter(layout.preparation.rows.importing.columns("label")), None)
    if label is None:
        return None, None
    blocks, numbers = layout.blocks, np.unique(places[:, 0]).tolist()
    wanted = tuple(places[places[:, 0] == number, 1] for number in numbers)
    work = _Labelling(label, wanted)
    told = list(each(work, [blocks[number] for number in numbers]))
    if description.label is None and not any(isinstance(part, tuple) for part in told):
        return None, np.concatenate(told)
    words = [str(word) or None for part in told for word in part]
    column = Column(label, object_array(words), "text")
    known = layout.preparation.rows.label_names
    return label_codes(column, known, description.missing_words)[0], None


def unscaled(
    importing: ImportSettings,
    names: tuple[str, ...],
    classes: tuple[str, ...],
    typical: Array,
) -> RawRows:
    """Return what rows become that are not scaled."""
    zeros, ones = (0.0,) * len(names), (1.0,) * len(names)
    told = tuple(typical.tolist())
    return RawRows(importing, names, classes, told, "none", zeros, ones)


@dataclass(frozen=True, eq=False)
class _Sampled:
    """Rows with the smallest of random keys."""

    keys: Array
    values: Array

    @classmethod
    def none(cls, width: int) -> "_Sampled":
        return cls(np.empty(0), np.empty((0, width)))

    def joined(self, other: "_Sampled", most: int = SAMPLE) -> "_Sampled":
        keys = np.concatenate((self.keys, other.keys))
        values = np.concatenate((self.values, other.values))
        kept = np.argsort(keys, kind="stable")[:most]
        return _Sampled(keys[kept], values[kept])


@dataclass(frozen=True, eq=False)
class _Labelling:
    """The work on one block: the labels of some of its rows."""

    label: str
    wanted: tuple[Array, ...]
    """Rows of every block."""

    def __call__(self, block: Block, number: int) -> tuple[str, ...] | Array:
        assert isinstance(block, PartBlock)
        rows, described = self.wanted[number], block.rows().described
        if described.labels is not None:
            return tuple(described.labels[row] for row in rows.tolist())
        values = dict(described.columns)[self.label]
        if isinstance(values, tuple):
            return tuple(values[row] for row in rows.tolist())
        return np.ma.filled(np.ma.asarray(values, np.float64), np.nan)[rows]


@dataclass(frozen=True)
class _Surveying:
    """The work on one block: its words, and a sample of its numbers with their gaps."""

    in_words: tuple[str, ...]
    seed: int
    most: int

    def __call__(
        self, block: Block, number: int
    ) -> tuple[dict[str, dict[str, int]], _Sampled]:
        assert isinstance(block, PartBlock)
        table, importing = block.table(), block.preparation.rows.importing
        words = {name: self._words(table, name, importing) for name in self.in_words}
        plain = [n for n in importing.columns("feature") if n not in self.in_words]
        keys = random_of(self.seed, number).random(table.n)
        kept = np.argsort(keys, kind="stable")[: self.most]
        values = np.empty((len(kept), len(plain)))
        for j, name in enumerate(plain):
            numbers = numbers_of(table.column(name), importing)
            values[:, j] = np.nan if numbers is None else numbers[kept]
        return words, _Sampled(keys[kept], values)

    def _words(
        self, table: Table, name: str, importing: ImportSettings
    ) -> dict[str, int]:
        found = Counter(table.column(name).texts())
        missing = {None, *importing.missing_words}
        counted = {w: c for w, c in found.items() if w is not None and w not in missing}
        _check_words(name, counted)
        return counted


def _check_words(name: str, words: Any) -> None:
    if len(words) > MAX_CATEGORIES:
        raise DataError(
            f"The column “{name}” holds more than {MAX_CATEGORIES} different words in "
            f"all parts, too many for one column each; --metadata {name} leaves it out."
        )


def _described(
    features: tuple[str, ...], words: Words, numbers: Array
) -> tuple[tuple[str, ...], Array]:
    """Return the names of the features, and what fills a gap in each."""
    names: list[str] = []
    typical: list[float] = []
    plain = iter(numbers.T)
    for name in features:
        if name not in words:
            values = next(plain)
            names.append(name)
            typical.append(
                float(np.nanmedian(values)) if np.isfinite(values).any() else 0.0
            )
            continue
        known = sorted(words[name])
        most = max(known, key=lambda word: words[name][word]) if known else ""
        names += [f"{name}={word}" for word in known]
        typical += [float(word == most) for word in known]
    return tuple(names), np.array(typical)


def without_variety(table: Table, importing: ImportSettings) -> tuple[str, ...]:
    """Return columns that are no features only because a part has one value of them.

    Parts that are sorted by a column have it constant, or empty, one by one.
    """
    roles = dict(importing.roles)
    return tuple(
        column.name
        for column in table.columns
        if roles.get(column.name, "ignore") == "ignore"
        and column.constant
        and (column.kind == "number" or not column.distinct)
    )


def decided(layout: Layout, each: Each) -> Layout:
    """Return the layout with those undecided columns as features that do vary."""
    if not layout.undecided:
        return layout
    low = np.full(len(layout.undecided), np.inf)
    high, in_words = -low, np.zeros(len(low), dtype=bool)
    for smallest, largest, worded in each(_Ranging(layout.undecided), layout.blocks):
        low, high = np.minimum(low, smallest), np.maximum(high, largest)
        in_words |= worded
    varies = (low < high) & ~in_words
    rows, importing = layout.preparation.rows, layout.preparation.rows.importing
    taken = set(compress(layout.undecided, varies))
    roles = dict(importing.roles) | dict.fromkeys(taken, "feature")
    importing = replace(importing, roles=tuple(roles.items()))
    plain = taken | set(rows.feature_names)
    names: list[str] = []
    for name in importing.columns("feature"):
        if name in plain:
            names.append(name)
        else:
            names += [n for n in rows.feature_names if n.startswith(f"{name}=")]
    if not names:
        raise DataError(CONSTANT)
    told = unscaled(importing, tuple(names), rows.label_names, np.zeros(len(names)))
    return layout.with_rows(told)


@dataclass(frozen=True)
class _Ranging:
    """The work on one block: the ends of some columns, and whether they hold words."""

    names: tuple[str, ...]

    def __call__(self, block: Block, _number: int) -> tuple[Array, Array, Array]:
        assert isinstance(block, PartBlock)
        low = np.full(len(self.names), np.inf)
        high, in_words = -low, np.zeros(len(low), dtype=bool)
        known = self._columns(block)
        for j, name in enumerate(self.names):
            column = known.get(name)
            if column is None or not column.distinct:
                continue
            numbers = column.known_numbers
            in_words[j] = numbers is None
            if numbers is not None:
                there = numbers[np.isfinite(numbers)]
                low[j] = there.min(initial=np.inf)
                high[j] = there.max(initial=-np.inf)
        return low, high, in_words

    def _columns(self, block: PartBlock) -> dict[str, Column]:
        piece = block.piece
        if piece.key == "parquet":
            there = parquet_names(piece.path)
            if {*self.names, *map(without_unit, self.names)}.isdisjoint(there):
                # Its table would have no column at all.
                return {}
        return piece.table(block.preparation.options, self.names).by_name
