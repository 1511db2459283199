"""Tables of several parts, one below the other."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.data.files.cells import CellRules, object_array, text_column
from kpca_viewer.data.table import Column, Question, Table, exact_text


def joined(tables: Sequence[Table]) -> Table:
    """Return the rows of all tables, with the columns of the first.

    A column that holds words in one part is one of words in all of them.
    """
    first, *others = tables
    if not others:
        return first
    columns = [_joined([t.column(name) for t in tables]) for name in first.names]
    known = [table.row_numbers for table in tables if table.row_numbers is not None]
    return replace(
        first,
        columns=tuple(columns),
        questions=tuple(_questions(tables)),
        row_numbers=np.concatenate(known) if len(known) == len(tables) else None,
    )


def _joined(columns: Sequence[Column]) -> Column:
    name = columns[0].name
    if all(column.kind == "number" for column in columns):
        values = np.concatenate([column.values for column in columns])
        return Column(name, values, complete=all(c.complete for c in columns))
    words = np.concatenate([_words(column) for column in columns])
    if all(c.kind == "text" and c.numbers is None for c in columns):
        return Column(name, words, "text")
    # What is a number in one part was read by the rules of that part.
    numbers = np.concatenate([_numbers(column) for column in columns])
    decided = text_column(name, words, CellRules())
    if decided.kind == "number":
        return Column(name, numbers)
    return decided if decided.numbers is None else replace(decided, numbers=numbers)


def _words(column: Column) -> NDArray[Any]:
    if column.kind == "text":
        return column.values
    values = column.values.tolist()
    return object_array([None if v != v else exact_text(v) for v in values])


def _numbers(column: Column) -> NDArray[np.float64]:
    if column.kind == "number":
        return column.values
    return np.full(column.n, np.nan) if column.numbers is None else column.numbers


def _questions(tables: Sequence[Table]) -> list[Question]:
    """Return one question for each column that is in question in any part."""
    found: dict[str, Question] = {}
    for question in (q for table in tables for q in table.questions):
        found.setdefault(question.column, question)
    return [
        replace(question, other=_joined([_other(t, name) for t in tables]))
        for name, question in found.items()
    ]


def _other(table: Table, name: str) -> Column:
    asked = (question for question in table.questions if question.column == name)
    question = next(asked, None)
    return table.column(name) if question is None else question.other
