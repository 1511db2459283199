"""A subject and its pictures → the file of a report, whole or not at all."""

from dataclasses import replace
from datetime import date
from pathlib import Path

from kpca_viewer.export.document import Pictures
from kpca_viewer.features.report.formats import report_format
from kpca_viewer.features.report.gathering import Subject, gather
from kpca_viewer.features.report.html import as_html
from kpca_viewer.features.report.pdf import as_pdf
from kpca_viewer.features.report.report import report_of
from kpca_viewer.support.atomic import write_atomically
from kpca_viewer.support.progress import Progress, ShouldStop, check, never, silent


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
        content = as_html(report, pictures).encode()
    else:
        content = as_pdf(report, pictures, should_stop)
    check(should_stop)
    write_atomically(path, content)
