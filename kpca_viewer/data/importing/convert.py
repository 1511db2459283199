"""From a table to a data set, and rows of a second table to the same columns."""

from dataclasses import replace
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from kpca_viewer.data.dataset import FILLED_CELLS, UNLABELLED, Dataset
from kpca_viewer.data.importing.complete import (
    Features,
    complete,
    kept_rows,
    sampled,
    typical_values,
    without_gaps,
)
from kpca_viewer.data.importing.features import (
    Source,
    feature_matrix,
    feature_sources,
    why_no_feature,
)
from kpca_viewer.data.importing.guess import checked_matrix
from kpca_viewer.data.importing.settings import ImportSettings
from kpca_viewer.data.metadata import MetaColumn, natural
from kpca_viewer.data.table import (
    Column,
    FloatArray,
    IntArray,
    Table,
    free_name,
    listed,
)
from kpca_viewer.support.errors import DataError

MAX_CLASSES = 256
"""More words than this are names of rows, not classes."""

MAX_NUMBER_CLASSES = 50
"""A label with more different numbers than this is a quantity to colour by."""


def only_column(table: Table, settings: ImportSettings, role: str) -> Column | None:
    """Return the column that is the label or the row name."""
    names = settings.columns("label" if role == "label" else "name")
    if len(names) > 1:
        what = "label" if role == "label" else "row name"
        raise DataError(
            f"{listed(names)} are all chosen as {what}; keep one, and "
            "make the others metadata."
        )
    return table.column(names[0]) if names else None


def is_quantity(column: Column) -> bool:
    """Whether a label is a number to colour by instead of a class."""
    return column.kind == "number" and column.distinct > MAX_NUMBER_CLASSES


def may_be_noise(column: Column) -> bool:
    """Whether −1 stands beside classes from 0 on, as clustering leaves it."""
    if not column.whole or column.distinct < 3 or is_quantity(column):
        return False
    return bool(np.nanmin(column.values) == -1)


def label_codes(
    column: Column, known: tuple[str, ...] = (), missing: tuple[str, ...] = ()
) -> tuple[IntArray | None, tuple[str, ...]]:
    """Return class codes (n,) and the names of the classes, ``known`` ones first.

    ``missing``: words that stand for no label.
    """
    found = column.metadata
    if found.words is None:
        found = MetaColumn.of_words(column.texts())
    words, codes = found.words, found.values
    assert words is not None
    others = {*missing, *known}
    new = sorted((word for word in words if word not in others), key=natural)
    names = (*known, *new)
    places = {name: code for code, name in enumerate(names)}
    for word in missing:
        places[word] = UNLABELLED
    codes = np.array([*(places[word] for word in words), UNLABELLED])[codes]
    if not names or (codes == UNLABELLED).all():
        return None, ()
    if len(names) > MAX_CLASSES + len(known):
        raise DataError(
            f"The label “{column.name}” has more than {MAX_CLASSES} different values; "
            "make it the row name, or metadata."
        )
    return codes, names


def quantity(column: Column) -> FloatArray:
    """Return a label as numbers to colour by; infinities count as missing."""
    return np.where(np.isinf(column.values), np.nan, column.values)


def row_names(table: Table, column: Column | None) -> list[str] | None:
    """Return the name of every row; rows without one are numbered."""
    if column is None:
        return None
    return [
        column.text(row) or f"row {table.row_number(row)}" for row in range(table.n)
    ]


def to_dataset(
    table: Table, settings: ImportSettings, features: Features | None = None
) -> Dataset:
    """Return the data set that a table holds; ``features``: if they are known."""
    settings = without_gaps(table, settings)
    if features is None:
        features = read_features(table, settings)
    dataset = dataset_of(table, settings, features)
    if settings.matrix == "points" or dataset.row_names is not None:
        return dataset
    if features.names == tuple(f"x{j + 1}" for j in range(len(features.names))):
        return dataset
    # The header of a matrix names its rows as well.
    return replace(dataset, row_names=features.names)


class Conversion(NamedTuple):
    """A data set, the settings it was made by, and its features alone."""

    settings: ImportSettings
    features: Features
    dataset: Dataset


_MADE: "WeakKeyDictionary[Table, Conversion]" = WeakKeyDictionary()
"""Of every table that is there, what it was last made into and was not yet taken."""


def converted(table: Table, settings: ImportSettings) -> Dataset:
    """Return what `to_dataset` does, made once for all calls before `taken`.

    A file is looked at, checked and analysed by different workers.
    """
    made = _MADE.get(table)
    if made is None or made.settings != settings:
        features = read_features(table, settings)
        made = Conversion(settings, features, to_dataset(table, settings, features))
        _MADE[table] = made
    return made.dataset


def taken(table: Table, settings: ImportSettings) -> Conversion | None:
    """Return what `converted` has made of a table, if it was made so; keep nothing."""
    made = _MADE.pop(table, None)
    return made if made is not None and made.settings == settings else None


def read_features(table: Table, settings: ImportSettings) -> Features:
    """Return the points of a table, or the matrix that it holds.

    Only the features of `settings` matter, and what is done to their rows: who changes
    another column can keep what was found here.
    """
    check_size(table)
    settings = without_gaps(table, settings)
    kept = kept_rows(table, settings)
    if kept is not None:
        found = read_features(table.take(kept), replace(settings, left_out=()))
        return replace(found, rows=kept if found.rows is None else kept[found.rows])
    sources = feature_sources(table, settings)
    if settings.matrix != "points":
        return _matrix(table, sources, settings)
    points = feature_matrix(table, sources, settings)
    found = complete(table, sources, points, settings)
    first = found.points[0]
    if all((part == first).all() for part in (found.points[:100], found.points)):
        raise DataError(
            "Every feature has the same value in all rows; choose columns that vary."
        )
    return found


