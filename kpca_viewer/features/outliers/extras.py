"""What the analysis adds to a result about odd rows, and where else it is shown."""

from kpca_viewer.engine.row_numbers import COLOR
from kpca_viewer.engine.stage import Extra, RowValues
from kpca_viewer.features.outliers.compute import measure_rows, with_new
from kpca_viewer.features.outliers.text import oddness_text
from kpca_viewer.features.outliers.values import OddList, OddRows


def _row_values(odd: OddRows) -> list[RowValues]:
    return [
        RowValues(f"{COLOR}{numeral.key}", numeral.symbol, values)
        for numeral, values in odd.known()
    ]


def _row_text(odd: OddRows, row: int) -> str:
    return oddness_text(odd, row) if row < len(odd.numbers.t2) else ""


ODD_ROWS: Extra[OddRows] = Extra(
    "odd rows",
    extend=with_new,
    measure=measure_rows,
    row_values=_row_values,
    row_text=_row_text,
)
ODD_LIST: Extra[OddList] = Extra("odd list")
