"""Every term that the window uses: its formula and one plain sentence, said once."""

from dataclasses import dataclass

from kpca_viewer.support.registry import Registry


@dataclass(frozen=True)
class Term:
    """A word that needs an explanation."""

    key: str
    """For a measure, the key by which a sweep knows it."""
    title: str
    formula: str
    """In the notation of the window: μ are the eigenvalues, largest first."""
    sentence: str

    @property
    def tip(self) -> str:
        """Return all of it for a tooltip."""
        return f"{self.title}: {self.formula}\n{self.sentence}"


TERMS = Registry(
    lambda term: term.key,
    (
        Term(
            "kernel",
            "Kernel",
            "k(x, y) = φ(x)ᵀφ(y)",
            "How alike two rows are; it takes the place of their dot product.",
        ),
        Term(
            "feature_space",
            "Feature space",
            "x → φ(x)",
            "Where the kernel is a dot product and kernel PCA is ordinary PCA.",
        ),
        Term(
            "kernel_matrix",
            "Kernel matrix",
            "Kᵢⱼ = k(xᵢ, xⱼ)",
            "How alike every pair of rows is.",
        ),
        Term(
            "centring",
            "Centring",
            "K̃ = HKH, H = I − 11ᵀ/n",
            "Takes the mean in feature space away, so that components are about "
            "differences between rows; without it, K stands wherever K̃ does.",
        ),
        Term(
            "component",
            "Component (PC)",
            "K̃ vⱼ = μⱼ vⱼ",
            "A direction in feature space; PC 1 is the one of largest variance.",
        ),
        Term(
            "embedding",
            "Embedding",
            "zⱼ = √μⱼ vⱼ",
            "Where every row lies along the components on the axes: its scores.",
        ),
        Term(
            "preimage",
            "Pre-image",
            "φ(x) ≈ φ̄ + Σⱼ zⱼuⱼ",
            "Values of the columns whose feature comes near a place in the embedding; "
            "most places have no exact one.",
        ),
        Term(
            "distance_left",
            "Distance left",
            "‖φ(x) − (φ̄ + Σⱼ zⱼuⱼ)‖²",
            "Squared distance in feature space between a pre-image and the place that "
            "it stands for; where more is left than of any row, the place is out of "
            "reach.",
        ),
        Term(
            "spectrum",
            "Spectrum",
            "μ₁ ≥ μ₂ ≥ … of K̃",
            "The variance along every component, n times; how fast it falls says "
            "how many components matter.",
        ),
        Term(
            "share",
            "Share, explained",
            "μⱼ / Σ|μ|",
            "Part of all variance in feature space that a component holds; all "
            "means every eigenvalue, not only those that are kept.",
        ),
        Term(
            "effective_rank",
            "Effective rank",
            "(Σ|μ|)² / Σμ²",
            "As many equal eigenvalues would spread the variance as these do: 1 "
            "where one component holds all, n where every row stands alone.",
        ),
        Term(
            "negative_mass",
            "Negative mass",
            "Σ|μ| of μ below 0 / Σ|μ|",
            "Part of an indefinite kernel that no picture can show: directions of "
            "negative squared length.",
        ),
        Term(
            "certificate",
            "Certificate, error bound",
            "|μⱼ found − μⱼ true| ≤ ε μ₁",
            "“Exact to ε”: no eigenvalue shown is further from the true one; proven, "
            "unless a probability is named, with which a sample of the rows shows it.",
        ),
        Term(
            "eckart_young",
            "Eckart–Young",
            "‖K̃ − Σⱼ≤ₚ μⱼvⱼvⱼᵀ‖ = √Σⱼ>ₚ μⱼ²",
            "No matrix of rank p is nearer to K̃, by the Frobenius norm, than the sum "
            "of its p largest parts, and what is left follows from the other μ.",
        ),
        Term(
            "classical_mds",
            "Classical MDS",
            "−½ H D² H = ZZᵀ",
            "Places of the rows that have the given distances D; of Euclidean "
            "distances they are the scores of PCA and of the linear kernel.",
        ),
        Term(
            "strain",
            "Strain",
            "‖K̃ − ZZᵀ‖, K̃ = −½ H D² H",
            "What the dot products of the places in a picture miss of those that the "
            "distances ask for.",
        ),
        Term(
            "linear_pca",
            "Linear PCA",
            "k(x, y) = xᵀy",
            "Ordinary PCA of the same rows: a straight view, to compare with.",
        ),
        Term(
            "linear_accuracy",
            "Held-out accuracy",
            "rows given their own class / rows with a class",
            "How many rows linear discriminants on the components shown assign to "
            "their class, learned from the other four fifths of the rows.",
        ),
        Term(
            "knn_accuracy",
            "k-NN accuracy",
            "rows given their own class / rows with a class",
            "The same by a vote of the five nearest rows of the other folds.",
        ),
        Term(
            "silhouette",
            "Silhouette",
            "mean of (b − a) / max(a, b)",
            "a is the mean distance to the own class, b to the nearest other one: "
            "1 is far apart, 0 touching, below 0 mixed.",
        ),
        Term(
            "trustworthiness",
            "Trustworthiness",
            "1 − c Σ (rank in the data − 10) over intruders",
            "How far the ten nearest neighbours in the picture are neighbours in "
            "the data; 1 means all of them.",
        ),
        Term(
            "continuity",
            "Continuity",
            "1 − c Σ (rank in the picture − 10) over those missing",
            "How far the ten nearest neighbours in the data are neighbours in the "
            "picture; 1 means all of them.",
        ),
        Term(
            "linear_agreement",
            "Agreement with linear PCA",
            "mean canonical correlation of both planes",
            "1 where the picture is that of linear PCA, turned or stretched.",
        ),
        Term(
            "suggested",
            "Suggested value",
            "γ = 1 / median ‖x − y‖², or 1 / (d var X)",
            "A value of the size of the data; classes are not looked at.",
        ),
        Term(
            "isolines",
            "Isolines",
            "z(x) = constant",
            "Along such a line every point would have the same score.",
        ),
        Term(
            "lift",
            "Lift",
            "k(x, y) = φ(x)ᵀφ(y)",
            "The plane of the data raised into a feature space, as far as three "
            "coordinates of φ or three components show it.",
        ),
    ),
)
"""Every term by its key, in the order in which a picture is read."""


def tip(*keys: str) -> str:
    """Return what a tooltip says about some terms."""
    return "\n".join(TERMS[key].tip for key in keys)
