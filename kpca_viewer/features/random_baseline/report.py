"""What a report tells of groups, beside random data."""

from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.export.document import Paragraph, Section
from kpca_viewer.features.random_baseline.compute import find_reality
from kpca_viewer.features.random_baseline.text import explanation, summary
from kpca_viewer.support.progress import Progress, ShouldStop

TITLE = "Groups and random data"


def section(
    result: AnalysisResult,
    cache: StageCache,
    should_stop: ShouldStop,
    progress: Progress,
) -> Section:
    found = find_reality(result, cache, should_stop, progress)
    if found.compared is None:
        return Section(TITLE, (Paragraph(found.refusal),))
    told = summary(found, result.settings.view.null, result.dataset.n)
    measured = " ".join(explanation(found.compared).split("\n"))
    return Section(TITLE, (Paragraph(told), Paragraph(measured, is_small=True)))
