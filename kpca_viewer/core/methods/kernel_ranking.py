"""What a search over kernels gives back, as frozen values.

Which kernels a search tries, and between which values.

The simplest setting within one standard error of the best, and all lines in order.

Simple means: linear before curved, a kernel that is always definite before one that is
not, then fewer components, then a smoother kernel.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Literal

import numpy as np

from kpca_viewer.core.estimator.keywords import as_keywords
from kpca_viewer.core.kernels.family import KernelFamily, Parameter
from kpca_viewer.core.kernels.kernel import FAMILIES, Kernel, suggested_values
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import KernelError
from kpca_viewer.support.html import html_table

if TYPE_CHECKING:
    from sklearn.base import TransformerMixin
    from sklearn.pipeline import Pipeline

Values = tuple[tuple[str, float], ...]

Evidence = Literal["classes", "target", "structure"]
"""What settings are compared by: held-out balanced accuracy, held-out R², or, without
either, the part of the spectrum that independent columns do not have."""


@dataclass(frozen=True)
class Line:
    """A kernel with all values but one: those of that one lie on a line."""

    family: str
    fixed: Values = ()
    """Pairs (name, value), sorted."""
    scanned: str | None = None
    """The parameter that is varied; None for a kernel that has none."""

    def kernel(self, value: float | None) -> Kernel:
        values = dict(self.fixed)
        if self.scanned is not None and value is not None:
            values[self.scanned] = value
        return Kernel(self.family, **values)

    @property
    def is_linear(self) -> bool:
        return self.family == "linear"

    @property
    def symbol(self) -> str:
        """What the varied parameter is called in formulas."""
        known = FAMILIES[self.family].parameters
        return next((p.symbol for p in known if p.name == self.scanned), "")


@dataclass(frozen=True, eq=False)
class Tried:
    """One value of a line, and the evidence for it; None where it was not asked."""

    line: Line
    value: float | None
    scores: Array = field(default_factory=lambda: np.empty(0), repr=False)
    """Shape (k,). Mean score of 1 … k components."""
    errors: Array = field(default_factory=lambda: np.empty(0), repr=False)
    """Shape (k,). One standard error of each."""
    by_fold: Array = field(default_factory=lambda: np.empty((0, 0)), repr=False)
    """Shape (folds · repeats, k). The scores that these are the means of."""
    real: int | None = None
    """Components beyond those of independent columns."""
    energy: float | None = None
    """Part of the trace by which these exceed them."""
    stability: float | None = None
    """How alike the pictures of two halves of the rows are, 0 … 1."""
    seconds: float = 0.0
    refusal: str = ""
    """Why there is no score, in one sentence."""

    @cached_property
    def best(self) -> int:
        """How many components score highest, less one; there is a score."""
        return int(np.argmax(self.scores))

    @cached_property
    def simplicity(self) -> float:
        """A number that is smaller for the smoother of two kernels of a line."""
        return simplicity(self.line, self.value)


@dataclass(frozen=True, eq=False)
class Row:
    """The setting that a line would be defended with."""

    line: Line
    value: float | None
    components: int
    score: float
    error: float
    real: int | None = None
    stability: float | None = None
    stable: tuple[float, float] | None = None
    """Values of the line between which the picture persists."""
    seconds: float = 0.0
    """What one fit on all rows takes."""
    tried: tuple[Tried, ...] = field(default=(), repr=False)
    """All values of the line, in ascending order."""
    refined: bool = True
    """Whether values around the best were tried; not where the line is clearly worse
    than another one, or has one value only."""

    @property
    def kernel(self) -> Kernel:
        return self.line.kernel(self.value)


@dataclass(frozen=True, eq=False)
class Choice:
    """Rows from the one to take to the one to leave.

    The first is the simplest within one standard error of the best: linear before
    curved, fewer components, smaller γ.
    """

    evidence: Evidence
    rows: tuple[Row, ...]
    best: int = 0
    """Place of the row whose line has the highest score."""
    highest: tuple[float | None, float, float] | None = None
    """That score: at which value of the line, how high, its error. The row itself has
    it, but the first one, which may be a simpler setting."""
    chance: float | None = None
    """Balanced accuracy of guessing."""
    folds: int = 0
    repeats: int = 0
    seed: int = 0
    n: int = 0
    """Rows that scores are of."""
    rules: tuple[tuple[str, float], ...] = ()
    """What cheap rules say about γ of the RBF kernel: pairs (name, value)."""
    notes: tuple[str, ...] = ()
    """What could not be asked, a sentence each."""
    is_complete: bool = True
    corrected: float | None = None
    """Mean score of what the same rule chooses by the other folds: the score of
    the first row without what having been chosen by it adds."""
    luck: float | None = None
    """Part of the tables of independent columns that have as much structure."""
    make_scaling: "Callable[[], TransformerMixin] | None" = None
    """Makes the step that scaled the rows, as often as it had to be learnt; None for
    rows as they were."""

    def __repr__(self) -> str:
        words = f"{len(self.rows)} kernels by {self.evidence}"
        if not self.rows:
            return f"<Choice of {words}>"
        row = self.chosen
        return (
            f"<Choice of {words}: {row.kernel!r}, {row.components} components, "
            f"score {row.score:.3f} ± {row.error:.3f}>"
        )

    def _repr_html_(self) -> str:
        titles = ("kernel", "components", "score", "± one standard error")
        return html_table(
            titles,
            [(repr(r.kernel), r.components, r.score, r.error) for r in self.rows],
        )

    def pipeline(self) -> "Pipeline":
        """Return what was chosen, for raw rows: scaling and `KernelPCA`, not fitted."""
        from sklearn.pipeline import make_pipeline

        from kpca_viewer.core.estimator.kernel_pca import KernelPCA

        row = self.chosen
        model = KernelPCA(
            row.components, kernel=row.line.family, **as_keywords(row.kernel.values)
        )
        before = [] if self.make_scaling is None else [self.make_scaling()]
        return make_pipeline(*before, model)

    @property
    def chosen(self) -> Row:
        return self.rows[0]


LINEAR = "linear"
"""Always a candidate: what is as good without any curve is to be preferred."""

DIGITS = 3
"""Of every value that is tried: what is shown is what was computed with."""


def lines(families: Iterable[str] | None = None) -> tuple[Line, ...]:
    """Return the lines of some kernels, or of all; linear PCA is among them."""
    wanted = tuple(FAMILIES) if families is None else tuple(families)
    for name in wanted:
        if name not in FAMILIES:
            raise KernelError(
                f"There is no kernel “{name}”; choose one of {', '.join(FAMILIES)}."
            )
    names = dict.fromkeys((LINEAR, *wanted))
    return tuple(line for name in names for line in _lines_of(FAMILIES[name]))


def _lines_of(family: KernelFamily) -> Iterable[Line]:
    scanned = scanned_parameter(family)
    settled = [p for p in family.parameters if p is not scanned and _few_values(p)]
    pairs = [[(p.name, float(value)) for value in _few_values(p)] for p in settled]
    for values in product(*pairs):
        fixed: Values = tuple(sorted(values))
        yield Line(family.name, fixed, None if scanned is None else scanned.name)


def scanned_parameter(family: KernelFamily) -> Parameter | None:
    """Return what is varied: what follows the data, else what matters most."""
    follows = next((p for p in family.parameters if p.follows), None)
    if (
        follows is not None
        or family.main_parameter is None
        or _few_values(family.main_parameter)
    ):
        return follows
    return family.main_parameter


def _few_values(parameter: Parameter) -> tuple[float, ...]:
    """Return all values of a parameter that make a kernel of their own."""
    if parameter.scale == "choice":
        return parameter.choices
    if parameter.scale == "integer":
        # The least is no curve yet; beyond the default, rows far out drown the rest.
        return tuple(range(int(parameter.low) + 1, int(parameter.default) + 1))
    return ()


def parameter_of(line: Line) -> Parameter | None:
    known = FAMILIES[line.family].parameters
    return next((p for p in known if p.name == line.scanned), None)


def coarse_values(line: Line, X: Array, steps: int) -> tuple[float | None, ...]:
    """Return the values of a line that are tried first, in ascending order.

    ``X`` (n, d): what the kernel sees; suggests the middle.
    """
    parameter = parameter_of(line)
    if parameter is None:
        return (None,)
    suggested = suggested_values(line.family, X).get(parameter.name)
    if suggested is None and parameter.scale != "log":
        values = np.linspace(parameter.low, parameter.high, steps)
    elif suggested is None:
        values = np.geomspace(parameter.low, parameter.high, steps)
    else:
        reach = parameter.reach
        values = np.geomspace(suggested / reach, suggested * reach, steps)
    return tuple(dict.fromkeys(_short(float(value)) for value in values))


def between(line: Line, one: float, other: float) -> float:
    parameter = parameter_of(line)
    if parameter is not None and parameter.scale == "log":
        return _short((one * other) ** 0.5)
    return _short((one + other) / 2)


def simplicity(line: Line, value: float | None) -> float:
    """Return a number that is smaller for the smoother of two kernels of a line."""
    parameter = parameter_of(line)
    if parameter is None or value is None:
        return 0.0
    return -value if parameter.follows == "length" else value


def _short(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


@dataclass(frozen=True, eq=False)
class Peak:
    """The highest score among some settings."""

    tried: Tried
    score: float
    error: float

    @property
    def floor(self) -> float:
        return self.score - self.error


def peak(tried: Iterable[Tried]) -> Peak | None:
    """Return the highest score of all; of equal ones, that of the smoothest kernel."""
    found: Peak | None = None
    for one in sorted(tried, key=lambda one: one.simplicity):
        if not len(one.scores):
            continue
        k = one.best
        if found is None or one.scores[k] > found.score:
            found = Peak(one, float(one.scores[k]), float(one.errors[k]))
    return found


def by_line(tried: Iterable[Tried]) -> dict[Line, tuple[Tried, ...]]:
    """Return the settings of every line, in ascending order of their values."""
    found: dict[Line, list[Tried]] = {}
    for one in tried:
        found.setdefault(one.line, []).append(one)
    return {
        line: tuple(sorted(those, key=lambda one: one.value or 0.0))
        for line, those in found.items()
    }


def clearly_worse(one: Peak, best: Peak) -> bool:
    """Whether a line ends below the best by more than one standard error of either."""
    return one.score + one.error < best.floor


def ranked(tried: Sequence[Tried], refined: Iterable[Line] = ()) -> tuple[Row, ...]:
    """Return a row for every line that has a score, the one to take first.

    ``refined``: those of which values around the best were tried.
    """
    best = peak(tried)
    if best is None:
        return ()
    finer = set(refined)
    enough: list[Row] = []
    others: list[Row] = []
    for line, those in by_line(tried).items():
        own = peak(those)
        if own is None:
            continue
        is_enough = own.score >= best.floor
        row = _simplest(those, best.floor if is_enough else own.floor, line in finer)
        (enough if is_enough else others).append(row)
    enough.sort(key=_plainness)
    others.sort(key=lambda row: -row.score)
    return (*enough, *others)


def _plainness(row: Row) -> tuple[bool, bool, int, float]:
    """Return what rows that are as good as the best are put in order by."""
    return not row.line.is_linear, not row.kernel.psd, row.components, -row.score


def _simplest(tried: tuple[Tried, ...], least: float, refined: bool) -> Row:
    components, _, place = min(
        (k, one.simplicity, place)
        for place, one in enumerate(tried)
        for k in (np.flatnonzero(one.scores >= least) + 1).tolist()
    )
    return _row(tried[place], components, tried, refined)


def _row(one: Tried, components: int, tried: tuple[Tried, ...], refined: bool) -> Row:
    return Row(
        one.line,
        one.value,
        components,
        float(one.scores[components - 1]),
        float(one.errors[components - 1]),
        one.real,
        one.stability,
        seconds=one.seconds,
        tried=tried,
        refined=refined,
    )


def place_of_best(rows: Sequence[Row]) -> int:
    """Return which row's line has the highest score; of equal ones, the first."""
    tops = [-np.inf if (top := peak(row.tried)) is None else top.score for row in rows]
    return int(np.argmax(tops)) if tops else 0


def at_peak(row: Row) -> Row:
    """Return the setting of a line that scores highest; the row itself if it does."""
    top = peak(row.tried)
    if top is None or row.score >= top.score:
        return row
    components = top.tried.best + 1
    return _row(top.tried, components, row.tried, row.refined)
