"""The lines of the derivation: what each is called, and its formula."""

from dataclasses import dataclass, replace

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
