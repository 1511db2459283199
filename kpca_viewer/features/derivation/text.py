"""Every sentence of the derivation, with places for values."""

from dataclasses import dataclass, replace

from kpca_viewer.support.registry import Registry

# The page

NOTHING_YET = "No derivation yet"
PAGE_NAME = "Derivation"
CHECKS_NAME = "Checks of this step"
EXPLANATION_NAME = "Where the number comes from"
POINT_AT_NUMBER = (
    "Point at a number to see where it comes from. "
    "A click keeps the explanation, Escape lets it go; Ctrl+C copies the numbers."
)
KEPT = "Kept until Escape, or a click on another number."
FOLD = "the numbers of this step"
TERMS, TERMS_TIP = (
    "Terms of the sum: {terms}",
    "The terms of the sum, the largest first.",
)

COPY_TIP = "Copy all steps as LaTeX, or as NumPy code that runs"
COPY_NUMBERS, COPY_SELECTED = "Copy the numbers", "Copy the selected numbers"
COPY_ALL, COPIED_ALL = "Copy all steps as {language}", "the derivation as {language}"
STEP_BY_STEP, STEP_BY_STEP_TIP = (
    "Step by step",
    "Fold all steps but the first; Next unfolds them one by one.",
)
ALL_STEPS, ALL_STEPS_TIP = "All steps", "Unfold all steps at once."
NEXT, NEXT_TIP = "Next", "Unfold the next step  (PgDn)"

DROP, DROP_TIP = (
    "Drop a new point",
    "Put a new point into the middle of the data; its row appears here.",
)
REMOVE_POINT = "Take this new point away"
COORDINATE, COORDINATE_NAME, COORDINATE_TIP = (
    "{feature} =",
    "{feature} of {name}",
    "Move {name} to this {feature}, in the units of the data",
)
NEW = "new {number}"
COMPONENT = "PC {number}"

PITFALLS = {
    "centred": (
        "center",
        "Forget to centre",
        "Decompose K itself: the first component then mostly says where the mean is.",
    ),
    "coefficients": (
        "normalised",
        "Forget 1/√μ",
        "Take α = u: the picture is stretched by √μ along every component.",
    ),
    "new": (
        "centers_new",
        "Forget to centre the new row",
        "Take k(xᵢ, x*) as it is: new points and isolines are shifted.",
    ),
}
"""By the key of a line: a field of `AnalysisSettings`, the switch that forgets it, and
the tip of that."""

GRIDS = {
    "points": "Points",
    "kernel": "Kernel matrix",
    "means": "Means of the rows of K",
    "grand_mean": "Mean of all of K",
    "centred": "Centred matrix",
    "uncentred": "Matrix that is not centred",
    "eigenvalues": "Eigenvalues and variances",
    "vectors": "Eigenvectors",
    "coefficients": "Coefficients",
    "scores": "Scores",
    "new": "Kernel row of {name}",
    "new_scores": "Scores of {name}",
    "primal": "Eigenvalues of both ways",
    "projector": "Centring projector",
    "half": "Kernel matrix with centred columns",
    "both": "Kernel matrix with centred rows and columns",
    "diagonal": "Diagonal matrix of the eigenvalues",
    "eigenvectors": "Matrix of the eigenvectors",
    "projected": "Eigenvectors times the matrix",
}
"""What grids are called for those who cannot see them."""

# Notes

ALL_ROWS, ONLY_ROW = "all {n} rows", "the only row"
ROWS_ONE, ROWS_FIRST = "1 row", "the first {count} of {n} rows"
ROWS_SELECTED_ONE = "the selected row of {n}"
ROWS_SELECTED = "the {count} selected rows of {n}"
ROWS_FIRST_SELECTED = "the first {count} of {selected} selected rows, {n} in all"
SCALINGS = {
    "standardise": ", standardised",
    "minmax": ", scaled to the range from 0 to 1",
    "columns": ", scaled column by column",
    "": ", scaled",
}
POINTS = "{rows}; {features}{scaling}."
SELECT_OTHERS = "Select others to see them here."
CONVENTION = "{symbol} = {value} ({definition})"
INFINITE = "Feature space: infinite-dimensional"
SPACE = "Feature space: {size:,.0f}-dimensional"
GIVEN_KERNEL = "K is the matrix that was given; {rows}."
GIVEN_DISTANCES = "Kᵢⱼ = −dᵢⱼ²/2 of the distances that were given; {rows}."
ENTRIES_EQUAL = "Off the diagonal all entries{which} are {low}."
ENTRIES_RANGE = "Off the diagonal the entries{which} go from {low} to {high}."
OF_THESE_ROWS = " of these rows"
MEANS_OVER_ALL = "Over all {n} rows."
MEANS_OF_SOLVER = "As the solver has found them over {n} rows."
NOTHING_TAKEN = "Nothing is taken away: K is not centred."
ONE_POINT_MEAN = "One point is its own mean: nothing is left."
K_DECOMPOSED = "K itself is decomposed."
ONE_POINT_VARIANCE = "One point has no variance: every eigenvalue is 0."
NEGATIVE_VALUES = "{count} negative{known}: the matrix is not positive semi-definite."
OF_THOSE_KNOWN = " of those that are known"
NO_COEFFICIENTS = "No eigenvalue is above 0: every coefficient is 0."
SOME_COEFFICIENTS = (
    "{count} no eigenvalue above 0, and so no 1/√μ: coefficients and scores are 0."
)
NO_NEW_POINTS = "There is none yet."
NEW_NEEDS_KERNEL = (
    "The matrix was given: without a kernel, nothing is known of a new point."
)
NEW_NEEDS_PLANE = "A point is dropped into a plane: these data have {features}, not 2."
LAST_NEW_POINTS = "The last {shown} of {count} new points."
NEW_LEFT_OUT = "{names}: {which} in K, {why}."