def check_size(table: Table) -> None:
    """Refuse a table in which there is nothing to compare, whatever its roles."""
    if len(table.measured) == 1:
        raise DataError(
            f"There is only one column, “{table.names[0]}”; choose another delimiter "
            "if the file has more, or add a second column."
        )
    if table.n < 2:
        raise DataError(
            "There is only one row; kernel PCA compares rows, so give at least two."
        )


def check_worth(table: Table) -> None:
    """Refuse a table out of which no choice of roles can make a picture."""
    check_size(table)
    if all(column.constant for column in table.measured):
        raise DataError(why_no_feature(table, ImportSettings()))


def dataset_of(
    table: Table,
    settings: ImportSettings,
    features: Features,
    classes: tuple[str, ...] = (),
) -> Dataset:
    """Return points of a table with labels, names, and every other column.

    Parameters
    ----------
    classes : tuple of str
        Names of classes that come first.
    """
    rows = features.rows
    label = only_column(table, settings, "label")
    kept = kept_rows(table, settings)
    if label is not None and kept is not None:
        # What a row of totals holds is no class.
        label = label.only(kept)
    codes: IntArray | None = None
    label_names: tuple[str, ...] = ()
    columns: dict[str, MetaColumn] = {}
    scale = ""
    if label is not None and is_quantity(label):
        scale = label.name
        columns[scale] = MetaColumn(quantity(label)).take(rows)
    elif label is not None:
        codes, label_names = label_codes(label, classes, settings.missing_words)
    roles = dict(settings.roles)
    for column in table.columns:
        if roles.get(column.name, "ignore") == "ignore":
            columns[column.name] = column.metadata.take(rows)
    if features.filled_cells is not None:
        name = free_name(FILLED_CELLS, table.by_name)
        columns[name] = MetaColumn(features.filled_cells.astype(np.float64))
    named = row_names(table, only_column(table, settings, "name"))
    if named is not None and rows is not None:
        named = [named[row] for row in rows]
    known = table.row_numbers
    return Dataset(
        features.points,
        codes if codes is None or rows is None else codes[rows],
        label_names,
        features.names,
        None if named is None else tuple(named),
        columns,
        settings.matrix,
        table.name,
        features.left_out,
        features.filled,
        scale,
        rows,
        file_numbers=known if known is None or rows is None else known[rows],
        sampled_from=table.sampled_from,
    )


def _matrix(table: Table, sources: list[Source], settings: ImportSettings) -> Features:
    assert settings.matrix != "points"
    names = tuple(name for source in sources for name in source.names)
    if len(names) != table.n:
        raise DataError(
            f"A {_word(settings)} matrix is square, but there are {table.n:,} rows and "
            f"{len(names):,} features; open the file as points, or correct the roles."
        )
    matrix = feature_matrix(table, sources, settings)
    gaps = np.isnan(matrix)
    if gaps.any():
        i, j = np.unravel_index(np.argmax(gaps), gaps.shape)
        raise DataError(
            f"Row {table.row_number(int(i)):,}, column “{names[j]}” is missing; a "
            f"{_word(settings)} matrix must be complete, so fill it in."
        )
    matrix = checked_matrix(matrix, settings.matrix)
    rows = sampled(None, table.n, settings)
    if rows is not None:
        matrix = matrix[np.ix_(rows, rows)]
        names = tuple(names[row] for row in rows)
    if not matrix.any():
        raise DataError(f"The {_word(settings)} matrix is zero; choose another file.")
    return Features(matrix, names, rows)


def _word(settings: ImportSettings) -> str:
    return "distance" if settings.matrix == "distances" else "kernel"


def new_data(table: Table, settings: ImportSettings, reference: Dataset) -> Dataset:
    """Return the rows of a second file in the columns of the ``reference``.

    Columns are matched by name, in any order. Gaps are filled with the medians of the
    reference, words are encoded as there, and its classes keep their codes. The
    settings are those with which the first file was imported.
    """
    if settings.matrix != "points":
        raise DataError(
            "New rows cannot be placed beside a matrix of kernel values or distances; "
            "open the points themselves."
        )
    _check_columns(table, settings)
    present = tuple(
        (name, role)
        for name, role in settings.roles
        if role == "feature" or name in table.by_name
    )
    settings = replace(settings, roles=present, sample=None)
    sources = feature_sources(table, settings, known_words(settings, reference))
    names = tuple(name for source in sources for name in source.names)
    if names != reference.feature_names:
        raise DataError(
            f"The new rows would have the features {listed(names)} instead of "
            f"{listed(reference.feature_names)}; import them as the first file was."
        )
    points = feature_matrix(table, sources, settings)
    typical = typical_values(sources, reference.points)
    features = complete(table, sources, points, settings, typical)
    return dataset_of(table, settings, features, reference.label_names)


def _check_columns(table: Table, settings: ImportSettings) -> None:
    wanted = settings.columns("feature")
    missing = [name for name in wanted if name not in table.by_name]
    if not missing:
        return
    known = {name for name, _ in settings.roles}
    extra = [name for name in table.names if name not in known]
    besides = f", but has {listed(extra)} besides" if extra else ""
    raise DataError(
        f"The new file lacks the {'column' if len(missing) == 1 else 'columns'} "
        f"{listed(missing)}{besides}; name its columns as in the first file."
    )


def known_words(
    settings: ImportSettings, reference: Dataset
) -> dict[str, tuple[str, ...]]:
    """Return the words that each text column of the reference has a column for."""
    plain = set(reference.feature_names)
    return {
        name: tuple(
            feature.removeprefix(f"{name}=")
            for feature in reference.feature_names
            if feature.startswith(f"{name}=")
        )
        for name in settings.columns("feature")
        if name not in plain
    }
