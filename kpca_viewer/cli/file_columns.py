"""How the command line reads a file and its columns, and what it says about that."""

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

from kpca_viewer.support.errors import DataError

if TYPE_CHECKING:
    from kpca_viewer.data.dataset import Dataset
    from kpca_viewer.data.files import ReadOptions
    from kpca_viewer.data.importing import ImportSettings, Role
    from kpca_viewer.data.table import Table

COLUMN_OPTIONS = ("label", "feature", "metadata")
"""Options that name a column; all but the first can be given several times."""


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


def import_settings(options: argparse.Namespace, table: "Table") -> "ImportSettings":
    """Return what the columns are: as guessed, unless the options say otherwise.

    Raises
    ------
    DataError
        If there is no such column or value.
    """
    from kpca_viewer.data.importing import guess_import

    imported = guess_import(table)
    for name, role in said(options):
        # Refuses what is not there, and lists what is.
        imported = imported.with_role(table.column(name).name, role)
    if options.missing is not None:
        one_of("--missing", options.missing, ("drop", "median"))
        imported = replace(imported, missing=options.missing)
    if options.text_missing:
        imported = replace(imported, treat_text_as_missing=True)
    if options.matrix is not None:
        one_of("--matrix", options.matrix, ("points", "kernel", "distances"))
        imported = replace(imported, matrix=options.matrix)
    if options.sample is not None:
        seed = options.seed or 0
        imported = replace(imported, sample=options.sample, sample_seed=seed)
    return imported


def read_options(options: argparse.Namespace) -> "ReadOptions":
    """Return how the options want files to be read."""
    from kpca_viewer.data.files import ReadOptions

    if options.decimal is None:
        return ReadOptions()
    one_of("--decimal", options.decimal, (".", ","))
    return ReadOptions(decimal=options.decimal)


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
    from kpca_viewer.data.importing import filled_text, suspects
    from kpca_viewer.data.importing.settings import ROLE_TITLES

    named = {name for name, _ in said(options)}
    taken = [
        f"“{s.column}” is taken as {ROLE_TITLES[s.role].lower()} ({s.reason})"
        for s in suspects(table)
        if s.column not in named and imported.role(s.column) == s.role
    ]
    lines = []
    if taken:
        lines.append(f"{', '.join(taken)}; --feature COLUMN makes one a feature")
    if dataset.filled[0]:
        text = filled_text(*dataset.filled)
        lines.append(f"{text} by the median; --missing drop leaves out their rows")
    return tuple(lines)


def left_out(dataset: "Dataset", rows: int) -> tuple[str, ...]:
    """Return how many rows of a file are missing: those with gaps, and by chance."""
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
