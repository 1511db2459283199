"""How the command line reads a file and its columns, and what it says about that."""

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

from kpca_viewer.support.errors import DataError
from kpca_viewer.support.numerals import data_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kpca_viewer.data.dataset import Dataset
    from kpca_viewer.data.files import ReadOptions
    from kpca_viewer.data.importing import ImportSettings, Role
    from kpca_viewer.data.table import Table

COLUMN_OPTIONS = ("label", "feature", "metadata", "keep")
"""Options about columns; all but the first can be given several times."""

PROPOSED = {"sentinels": "sentinels", "totals": "left_out"}
"""What ``--keep`` takes as data, and the setting that would not."""

READING_OPTIONS = ("sheet", "header", "skip", "transpose", "decimal")
"""Options that say how rows are found in a file."""


def add_column_options(group: "argparse._ArgumentGroup") -> None:
    """Let a command say what columns are."""
    add = group.add_argument
    add("--label", metavar="COLUMN", help="of a file: the column with the classes")
    add(
        "--feature",
        action="append",
        metavar="COLUMN",
        help="of a file: a column that is a feature (once for each)",
    )
    add(
        "--metadata",
        action="append",
        metavar="COLUMN",
        help="of a file: a column that is no feature, and comes along to the output",
    )
    add(
        "--keep",
        action="append",
        metavar="WHAT",
        help="of a file: sentinels (−999 is a number, no gap) or totals (the last row "
        "is data like the others)",
    )


def add_reading_options(group: "argparse._ArgumentGroup") -> None:
    """Let a command say how the rows of a file are found."""
    add = group.add_argument
    add(
        "--sheet",
        action="append",
        metavar="NAME",
        help="of a file: the sheet of a workbook, the layer or obsm/… of AnnData, or "
        "the array of HDF5, MATLAB and NPZ (again for its labels)",
    )
    add(
        "--header",
        action=argparse.BooleanOptionalAction,
        help="of a file: whether its first row names the columns (default: recognised)",
    )
    add(
        "--skip",
        type=int,
        metavar="N",
        help="of a file: lines above the header (default: a title is recognised)",
    )
    add(
        "--transpose",
        action="store_true",
        default=None,
        help="of a file: its columns are the rows, as in genes × samples",
    )
    add(
        "--decimal",
        metavar="MARK",
        help="of a file: . or , before decimals, in cells such as 1,234 that can be "
        "read in two ways (default: recognised)",
    )


def import_settings(options: argparse.Namespace, table: "Table") -> "ImportSettings":
    """Return what the columns are, as guessed or asked for; or raise `DataError`."""
    from kpca_viewer.data.importing import guess_import, guess_missing, without_gaps
    from kpca_viewer.data.importing.settings import MISSING_TITLES

    imported = guess_import(table, most_missing(options))
    for name, role in said(options):
        # Refuses what is not there, and lists what is.
        imported = imported.with_role(table.column(name).name, role)
    for what in options.keep or ():
        one_of("--keep", what, tuple(PROPOSED))
        imported = replace(imported, **{PROPOSED[what]: ()})  # type: ignore[arg-type]
    if said(options):
        imported = replace(imported, missing=guess_missing(table, imported))
    if options.missing is not None:
        one_of("--missing", options.missing, tuple(MISSING_TITLES))
        imported = replace(imported, missing=options.missing)
    if options.text_missing:
        imported = replace(imported, treat_text_as_missing=True)
    imported = without_gaps(table, imported)
    if options.matrix is not None:
        one_of("--matrix", options.matrix, ("points", "kernel", "distances"))
        imported = replace(imported, matrix=options.matrix)
    if options.sample is not None:
        seed = options.seed or 0
        imported = replace(imported, sample=options.sample, sample_seed=seed)
    return imported


def most_missing(options: argparse.Namespace) -> float:
    """Return which share of a feature may be missing, or raise `DataError`."""
    from kpca_viewer.data.importing.settings import MOST_MISSING

    share = MOST_MISSING if options.most_missing is None else options.most_missing
    if not 0 <= share <= 1:
        raise DataError(f"--most-missing {share:g} is no share; give 0 to 1.")
    return float(share)


def read_options(options: argparse.Namespace) -> "ReadOptions":
    """Return how the options want files to be read."""
    from kpca_viewer.data.files import ReadOptions

    if options.decimal is not None:
        one_of("--decimal", options.decimal, (".", ","))
    if options.skip is not None and options.skip < 0:
        raise DataError(f"{options.skip} lines cannot be skipped; give 0 or more.")
    return ReadOptions(
        decimal=options.decimal,
        header=options.header,
        skip=options.skip,
        transpose=bool(options.transpose),
        sheet=options.sheet[0] if options.sheet else None,
        arrays=tuple(options.sheet) if options.sheet else None,
    )


