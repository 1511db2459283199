"""What was analysed: source, rows, columns, classes, gaps, and how it was prepared."""

from collections.abc import Iterator, Sequence

import numpy as np

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.drawn import TITLE as DRAWN
from kpca_viewer.data.generators import GENERATORS
from kpca_viewer.data.importing import ImportSettings, filled_text, filling_text
from kpca_viewer.export.document import Block, Facts, Paragraph, Section, Table
from kpca_viewer.export.text import one_line
from kpca_viewer.features.report.subject import Subject
from kpca_viewer.support.numerals import counted, data_value, readable, ungrouped

NAMED = 40
"""Columns or classes that are named; of more, the first."""

DESCRIBED = 30
"""Columns up to which each has its line in a table."""

PREPARATIONS = {
    "none": "The columns were analysed as they are.",
    "standardise": "Every column was centred at its mean and divided by its standard "
    "deviation (the root of the mean squared deviation, over n).",
    "minmax": "Every column was moved and scaled to the range from 0 to 1.",
    "unit": "Every row was divided by its Euclidean length.",
    "columns": "The columns were scaled one by one: {columns}. Logarithms are natural.",
}
"""By the key of the scaling."""


def data_section(subject: Subject) -> Section:
    return Section("Data", tuple(_blocks(subject)))


def preparation_section(subject: Subject) -> Section:
    """Return the section about what was done to the data before the kernel."""
    dataset = subject.result.dataset
    if dataset.kind != "points":
        text = "A given matrix is taken as it is: there are no columns to scale."
        return Section("Preparation", (Paragraph(text),))
    scaler = subject.result.scaler
    text = PREPARATIONS[scaler.how].format(columns=scaler.describe())
    constant = _constant(dataset)
    if constant:
        text += f" Constant columns: {_listed(constant)}."
    return Section("Preparation", (Paragraph(text),))


def source_words(subject: Subject) -> str:
    """Return where the data came from, in one line."""
    dataset, data = subject.result.dataset, subject.result.settings.data
    if subject.file is not None:
        what = "folder" if subject.file.is_folder else "file"
        return f"{what} {one_line(subject.file.path.name)}"
    if data.drawn is not None:
        return DRAWN.lower()
    generator = GENERATORS.get(data.source)
    if generator is None:
        return one_line(dataset.name)
    given = dict(data.values)
    values = [
        f"{p.title.lower()} {readable(given.get(p.name, p.default))}"
        for p in generator.parameters
    ]
    if not values:
        return f"{generator.title}, which comes with the program"
    return f"{generator.title}, generated: {', '.join(values)}, seed {data.seed}"


def _blocks(subject: Subject) -> Iterator[Block]:
    dataset = subject.result.dataset
    yield Facts(tuple(_facts(subject)))
    if dataset.kind == "points" and dataset.d <= DESCRIBED:
        yield _columns(dataset)


def _facts(subject: Subject) -> Iterator[tuple[str, str]]:
    dataset, data = subject.result.dataset, subject.result.settings.data
    yield "Name", one_line(dataset.name)
    yield "Source", source_words(subject)
    every = subject.result.full_fit
    if every is not None:
        yield "The model is of", every.words
    drawn = dataset.sampled_from is not None
    what = "Rows analysed" if every is None else "Rows shown"
    yield what, dataset.rows_words if drawn else counted(dataset.n)
    yield "Rows left out", _left_out(subject)
    if dataset.kind == "points":
        yield "Columns", _named(dataset.feature_names)
        yield "Missing values", _missing(dataset, data.importing)
    else:
        what = "distances" if dataset.kind == "distances" else "kernel values"
        yield "Matrix", f"{counted(dataset.n)} × {counted(dataset.n)} {what}, given"
    yield "Classes", _classes(subject)
    if dataset.columns:
        yield "Beside them", f"{_named(tuple(dataset.columns))}; not analysed"
    if data.groups:
        yield "Groups", _listed([group.name for group in data.groups])
    new = subject.result.new_rows
    if new is not None:
        yield "New rows", f"{counted(new.n)}, projected onto the model; no part of it"
    if subject.file is not None and subject.file.content_hash:
        in_parts = subject.file.reading.parts is not None
        what = "parts by name and size, and rows drawn" if in_parts else "file"
        yield f"SHA-256 of the {what}", subject.file.content_hash
    yield "SHA-256 of the numbers", dataset.content_hash


def _left_out(subject: Subject) -> str:
    dataset, importing = subject.result.dataset, subject.result.settings.data.importing
    parts = []
    every = subject.result.full_fit
    if every is not None and every.left_out:
        parts.append(f"{counted(every.left_out)} of all because of missing values")
    elif dataset.left_out:
        parts.append(f"{counted(dataset.left_out)} because of missing values")
    if importing is not None and importing.sample is not None:
        parts.append(
            f"all but {counted(importing.sample)}, drawn at random (seed "
            f"{importing.sample_seed})"
        )
    if dataset.excluded:
        parts.append(f"{counted(dataset.excluded)} by hand")
    return "; ".join(parts) or "none"


def _missing(dataset: Dataset, importing: ImportSettings | None) -> str:
    cells, columns = dataset.filled
    if cells:
        # Data of a notebook do not say by what.
        how = "" if importing is None else f" {filling_text(importing.missing)}"
        return f"{filled_text(cells, columns)}{how}"
    where = "" if dataset.sampled_from is None else " among the rows drawn"
    return "in rows that were left out" if dataset.left_out else f"none{where}"


def _classes(subject: Subject) -> str:
    dataset = subject.result.dataset
    if dataset.labels is None:
        return "none known"
    labels = dataset.labels
    counts = np.bincount(labels[labels >= 0], minlength=len(dataset.label_names))
    parts = [
        f"{one_line(name, 60)} ({counted(count)})"
        for name, count in zip(dataset.label_names, counts.tolist(), strict=True)
        if count
    ]
    text = _listed(parts)
    without = int((labels < 0).sum())
    return f"{text}; {counted(without)} without a class" if without else text


def _named(names: Sequence[str]) -> str:
    return f"{counted(len(names))}: {_listed(names)}"


def _listed(names: Sequence[str]) -> str:
    words = [one_line(name, 60) for name in names[:NAMED]]
    if len(names) > NAMED:
        words.append(f"… and {counted(len(names) - NAMED)} more")
    return ", ".join(words)


def _constant(dataset: Dataset) -> list[str]:
    return [
        name
        for name, extent in zip(dataset.feature_names, dataset.extents, strict=True)
        if extent == 0
    ]


def _columns(dataset: Dataset) -> Table:
    points = dataset.points
    drawn = "" if dataset.sampled_from is None else ", of the rows drawn"
    drawn += ", with the cells that were filled" if dataset.filled[0] else ""
    numbers = zip(
        points.min(axis=0),
        np.median(points, axis=0),
        points.max(axis=0),
        points.mean(axis=0),
        points.std(axis=0),
        strict=True,
    )
    return Table(
        f"Columns in the units of the data, before any scaling{drawn}",
        ("column", "smallest", "median", "largest", "mean", "standard deviation"),
        tuple(
            (
                one_line(name, 60),
                *(data_value(float(value)) for value in (low, middle, high)),
                ungrouped(float(mean)),
                ungrouped(float(spread)),
            )
            for name, (low, middle, high, mean, spread) in zip(
                dataset.feature_names, numbers, strict=True
            )
        ),
    )
