"""All that a report tells of a result; what nobody has looked at yet is computed."""

from dataclasses import dataclass, replace

from kpca_viewer.core.methods.kernel_ranking import Choice, Row
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.document.model import FileReference
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.features.columns.compute import RankedColumns
from kpca_viewer.features.columns.stages import finding_columns
from kpca_viewer.features.outliers import stages as outliers
from kpca_viewer.features.outliers.extras import ODD_LIST, ODD_ROWS
from kpca_viewer.features.random_baseline.compute import REALITY, find_reality
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
    tried : tuple of str
        What else the session knows to have been tried, a sentence each.
    """

    result: AnalysisResult
    view: ViewSettings
    file: FileReference | None = None
    choice: Choice | None = None
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
    def figure_keys(self) -> tuple[str, ...]:
        """The plots of which a report has pictures; keys of `session.plots`."""
        if self.result.linear is None:
            return ("embedding", "spectrum")
        return ("embedding", "data", "pca", "spectrum")


@dataclass(frozen=True, eq=False)
class Gathered:
    """A subject with the influence of its columns and its odd rows.

    Attributes
    ----------
    subject : Subject
        Its result has odd rows and their list, and is compared with random data.
    columns : RankedColumns or None
        By their influence on the components that are shown.
    why_no_columns : str
        One sentence where there are none.
    """

    subject: Subject
    columns: RankedColumns | None
    why_no_columns: str = ""


def gather(
    subject: Subject, should_stop: ShouldStop = never, progress: Progress = silent
) -> Gathered:
    """Compute what is still missing, in bounded time, as the pages of the window do.

    Raises
    ------
    Cancelled
    """
    cache = StageCache()
    # The page of columns may show one component; a report is about the picture.
    view = replace(
        subject.view, columns="influence", columns_of=None, column_units="spread"
    )
    settings = replace(subject.result.settings, view=view)
    result = replace(subject.result, settings=settings)
    *_, found = finding_columns(result, cache, should_stop, progress)
    check(should_stop)
    columns = None if found.measured is None else found.ranked(view)
    odd = outliers.find_odd_rows(result, cache, should_stop)
    result = result.with_extra(ODD_ROWS, odd)
    listed = outliers.find_odd_list(result, cache, should_stop, progress)
    result = result.with_extra(ODD_LIST, listed)
    reality = find_reality(result, cache, should_stop, progress)
    result = result.with_extra(REALITY, reality)
    return Gathered(replace(subject, result=result), columns, found.refusal)
