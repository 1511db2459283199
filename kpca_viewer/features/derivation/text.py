"""What is said about the numbers of a line: counts, formulas, what is missing."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from kpca_viewer.engine.text.few_points import about_equal
from kpca_viewer.features.derivation.checks import Check
from kpca_viewer.features.derivation.compute import Derivation
from kpca_viewer.support.numerals import as_it_is, counted
from kpca_viewer.support.registry import Registry


@dataclass(frozen=True)
class LineFacts:
    """One line, whatever its numbers are."""

    key: str
    title: str
    formula: str
    """In LaTeX."""
    plain: str
    """The same in Unicode, for those who cannot see it."""
    about: str
    """What the step does, in one sentence."""

    @property
    def without_centring(self) -> "LineFacts":
        """The line where K takes the place of K̃."""
        if self.key == "centred":
            return replace(
                self,
                title="Not centred",
                formula="K",
                plain="K",
                about="Centring is left out: K itself is decomposed.",
            )
        formula = self.formula.replace(r"\tilde K", "K").replace(r"\tilde k", "k")
        formula = formula.replace(r"\tilde\varphi", r"\varphi")
        plain = self.plain.replace("\N{COMBINING TILDE}", "")
        about = self.about
        if self.key == "means":
            about = "What centring would take away."
        elif self.key == "new":
            about = "One more row of the kernel."
        return replace(self, formula=formula, plain=plain, about=about)


LINES = Registry(
    lambda line: line.key,
    (
        LineFacts(
            "points",
            "Points",
            r"X=(x_1,\,\dots,\,x_n)^\top",
            "X = (x₁, …, xₙ)ᵀ",
            "The rows as the kernel sees them.",
        ),
        LineFacts(
            "kernel",
            "Kernel matrix",
            r"K_{ij}=k(x_i,x_j)",
            "Kᵢⱼ = k(xᵢ, xⱼ)",
            "How alike every pair of rows is.",
        ),
        LineFacts(
            "means",
            "Means",
            r"\bar K_i=\frac{1}{n}\sum_j K_{ij},\quad"
            r"\bar K=\frac{1}{n}\sum_i\bar K_i",
            "K̄ᵢ = Σⱼ Kᵢⱼ / n, K̄ = Σᵢ K̄ᵢ / n",
            "What centring takes away.",
        ),
        LineFacts(
            "centred",
            "Centred matrix",
            r"\tilde K_{ij}=K_{ij}-\bar K_i-\bar K_j+\bar K",
            "K̃ = K − 1K/n − K1/n + 1K1/n², entry by entry Kᵢⱼ − K̄ᵢ − K̄ⱼ + K̄",
            "The same products, taken from the mean in feature space.",
        ),
        LineFacts(
            "eigen",
            "Eigenvalues",
            r"\tilde K u=\mu u,\quad \lambda=\mu/n",
            "K̃u = μu, λ = μ/n",
            "Directions that the matrix only stretches, the longest first.",
        ),
        LineFacts(
            "coefficients",
            "Coefficients",
            r"\alpha=u/\sqrt{\mu}",
            "α = u/√μ",
            "How much every row weighs in a direction of length one.",
        ),
        LineFacts(
            "scores",
            "Scores",
            r"z=\tilde K\alpha",
            "z = K̃α",
            "Where the rows lie along the components: the embedding.",
        ),
        LineFacts(
            "new",
            "New points",
            r"z(x^{*})=\sum_i\alpha_i\,\tilde k(x_i,x^{*})",
            "z(x*) = Σᵢ αᵢ k̃(xᵢ, x*)",
            "One more row, centred by the means of the rows above.",
        ),
        LineFacts(
            "primal",
            "Primal beside dual",
            r"\frac{1}{n}\sum_i\tilde\varphi(x_i)\,\tilde\varphi(x_i)^\top"
            r"\quad\leftrightarrow\quad\frac{1}{n}\tilde K",
            "(1/n) Σᵢ φ̃(xᵢ) φ̃(xᵢ)ᵀ ↔ K̃/n",
            "The same eigenvalues from the covariance in feature space.",
        ),
    ),
)
"""Every line by its key, in the order in which they are derived."""


_SCALED = {
    "standardise": "standardised",
    "minmax": "scaled to the range from 0 to 1",
}


def notes_of(derivation: Derivation, selected: int) -> dict[str, str]:
    """Return a sentence for the lines that need one, by their keys.

    Parameters
    ----------
    selected : int
        How many rows are selected.
    """
    return {
        "points": _of_points(derivation, selected),
        "kernel": _of_kernel(derivation, selected),
        "means": _of_means(derivation),
        "centred": _of_centred(derivation),
        "eigen": _of_eigenvalues(derivation),
        "coefficients": _of_coefficients(derivation),
    }


def rows_text(derivation: Derivation, selected: int) -> str:
    """Return which rows are written out: "the first 6 of 400 rows"."""
    n, shown = derivation.n, len(derivation.rows)
    if derivation.is_whole:
        return "1 row" if n == 1 else f"all {counted(n)} rows"
    if not selected:
        return f"the first {shown} of {counted(n)} rows"
    if selected == shown:
        rows = "the selected row" if shown == 1 else f"the {shown} selected rows"
        return f"{rows} of {counted(n)}"
    return (
        f"the first {shown} of {counted(selected)} selected rows, {counted(n)} in all"
    )


def checks_text(checks: Sequence[Check]) -> str:
    """Say how many checks hold: "All 17 checks hold."."""
    told = [check.holds for check in checks if check.holds is not None]
    failed, unknown = told.count(False), len(checks) - len(told)
    words = f"All {len(told)} checks hold"
    if failed:
        words = (
            f"{failed} of {len(told)} checks {'does' if failed == 1 else 'do'} not hold"
        )
    return f"{words}; {unknown} cannot be measured." if unknown else f"{words}."


def _of_points(derivation: Derivation, selected: int) -> str:
    d = derivation.d
    features = "1 feature" if d == 1 else f"{counted(d)} features"
    words = f"{rows_text(derivation, selected)}; {features}"
    if derivation.is_scaled:
        how = derivation.result.scaler.how
        words += f", {_SCALED.get(how, 'scaled')}"
    return _sentence(words)


def _of_kernel(derivation: Derivation, selected: int) -> str:
    result = derivation.result
    if result.kernel is not None:
        return f"{result.kernel.plain_formula()}{_off_the_diagonal(derivation)}"
    given = "K is the matrix that was given"
    if result.dataset.kind == "distances":
        given = "Kᵢⱼ = −dᵢⱼ²/2 of the distances that were given"
    return f"{given}; {rows_text(derivation, selected)}."


def _off_the_diagonal(derivation: Derivation) -> str:
    """Say how alike different rows are: all 1 for γ → 0, all 0 for γ → ∞."""
    K = derivation.kernel_block
    others = K[~np.eye(len(K), dtype=bool)]
    if not others.size:
        return ""
    low, high = (as_it_is(float(value)) for value in (others.min(), others.max()))
    which = "" if derivation.is_whole else " of these rows"
    if low == high:
        return f"\nOff the diagonal all entries{which} are {low}."
    return f"\nOff the diagonal the entries{which} go from {low} to {high}."


def _of_means(derivation: Derivation) -> str:
    n = counted(derivation.n)
    words = "" if derivation.is_whole else f"Over all {n} rows."
    if derivation.means_are_of_the_model:
        words = f"As the solver has found them over {n} rows."
    if not derivation.center:
        words = "Nothing is taken away: K is not centred."
    return words


def _of_centred(derivation: Derivation) -> str:
    if derivation.n == 1:
        return "One point is its own mean: nothing is left."
    return "" if derivation.center else "K itself is decomposed."


def _of_eigenvalues(derivation: Derivation) -> str:
    negative = int((derivation.eigenvalues < -_noise(derivation)).sum())
    if derivation.n == 1 and derivation.center:
        return "One point has no variance: every eigenvalue is 0."
    if nothing := about_equal(derivation.result):
        return f"{nothing}."
    if not negative:
        return ""
    found = derivation.result.decomposition
    if found.complete:
        negative = int((found.spectrum < -_noise(derivation)).sum())
    are = "eigenvalue is" if negative == 1 else "eigenvalues are"
    known = "" if found.complete else " of those that are known"
    return (
        f"{counted(negative)} {are} negative{known}: the matrix is not positive "
        "semi-definite."
    )


def _of_coefficients(derivation: Derivation) -> str:
    noise = _noise(derivation)
    without = int((derivation.eigenvalues <= noise).sum())
    if not without:
        return ""
    if without == derivation.k:
        return "No eigenvalue is above 0: every coefficient is 0."
    are = "component has" if without == 1 else "components have"
    return (
        f"{counted(without)} {are} no eigenvalue above 0, and so no 1/√μ: "
        "coefficients and scores are 0."
    )


def _noise(derivation: Derivation) -> float:
    """Return below which size an eigenvalue may be 0."""
    return float(derivation.errors.eigenvalues.max(initial=0.0))


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."
