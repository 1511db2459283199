"""Rows with gaps are counted as they are left out."""

from dataclasses import replace

import numpy as np
import pytest

from kpca_viewer.data.importing import GapCounter, ImportSettings, new_data, to_dataset
from kpca_viewer.data.table import Column, Table


def odd(name: str, *cells: str | None) -> Column:
    """Return a column of numbers with other cells in it."""
    numbers = [float(c) if c and c[-1].isdigit() else np.nan for c in cells]
    return Column(name, np.array(cells, dtype=object), "text", np.array(numbers))


TABLE = Table(
    (
        Column("a", np.array([1.0, np.nan, 3.0, np.inf, 5.0, 6.5])),
        odd("b", "1", "2", "n/a", "4", None, "7"),
        Column("c", np.array(["u", "v", None, "u", "?", "v"], dtype=object), "text"),
        Column("d", np.arange(6.0) ** 2),
    ),
    "data",
)


@pytest.mark.parametrize(
    ("columns", "changes", "expected"),
    [
        ("d", {}, 0),
        ("ad", {"treat_text_as_missing": True}, 2),
        ("bd", {"missing_words": ("n/a",)}, 2),
        ("bd", {"treat_text_as_missing": True}, 2),
        ("cd", {}, 1),
        ("cd", {"missing_words": ("?",)}, 2),
        ("abcd", {"treat_text_as_missing": True}, 4),
    ],
)
def test_as_many_rows_are_counted_as_are_left_out(columns, changes, expected):
    roles = tuple((name, "feature") for name in columns)
    settings = replace(ImportSettings(roles), **changes)
    counter = GapCounter(TABLE)
    # Features come and go, and so do the rules.
    counter.rows("abc", ImportSettings())
    assert counter.rows(columns, settings) == expected
    dataset = to_dataset(TABLE, settings)
    assert dataset.left_out == expected
    assert dataset.n == 6 - expected
    filled = to_dataset(TABLE, replace(settings, missing="median"))
    assert (filled.n, filled.left_out) == (6, 0)
    sampled = to_dataset(TABLE, replace(settings, sample=2))
    assert (sampled.n, sampled.left_out) == (2, expected)


def test_new_rows_with_gaps_are_counted_too():
    settings = ImportSettings((("b", "feature"), ("d", "feature")))
    settings = replace(settings, missing_words=("n/a",))
    assert new_data(TABLE, settings, to_dataset(TABLE, settings)).left_out == 2