def top_remarks(table: "Table") -> tuple[str, ...]:
    """Return what was decided about a title and a header, and how to change it."""
    if table.top is None:
        return ()
    other = (
        "--no-header makes it a row" if table.top.header else "--header makes it names"
    )
    said = (
        (table.top.title, "--skip 0 reads all lines"),
        (table.top.reason, other),
    )
    return tuple(f"{text}; {other}" for text, other in said if text)


def doubts(table: "Table") -> tuple[str, ...]:
    """Return what was taken for numbers that can be read in two ways."""
    return tuple(
        f"{question}; --decimal {question.other_decimal} reads "
        f"{question.value(not question.thousands)}"
        for question in table.questions
        if not question.answered
    )


def describe_reading(settings: "ImportSettings") -> str:
    """Return which columns of a file were used: "13 features, label “class”"."""
    count = len(settings.columns("feature"))
    text = f"{count} feature{'' if count == 1 else 's'}"
    for role, word in (("label", "label"), ("name", "row names")):
        for name in settings.columns(role):  # type: ignore[arg-type]
            text += f", {word} “{name}”"
    return text


def remarks(
    options: argparse.Namespace,
    table: "Table",
    imported: "ImportSettings",
    dataset: "Dataset",
) -> tuple[str, ...]:
    """Return what was decided without a word from anybody, and how to change it."""
    from kpca_viewer.data.importing import filled_text, filling_text

    lines = [*top_remarks(table), *doubts(table)]
    lines += proposed(options, table, imported)
    if dataset.filled[0]:
        text = filled_text(*dataset.filled)
        text = f"{text} {filling_text(imported.missing)}"
        lines.append(f"{text}; --missing drop leaves out their rows")
    return tuple(lines)


MOST_NAMED = 5
"""Columns or numbers of which a line speaks one by one."""


def proposed(
    options: argparse.Namespace, table: "Table", imported: "ImportSettings"
) -> "Iterator[str]":
    """Yield what the import sheet would ask about, and how to change it."""
    from kpca_viewer.data.importing import propose
    from kpca_viewer.data.importing.settings import ROLE_TITLES

    proposals = propose(table, most_missing(options))
    named = {name for name, _ in said(options)}
    taken = [
        f"“{s.column}” is taken as {ROLE_TITLES[s.role].lower()} ({s.reason})"
        for s in proposals.suspects
        if s.column not in named and imported.role(s.column) == s.role
    ]
    if taken:
        yield f"{_some(taken)}; --feature COLUMN makes one a feature"
    if options.missing == "columns":
        features = proposals.settings.columns("feature")
        gone = [n for n in features if n not in named and imported.role(n) == "ignore"]
        if gone:
            names = _some([f"“{name}”" for name in gone])
            yield f"columns with gaps are left out: {names}"
    gaps = [
        f"{data_value(s.value)} in “{s.column}” counts as missing (it holds {s.reason})"
        for s in proposals.sentinels
        if imported.sentinels and imported.role(s.column) == "feature"
    ]
    if gaps:
        yield f"{_some(gaps)}; --keep sentinels takes such numbers as they are"
    if proposals.totals is not None and imported.left_out:
        why = f"the last row is left out (it {proposals.totals.reason})"
        yield f"{why}; --keep totals takes it as data"


def _some(texts: list[str]) -> str:
    more = len(texts) - MOST_NAMED
    return ", ".join(texts[:MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")


def left_out(dataset: "Dataset", rows: int) -> tuple[str, ...]:
    """Return how many of the rows of a file are missing: with gaps, and by chance."""
    lines = []
    if dataset.left_out:
        lines.append(f"{dataset.left_out:,} of {rows:,} rows left out: gaps")
    if dataset.n < (complete := rows - dataset.left_out):
        lines.append(f"{dataset.n:,} of {complete:,} rows drawn at random")
    return tuple(lines)


def one_of(name: str, value: str, choices: tuple[str, ...]) -> None:
    """Refuse a value that an option does not have."""
    if value not in choices:
        raise DataError(
            f"“{value}” is not a value of {name}; choose one of {', '.join(choices)}."
        )


def said(options: argparse.Namespace) -> "list[tuple[str, Role]]":
    """Return the columns that the options name, with their roles."""
    given: list[tuple[str, Role]] = []
    given += [(name, "feature") for name in options.feature or ()]
    given += [(name, "ignore") for name in options.metadata or ()]
    if options.label is not None:
        given.append((options.label, "label"))
    return given
