"""When to use kernel PCA, and when not: questions in order, each with data."""

from dataclasses import dataclass, replace

from kpca_viewer.engine.settings import (
    AnalysisSettings,
    DataSettings,
    KernelSettings,
    SessionSettings,
    Values,
)

TITLE = "When to use kernel PCA, and when not"
SHOW = "Show {what}"


@dataclass(frozen=True)
class PathStep:
    """A question, what follows from its answer, and data that show it."""

    key: str
    question: str
    answer: str
    what: str
    source: str
    kernel: KernelSettings
    page: str = "pca"
    values: Values = ()

    def settings(self, before: SessionSettings) -> SessionSettings:
        """Return the state that shows it; looks stay as they are."""
        data = replace(DataSettings.of_source(self.source), values=self.values)
        view = replace(before.view.for_source(self.source), lift="")
        if self.page == "rebuild":
            view = replace(view, rebuild="ways")
        return replace(
            before,
            data=data,
            kernel=self.kernel,
            analysis=AnalysisSettings(),
            view=view,
        )


_RINGS = KernelSettings("rbf", (("gamma", 4.0),))

PATH = (
    PathStep(
        "line",
        "1 Does a straight line do?",
        "Then use linear PCA: of Blobs it separates the classes already, and its axes "
        "are sums of columns.",
        "Blobs",
        "blobs",
        KernelSettings("linear"),
    ),
    PathStep(
        "bent",
        "2 Is one group inside another, or bent around it?",
        "Use kernel PCA with an RBF kernel: a line separates the rings after it, and "
        "not before.",
        "the rings",
        "circles",
        _RINGS,
    ),
    PathStep(
        "table",
        "3 Is it a table of many columns?",
        "Let held-out rows decide (K): often linear PCA is as good, as for Wine.",
        "Wine",
        "wine",
        KernelSettings("rbf"),
    ),
    PathStep(
        "sheet",
        "4 Is it a sheet that should be unrolled?",
        "Not by kernel PCA: of the Swiss roll it keeps neighbours about as well as "
        "linear PCA, and does not unroll it.",
        "the Swiss roll",
        "swiss_roll",
        KernelSettings("rbf"),
    ),
    PathStep(
        "columns",
        "5 Must an axis be explained by columns?",
        "Prefer linear PCA. Of kernel PCA the page Columns tells which columns move "
        "the rows along a component, and that can differ from row to row.",
        "the columns of Wine",
        "wine",
        KernelSettings("rbf"),
        "columns",
    ),
    PathStep(
        "rows",
        "6 Are there many rows?",
        "K has n² entries. Many rows are done by landmarks, with bounds on the error; "
        "with few columns linear PCA takes less.",
        "rings of 20,000 rows",
        "circles",
        _RINGS,
        values=(("samples", 20_000.0),),
    ),
    PathStep(
        "distances",
        "7 Are only distances or similarities known?",
        "Open them as a matrix: kernel PCA of distances is classical scaling. Negative "
        "eigenvalues say that no points have these distances.",
        "that PCA and scaling agree",
        "circles",
        KernelSettings("linear"),
        "rebuild",
    ),
)