# Checks

CHECKS_HOLD = "All {count} checks hold"
CHECK_FAILS = "{failed} of {count} checks does not hold"
CHECKS_FAIL = "{failed} of {count} checks do not hold"
NOT_MEASURED = "{words}; {unknown} cannot be measured."
LARGEST_DIFFERENCE = "largest difference {value}"
SEMI_DEFINITE = "{matrix} is positive semi-definite"
SMALLEST_VALUE = "smallest eigenvalue {value}"
OF_THESE_ALONE = "{words}; with this kernel other rows can have negative ones"
LARGEST_ROW_SUM = "largest row sum {value}"
LARGEST_SUM = "largest sum {value}"
LARGEST_PRODUCT = "largest product {value}"
TOO_MANY_ROWS = "not measured: {n} rows are too many"
TOO_NEAR_ZERO = "not measured: μ is too near 0 beside its error"
TRACES, BUT_FOR = "{total} and {trace}", "{value} but for {difference}"
PART_OF_TRACE = (
    "the first {count} of {n} eigenvalues sum to {total}{part}; tr {matrix} = {trace}"
)
PART_OF_IT = ", {share} of it"
POSITIVE_VALUES, AMONG_KNOWN = "{count} with μ > 0{among}", " among the {count} known"
MOST_COMPONENTS = "at most {symbol} = {count} components"
ORTHOGONAL = "zᵢᵀzⱼ = 0 for i ≠ j"
INSTEAD_OF = "{value} instead of {expected}"

# Primal beside dual

MAP = "φ(x) = ({coordinates})"
PRIMAL_COST, DUAL_COST = "Primal: {cost}", "Dual: {cost}"
COST = (
    "{symbol} = {size}, a {size} × {size} matrix, {operations} multiplications "
    "({filling} to fill it, about {symbol}³ = {solving} to solve)."
)
EQUAL_COST = "Both take as many."
PRIMAL_CHEAPER = "The primal way takes fewer here."
DUAL_CHEAPER = "The dual way takes fewer here."
SAME_EIGENVALUES = (
    "Both have the same eigenvalues; the largest difference is {difference}."
)
OTHER_EIGENVALUES = "They differ by up to {difference}."
NO_MAP_OF_MATRIX = "The matrix was given: nothing is known of a map φ behind it."
INFINITE_SPACE = "The feature space of the {kernel} kernel is infinite-dimensional."
LARGE_WEIGHTS = "The weights of φ are too large for a number; scale the data."
MANY_COORDINATES = "φ has {count} coordinates; up to {most} of them are written out."
MANY_ROWS = "There are {n} rows; both ways are compared for up to {most}."
BOTH_WAYS = "Eigenvalue {number} by both ways"
BOTH_VALUES = (
    "{primal:.15g} of the covariance of φ(X)",
    "{dual:.15g} of {matrix}",
    "Rounding and bounds allow a difference of {error}.",
)

# The same in matrices

SYMBOLS = {
    "projector": "H",
    "half": "HK",
    "both": "HKH",
    "diagonal": "D",
    "eigenvectors": "V",
    "projected": "Vᵀ{matrix}",
}
ABOUT_MATRICES = {
    "projector": "H = I − 1ₙ has 1 − 1/{n} on the diagonal and −1/{n} beside it.",
    "half": "A row of H times a column of K:",
    "both": "A row of HK times a column of H:",
    "diagonal": "The eigenvalues μ in order, and 0 beside them.",
    "eigenvectors": "The unit vectors u, one a column.",
    "projected": "A row of Vᵀ times a column of the matrix:",
}
OVER_ROOT = "Divided by √μ = {root} it is the score {score} of the row."
MATRICES_OF_FEW = "Written out where all rows are, up to 8 of them."
PROJECTED_TWICE = (
    "HKH = (I − 1ₙ)K(I − 1ₙ) is K̃ of above; the largest difference is {difference}."
)
DECOMPOSED = "{matrix} = VDVᵀ; the largest difference is {difference}."
NULL_SPACE = (
    "{matrix}²a = nλ{matrix}a holds for every u (largest difference {difference}), and "
    "still for u + b with {matrix}b = 0: such b ({size} of {n} dimensions) change no "
    "score."
)

