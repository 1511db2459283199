"""What a report is about, its formats, and the sections that features make."""

from dataclasses import dataclass, replace
from pathlib import Path

from kpca_viewer.core.methods.kernel_ranking import Choice, Row
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.document.model import FileReference
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.export.document import Section
from kpca_viewer.features.registry import report_sections
from kpca_viewer.support.errors import ExportError
from kpca_viewer.support.picture_formats import either
from kpca_viewer.support.progress import Progress, ShouldStop, check, never, silent


@dataclass(frozen=True, eq=False)
class Subject:
    """What a report is about.

    Attributes
    ----------
    result : AnalysisResult
    view : ViewSettings
        Which components are shown, and what colours mean.
    file : FileReference or None
        Where the data came from, if from a file.
    choice : Choice or None
        The last search over kernels on these data, if there was one.
    taken : int or None
        Place of its row that was taken, if one was.
    tried : tuple of str
        What else the session knows to have been tried, a sentence each.
    """

    result: AnalysisResult
    view: ViewSettings
    file: FileReference | None = None
    choice: Choice | None = None
    taken: int | None = None
    tried: tuple[str, ...] = ()

    @property
    def axes(self) -> list[int]:
        return self.view.judged_axes(self.result.scores.shape[1])

    @property
    def searched(self) -> Row | None:
        """The row of the search that has this kernel; None where there is none."""
        rows = () if self.choice is None else self.choice.rows
        return next((row for row in rows if row.kernel == self.result.kernel), None)

    @property
    def is_taken(self) -> bool:
        """Whether the kernel was taken from the rows of the search."""
        if self.choice is None or self.taken is None:
            return False
        return self.choice.rows[self.taken] is self.searched

    @property
    def figure_keys(self) -> tuple[str, ...]:
        """The plots of which a report has pictures; keys of `session.plots`."""
        if self.result.linear is None:
            return ("embedding", "spectrum")
        return ("embedding", "data", "pca", "spectrum")


@dataclass(frozen=True, eq=False)
class Gathered:
    """A subject with the sections that features have made of it."""

    subject: Subject
    sections: tuple[Section, ...]


def gather(
    subject: Subject, should_stop: ShouldStop = never, progress: Progress = silent
) -> Gathered:
    """Compute what is still missing, in bounded time, as the pages of the window do.

    Raises
    ------
    Cancelled
    """
    cache = StageCache()
    settings = replace(subject.result.settings, view=subject.view)
    result = replace(subject.result, settings=settings)
    sections = []
    for make in report_sections():
        check(should_stop)
        sections.append(make(result, cache, should_stop, progress))
    return Gathered(subject, tuple(sections))


FORMATS = {"html": "HTML", "pdf": "PDF"}
"""Titles by the endings of files."""


def report_format(path: Path) -> str:
    """Return the format that the ending of a file stands for.

    Raises
    ------
    ExportError
        If it stands for none.
    """
    ending = path.suffix.lower().removeprefix(".")
    if ending not in FORMATS:
        known = either([f".{key}" for key in FORMATS])
        raise ExportError(
            f"“{path.name}” does not end in {known}; the ending chooses the format of "
            "a report."
        )
    return ending
