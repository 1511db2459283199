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
        return f"{self.title}: {self.formula}\n{self.sentence}"


_TERMS = """\
kernel | Kernel | k(x, y) = φ(x)ᵀφ(y) |
How alike two rows are; it takes the place of their dot product.

feature_space | Feature space | x → φ(x) |
Where the kernel is a dot product and kernel PCA is ordinary PCA.

kernel_trick | Kernel trick | φ(x)ᵀφ(y) = k(x, y) |
Dot products in feature space are all that PCA needs; the kernel gives them without φ; B
counts the operations of both ways.

kernel_matrix | Kernel matrix | Kᵢⱼ = k(xᵢ, xⱼ) |
How alike every pair of rows is.

centring | Centring | K̃ = HKH, H = I − 11ᵀ/n |
Takes the mean in feature space away, so that components are about differences between
rows; without it, K stands wherever K̃ does.

component | Component (PC) | K̃ uⱼ = μⱼ uⱼ |
A direction in feature space; PC 1 is the one of largest variance.

coefficients | Coefficients | αⱼ = uⱼ / √μⱼ |
How much every row adds to a component: Σᵢ αᵢ φ̃(xᵢ) has the length 1.

variance | Variance | λⱼ = μⱼ / n |
The variance of the scores on a component.

primal_dual | Primal and dual | cov φ(X), M × M ↔ K̃/n, n × n |
Two matrices with the same eigenvalues above 0; the smaller one is the cheaper way.

signs | Signs | −uⱼ is as right as uⱼ |
Which way round a component is has no meaning; here the entry of largest size is
positive, unless it was flipped.

embedding | Embedding | zⱼ = √μⱼ uⱼ |
Where every row lies along the components on the axes: its scores.

preimage | Pre-image | φ(x) ≈ φ̄ + Σⱼ zⱼuⱼ |
Values of the columns whose feature comes near a place in the embedding; most places
have no exact one.

distance_left | Distance left | ‖φ(x) − (φ̄ + Σⱼ zⱼuⱼ)‖² |
Squared distance in feature space between a pre-image and the place that it stands for;
where more is left than of any row, the place is out of reach.

spectrum | Spectrum | μ₁ ≥ μ₂ ≥ … of K̃ |
The variance along every component, n times; how fast it falls says how many components
matter.

share | Share, explained | μⱼ / Σ|μ| |
Part of all variance in feature space that a component holds; all means every
eigenvalue, not only those that are kept.

effective_rank | Effective rank | (Σ|μ|)² / Σμ² |
As many equal eigenvalues would spread the variance as these do: 1 where one component
holds all, n where every row stands alone (n − 1 once centred).

kernel_function | Kernel function of a row | ⟨k(x, ·), k(y, ·)⟩ = k(x, y) |
How alike every place is to one row; any score is a weighted sum of such functions, and
the product of two of them is one number, the kernel of their rows.

definite | Positive semi-definite kernel | aᵀKa ≥ 0 for all a and all rows |
No kernel matrix has an eigenvalue below 0, so there is a map φ: true of all kernels
here but the sigmoid, and polynomials with c below 0 or a fractional degree.

negative_mass | Negative mass | Σ|μ| of μ below 0 / Σ|μ| |
Part of an indefinite kernel that no picture can show: directions of negative squared
length.

certificate | Certificate, error bound | |μⱼ found − μⱼ true| ≤ ε μ₁ |
“Exact to ε”: no eigenvalue shown is further from the true one; proven, unless a
probability is named, with which a sample of the rows shows it.

eckart_young | Eckart–Young | ‖K̃ − Σⱼ≤ₚ μⱼuⱼuⱼᵀ‖ = √Σⱼ>ₚ μⱼ² |
No matrix of rank p is nearer to K̃, by the Frobenius norm, than the sum of its p
largest parts, and what is left follows from the other μ.

classical_mds | Classical MDS | −½ H D² H = ZZᵀ |
Places of the rows that have the given distances D; of Euclidean distances they are the
scores of PCA and of the linear kernel.

strain | Strain | ‖K̃ − ZZᵀ‖, K̃ = −½ H D² H |
What the dot products of the places in a picture miss of those that the distances ask
for.

representation_quality | Representation quality, cos² | Σ zⱼ² / ‖φ(x) − φ̄‖² |
Part of the squared length of a row in feature space that lies in the components: 1
where they show all of it.

leverage | Leverage, T² | Σ zⱼ² / λⱼ |
How far out a row lies along the components, in units of their spread; over all rows its
mean is the number of components.

distance_to_model | Distance to the model, SPE | ‖φ(x) − φ̄‖² − Σ zⱼ² |
What the components miss of a row: its squared distance in feature space to the plane
that they span.

linear_pca | Linear PCA | k(x, y) = xᵀy |
Ordinary PCA of the same rows: a straight view, to compare with.

linear_accuracy | Line accuracy (rows) | rows given their own class / rows with
a class |
How many rows linear discriminants on the components shown assign to their class,
learned from the other four fifths of the rows; the components come from all rows, and
beside it stands the largest class: the share of rows that are of it.

balanced_accuracy | Balanced accuracy | mean over classes of (rows found / rows of the
class) |
The accuracy of linear discriminants on the components shown, learned from other rows,
in which every class counts as much: guessing gives 1 / classes however rare one of them
is.

knn_accuracy | k-NN accuracy (rows) | rows given their own class / rows with a class |
The same by a vote of the five nearest rows of the other folds.

silhouette | Silhouette | mean of (b − a) / max(a, b) |
a is the mean distance to the own class, b to the nearest other one: 1 is far apart, 0
touching, below 0 mixed.

trustworthiness | Trustworthiness | 1 − c Σ (rank in the data − 10) over intruders |
How far the ten nearest neighbours in the picture are neighbours in the data; 1 means
all of them.

continuity | Continuity | 1 − c Σ (rank in the picture − 10) over those missing |
How far the ten nearest neighbours in the data are neighbours in the picture; 1 means
all of them.

linear_agreement | Agreement with linear PCA | mean canonical correlation of both planes
|
1 where the picture is that of linear PCA, turned or stretched.

suggested | Suggested value | around γ = 1 / median ‖x − y‖², or 1 / (d var X) |
What held-out classes, or a held-out quantity, speak for; without them, structure beyond
that of independent columns, or the size of the data.

isolines | Isolines | z(x) = constant |
Along such a line every point would have the same score.

influence | Influence of a column | √ mean (∂z/∂x_f)² |
How much a score changes, at rows as they are, where one column grows: for the linear
kernel it is the loading of PCA.

noise_band | Band of random order | largest influence in up to 39 of them |
What a column has by its values alone: it has clearly more where its influence on one
component, or the correlation with it, is far beyond that of the same column in random
order.

random_data | Random data | columns permuted independently, or N(x̄, Σ) |
What is like the data in all but its structure: the same kernel shows what it makes of
nothing.

gap | Gap | widest step along a component, or between groups, over its spread |
An empty stretch with a tenth of the rows on either side at least; it means something
where few random data have one as wide.

bootstrap | Bootstrap | 95 % of the moves between 50 pairs of halves of the rows |
How far a row or an eigenvalue moves when the rows are drawn anew, as models of two
halves show it; a row that moves farther than the picture is wide is faint.

real | Real | r with μⱼ above that of 38 tables of permuted columns, for all j ≤ r |
How many of the first components have a larger eigenvalue than independent columns give.

stable | Stable for | agreement of halves ≥ 0.85, and with the picture that is taken ≥
0.85 |
Values of the parameter around the one that is taken for which two halves of the rows
show the same picture.

effect_size | Effect size | d = (x̄₁ − x̄₂) / s, pairs = P(x₁ > x₂) |
How far a column tells two groups apart: in standard deviations, and as the share of
pairs in which the first group has the larger value.

lift | Lift | k(x, y) = φ(x)ᵀφ(y) |
The plane of the data raised into a feature space, as far as three coordinates of φ or
three components show it.
"""
"""Key, title, formula and sentence of every term."""


def _term(text: str) -> Term:
    return Term(*" ".join(text.split()).split(" | ", 3))


TERMS = Registry(lambda term: term.key, map(_term, _TERMS.split("\n\n")))
"""Every term by its key, in the order in which a picture is read."""


def tip(*keys: str) -> str:
    return "\n".join(TERMS[key].tip for key in keys)
