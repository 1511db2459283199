"""What the import sheet says about rows and columns, in words."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kpca_viewer.data.importing import ImportSettings
from kpca_viewer.data.importing.complete import kept_rows
from kpca_viewer.data.table import Column, Table
from kpca_viewer.engine.messages import Message, noticed
from kpca_viewer.features.import_sheet.content import SheetContent
from kpca_viewer.support.numerals import percent


def counted(count: int, thing: str) -> str:
    """Return "1 row", "20 rows" or "3 classes"."""
    ending = "" if count == 1 else "es" if thing.endswith("s") else "s"
    return f"{count:,} {thing}{ending}"


def rows_of_file(content: SheetContent) -> int:
    """Return the rows of the file; an estimate with three digits, no more."""
    if not content.table.estimated:
        return content.rows
    digits = 10 ** max(len(str(content.rows)) - 3, 0)
    return max(round(content.rows / digits) * digits, 1)


def rows_to_come(
    content: SheetContent, settings: ImportSettings, with_gaps: int
) -> tuple[int, str]:
    """Return how many rows there will be, and why not all of them.

    Parameters
    ----------
    with_gaps : int
        Rows of the table with a gap in a feature.
    """
    every, sample = rows_of_file(content) - len(settings.left_out), settings.sample
    fills = settings.missing in ("median", "nearest")
    is_one = with_gaps == 1 and content.whole
    have = "is left out: empty cells" if is_one else "are left out: empty cells"
    if fills:
        have = "has filled cells" if is_one else "have filled cells"
    if not content.whole:
        # Only the first rows are known: how many gaps there are is a guess.
        about = "About " if content.table.estimated and not sample else ""
        text = about + counted(sample or every, "row")
        if with_gaps:
            text += f" ({_share(with_gaps / content.table.n)} of them {have})"
        return sample or every, text
    complete = every if fills else every - with_gaps
    rows = min(sample or complete, complete)
    text = counted(rows, "row")
    every_row = content.table.sampled_from
    if every_row is not None:
        text = f"{rows:,} of {every_row:,} rows, drawn at random"
    elif rows < complete:
        text += f" drawn from {complete:,}"
    if with_gaps:
        text += f" ({with_gaps:,} of {counted(every, 'row')} {have})"
    return rows, text


def left_out_text(count: int, total: int, shown: int, rows: str = "rows") -> str:
    """Say after an import how many rows are missing and why, and how many are shown."""
    have = "has a gap in a feature and is" if count == 1 else "have gaps and are"
    drawn = " drawn at random" if shown < total - count else ""
    return (
        f"{count:,} of {total:,} {rows} {have} left out; {shown:,}{drawn} "
        f"{'is' if shown == 1 else 'are'} shown."
    )


def _share(share: float) -> str:
    """Return "2 %"; what is there at all is not nothing."""
    return "less than 1 %" if share < 0.01 else f"about {percent(share, 0)}"


def describe_column(column: Column) -> str:
    """Return what a column holds: "numbers, 3 missing", or "numbers, 1 odd cell"."""
    if column.missing == column.n:
        return "nothing"
    kind = "whole numbers" if column.whole else "numbers"
    text = column.kind == "text" and column.numbers is None
    words = ["text" if text else kind]
    if column.constant:
        words = [f"constant {words[0]}"]
    if column.numbers is not None:
        odd = int(np.isnan(column.numbers).sum()) - column.missing
        words.append(f"{odd:,} odd cell{'' if odd == 1 else 's'}")
        if not odd:
            words[:] = ["whole numbers of many digits"]
    elif not column.constant and (text or column.distinct <= 20):
        more = "+" if column.distinct >= 1000 else ""
        words.append(f"{column.distinct:,}{more} values")
    if column.missing:
        words.append(f"{column.missing:,} missing")
    return ", ".join(words)


@dataclass(frozen=True)
class ColumnLook:
    """What the sheet shows of a column, with the answers that are given."""

    ends: tuple[float, float] | None
    histogram: tuple[int, ...]
    missing: float
    """The share of its cells."""
    holds: str


def look_at(
    column: Column, sentinels: tuple[float, ...] = (), left_out: tuple[int, ...] = ()
) -> ColumnLook:
    """Return what is shown of a column; computed once for the same answers.

    Parameters
    ----------
    sentinels : tuple of float
        Numbers of this column that count as missing.
    left_out : tuple of int
        Rows that are no data.
    """
    key = (sentinels, left_out)
    if key not in column.looks:
        seen = column.without(*key)
        column.looks[key] = ColumnLook(
            seen.ends,
            seen.histogram,
            seen.missing / max(seen.n, 1),
            describe_column(seen),
        )
    look: ColumnLook = column.looks[key]
    return look


def left_aside(
    table: Table, settings: ImportSettings
) -> tuple[dict[str, tuple[float, ...]], tuple[int, ...]]:
    """Return which numbers of columns count as missing, and which rows are no data."""
    sentinels: dict[str, tuple[float, ...]] = {}
    for name, number in settings.sentinels:
        sentinels[name] = (*sentinels.get(name, ()), number)
    kept = kept_rows(table, settings)
    rows = () if kept is None else np.setdiff1d(np.arange(table.n), kept).tolist()
    return sentinels, tuple(rows)


def look_at_all(table: Table, settings: ImportSettings) -> None:
    """Look at all columns with every answer, so that showing one costs nothing."""
    sentinels, left_out = left_aside(table, settings)
    others = (question.other for question in table.questions)
    for column in (*table.columns, *others):
        for numbers in {(), sentinels.get(column.name, ())}:
            for rows in {(), left_out}:
                look_at(column, numbers, rows)


FILL_GAPS = "Fill gaps by median"
LEAVE_OUT = "Leave out these rows"
LOCATE = "Locate…"
TREAT_ALL_AS_MISSING = "All such cells"
NO_MODEL = Message("error", "New rows need points and a kernel; open points first.")
EMPTY_CLIPBOARD = Message("error", "The clipboard holds no text; copy a table first.")


def gaps_left_out(text: str) -> Message:
    return Message("info", text, (FILL_GAPS,), ends="change")


def gaps_filled(text: str) -> Message:
    return Message("info", f"{text}.", (LEAVE_OUT,), ends="change")


def new_rows_filled(text: str) -> Message:
    text = f"New rows: {text} by the median of the data."
    return Message("info", text, ends="change")


def new_rows_left_out(text: str) -> Message:
    return Message("info", text, ends="change")


def doubtful_numbers(question: str, other: str) -> Message:
    return Message("info", f"{question}.", (f"Read {other}",), ends="change")


def data_gone(path: Path) -> Message:
    return Message(
        "warning",
        f"The data of this session are not there any more; they were in {path}.",
        (LOCATE,),
    )


def data_outside(path: Path) -> Message:
    """Ask about data that a session names far from where it is."""
    return Message(
        "warning",
        f"This session wants to read {path}, which is not beside it and was not opened "
        "here before.",
        ("Read it",),
    )


def one_of_many_opened(count: int, first: Path) -> Message:
    return Message("warning", f"{count} files were dropped; {first.name} is opened.")


def file_changed(path: Path) -> Message:
    return noticed(
        "info",
        f"{path.name} has changed on disk; the picture shows what was read before.",
        "Reload",
        topic="file changed",
    )


def expected_time(text: str) -> Message:
    return Message("info", text, ends="result")
