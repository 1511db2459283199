"""A report of a result: everything that a reviewer may ask for, in a fixed order."""

from collections.abc import Iterator

from kpca_viewer import __version__
from kpca_viewer.engine.text.remarks import strip_words
from kpca_viewer.export.document import (
    Block,
    Paragraph,
    Quotation,
    Report,
    Section,
)
from kpca_viewer.export.text import caption, one_line
from kpca_viewer.features.report.data_section import data_section, preparation_section
from kpca_viewer.features.report.gathering import Gathered
from kpca_viewer.features.report.kernel_section import kernel_section
from kpca_viewer.features.report.methods import REFERENCES, methods_paragraph
from kpca_viewer.features.report.provenance import code_section, versions_section
from kpca_viewer.features.report.result_sections import (
    embedding_section,
    spectrum_section,
)
from kpca_viewer.features.report.words_section import words_section


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
    yield Quotation(methods_paragraph(gathered.subject))
    for reference in REFERENCES:
        yield Paragraph(reference, is_small=True)
