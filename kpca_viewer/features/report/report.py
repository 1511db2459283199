"""A report of a result: everything that a reviewer may ask for, in a fixed order."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

from kpca_viewer import __version__
from kpca_viewer.engine.text.glossary import TERMS
from kpca_viewer.engine.text.remarks import strip_words
from kpca_viewer.export.document import (
    Block,
    Facts,
    Paragraph,
    Pictures,
    Quotation,
    Report,
    Section,
)
from kpca_viewer.export.page import NAMES, PICTURES, notebook_html
from kpca_viewer.export.text import caption, one_line
from kpca_viewer.features.report.data_section import data_section, preparation_section
from kpca_viewer.features.report.html import as_html
from kpca_viewer.features.report.kernel_section import kernel_section
from kpca_viewer.features.report.methods import (
    code_section,
    methods_paragraph,
    references,
    versions_section,
)
from kpca_viewer.features.report.result_sections import (
    embedding_section,
    known_scores,
    spectrum_section,
)
from kpca_viewer.features.report.subject import Gathered, Subject, gather, report_format
from kpca_viewer.support.atomic import write_atomically
from kpca_viewer.support.progress import Progress, ShouldStop, check, never, silent


def report_of(gathered: Gathered) -> Report:
    """Return the report; its pictures are given beside it."""
    subject = gathered.subject
    result = subject.result
    return Report(
        f"Kernel PCA of {one_line(result.dataset.name, 120)}",
        caption(result),
        f"kpca_viewer {__version__}",
        (
            Section("Methods", tuple(_methods(gathered))),
            embedding_section(subject),
            data_section(subject),
            preparation_section(subject),
            kernel_section(subject),
            spectrum_section(subject),
            *gathered.sections,
            words_section(gathered),
            versions_section(),
            code_section(subject),
        ),
    )


def _methods(gathered: Gathered) -> Iterator[Block]:
    if warning := strip_words(gathered.subject.result):
        yield Paragraph(f"Steps were changed on purpose: {warning}.")
    paragraph = methods_paragraph(gathered.subject)
    yield Quotation(paragraph)
    for reference in references(paragraph):
        yield Paragraph(reference, is_small=True)


def words_section(gathered: Gathered) -> Section:
    """Return the section that explains the measures of a report."""
    terms = (TERMS[key] for key in _keys(gathered))
    words = tuple((term.title, f"{term.formula}. {term.sentence}") for term in terms)
    return Section("Words", (Facts(words),))


def _keys(gathered: Gathered) -> Iterator[str]:
    result = gathered.subject.result
    if gathered.subject.searched is not None:
        yield from ("real", "stable")
    yield "effective_rank"
    yield from known_scores(result)
    for section in gathered.sections:
        yield from section.terms


def write_report(
    path: Path,
    subject: Subject,
    pictures: Pictures,
    should_stop: ShouldStop = never,
    progress: Progress = silent,
) -> None:
    """Compute what is missing, and write the file; on any thread.

    Parameters
    ----------
    pictures : mapping of str to Picture
        By `Subject.figure_keys`.

    Raises
    ------
    ExportError
        In one sentence; the old file is as it was.
    Cancelled
    """
    kind = report_format(path)
    check(should_stop)
    report = report_of(gather(subject, should_stop, progress))
    report = replace(report, written=date.today().isoformat())
    progress("writing the report", None)
    if kind == "html":
        # Names of rows stay here: nothing was chosen to leave.
        embedding = notebook_html(subject.result, without=(NAMES, PICTURES))
        content = as_html(report, pictures, embedding=embedding).encode()
    else:
        # Imported on first use: nothing else here brings Qt along.
        from kpca_viewer.features.report.pdf import as_pdf

        content = as_pdf(report, pictures, should_stop)
    check(should_stop)
    write_atomically(path, content)