# Explanations of single numbers

VALUE_OF_ROW = "{feature} of row {name} is {value}"
VALUE_SCALED = "scaled, as the kernel sees it: {value}"
OTHER_TERMS = "{count} others"
AS_GIVEN = "As it was given."
DISTANCE_ENTRY = "−d²/2 = −{distance}²/2 = {entry}"
REST_OF_FEATURES = "… stands for the rest of {d} features."
SCALED_PAIR = "x and y are the scaled values that the kernel sees."
ROW_MEAN = "Mean of row {name} = {mean}"
ROW_MEAN_OVER = "The mean of row {name} of K over all {n} columns."
MEAN_OF_SOLVER = "Of so many rows, the mean is the one that the solver has found."
GRAND_MEAN = "Grand mean = {mean}"
GRAND_MEAN_OVER = "The mean of all {n} × {n} entries of K, and of its {n} row means."
K_FOR_CENTRED = "K is not centred: K takes the place of K̃."
MEAN_OF_ROW, MEAN_OF_NEW, PLUS_GRAND_MEAN = (
    "mean of row {name}",
    "mean of k(xᵢ, x*)",
    "+ grand mean",
)
FOUR_TERMS = "{entry} − {first} − {second} + grand mean"
STRETCHES = "{matrix}u = μu: {matrix} makes the vector u{j} {mu} times as long."
VARIANCE = "λ{j} = μ/n = {mu} / {n} = {variance}, the variance along PC {number}."
MEAN_SQUARE = "λ{j} = μ/n = {mu} / {n} = {variance}, the mean square along PC {number}."
SHARE = "Its share is {share}."
CERTAIN = "Certain to ±{bound}."
NO_VARIANCE = "PC {number} has no variance: its scores are 0."
NEGATIVE_VALUE = (
    "It is negative: K is not positive semi-definite, √μ does not exist, and PC "
    "{number} has no scores."
)
VECTOR = "u{j} of row {name} = {value}"
VECTOR_ENTRY = "The entry of row {name} in the unit vector u{j} with {matrix}u = μu."
VECTOR_LENGTH = "‖u{j}‖ = {length} over {rows}."
ANY_VECTOR = (
    "μ{j} = 0: every vector with {matrix}u = 0 is as right, and none of them says "
    "anything about the data."
)
ANY = "any"
TURNED_VECTORS = "{equal}: turned among themselves, these u are as right."
OTHER_SIGN = "−u{j} is as right."
COEFFICIENT = "α{j} of row {name} = {value}"
FORGOTTEN_ROOT = "1/√μ is forgotten: α{j} = u{j} = {u}."
RIGHT_COEFFICIENT = "Right would be u/√μ = {u} / {root} = {right}."
NO_ROOT = "μ{j} = {mu} has no 1/√μ: α{j} is 0."
ROOT = "u/√μ = {u} / {root} = {value}"
LENGTH_ONE = "so that the direction Σᵢ αᵢ φ̃(xᵢ) in feature space has the length 1."
SCORE = "z{j} of row {name} = {value}"
SUM = "z{j} = Σᵢ αᵢ {term}, over {rows}."
NO_SCORE = "μ{j} is not above 0: every α is 0, and so is the score."
TOTAL = "The sum is {total}."
WINDOW_SHOWS = (
    "The window shows {score}: the model of many rows knows the sum to its own digits."
)
NEW_NOT_CENTRED = "K is not centred, and so the new row is not."
NEW_FORGOTTEN = "The centring of the new row is forgotten."
TRAINING_MEANS = "Row mean and grand mean are those of the training rows."
NEW_SCORE = "z{j} of the new point = {value}"

# The lines


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
        if self.key == "matrices":
            return replace(
                self,
                formula=r"K=VDV^\top,\quad Z^\top=D^{-1/2}\,V^\top K",
                plain="K = VDVᵀ, Zᵀ = D^(−1/2) VᵀK",
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
        LineFacts(
            "matrices",
            "In matrices",
            r"\tilde K=HKH=VDV^\top,\quad H=I-1_n,\quad "
            r"Z^\top=D^{-1/2}\,V^\top\tilde K",
            "K̃ = HKH = VDVᵀ, H = I − 1ₙ, Zᵀ = D^(−1/2) VᵀK̃",
            "All steps at once, as products of matrices.",
        ),
    ),
)
"""Every line by its key, in the order in which they are derived."""
