"""What a result has for one page only, because nobody else asks for it."""

from kpca_viewer.session.odd_rows import measuring as odd_rows
from kpca_viewer.session.rebuilding import PAGE as REBUILD
from kpca_viewer.session.result import AnalysisResult


def lacks(result: AnalysisResult | None, page: str) -> bool:
    """Return whether a page shows something that is not in a result."""
    needed = {
        REBUILD: "rebuilding",
        odd_rows.PAGE: "odd_list",
        odd_rows.TABLE: "odd",
    }
    return page in needed and getattr(result, needed[page], None) is None
