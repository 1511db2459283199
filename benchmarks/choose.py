"""The search over kernels against GridSearchCV over a pipeline of scikit-learn.

*grid* tries the same settings on the same folds with both, *sets* compares what
`choose` takes with the best of a fine grid.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import (
    load_breast_cancer,
    load_digits,
    load_iris,
    load_wine,
    make_circles,
    make_classification,
    make_moons,
    make_swiss_roll,
)
from sklearn.decomposition import KernelPCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks.rounds import measured
from benchmarks.spread import paired_ratio, rounded, spread, written
from kpca_viewer import choose
from kpca_viewer.core.kernels.kernel import suggested_values
from kpca_viewer.core.methods.kernel_prediction import (
    FOLDS,
    ByPrediction,
    HeldOut,
    held_out_classes,
)
from kpca_viewer.core.methods.kernel_ranking import Line
from kpca_viewer.data.preparation import Scaler
from kpca_viewer.engine.choice_note import kernel_words
from kpca_viewer.features.kernel_search.choose import fold_classes, fold_target
from kpca_viewer.support.threads import one_blas_thread

Array = NDArray[Any]

ROWS, COLUMNS = 2000, 10
COMPONENTS = 10
RBF = Line("rbf", scanned="gamma")


@dataclass(frozen=True)
class Set:
    """Data with classes or a target."""

    make: Callable[[], tuple[Array, Array]]
    is_classes: bool = True

    def held_out(self, y: Array, repeats: int) -> HeldOut:
        """Return the folds that both sides are given."""
        deal = fold_classes if self.is_classes else fold_target
        found = deal(y, FOLDS, repeats, 0).held_out
        assert found is not None
        return found


def _some_digits() -> tuple[Array, Array]:
    X, y = load_digits(return_X_y=True)
    return X[:500], y[:500]


SETS = {
    "iris": Set(lambda: load_iris(return_X_y=True)),
    "wine": Set(lambda: load_wine(return_X_y=True)),
    "breast cancer": Set(lambda: load_breast_cancer(return_X_y=True)),
    "digits, 500": Set(_some_digits),
    "circles": Set(lambda: make_circles(400, factor=0.3, noise=0.05, random_state=0)),
    "moons": Set(lambda: make_moons(400, noise=0.15, random_state=0)),
    "Swiss roll": Set(lambda: make_swiss_roll(500, random_state=0), is_classes=False),
}


def run(
    quick: bool = False,
    rows: int = ROWS,
    names: Sequence[str] = (),
    components: int = COMPONENTS,
    values: int = 17,
    kernels: Sequence[str] | None = None,
) -> dict[str, Any]:
    """Measure both.

    Parameters
    ----------
    rows : int
        Of the table that times are compared on.
    names : sequence of str
        Of the sets; all of them where none is named.
    components : int
        The most that times are compared with.
    values : int
        Of γ in the fine grid.
    kernels : sequence of str, optional
        That `choose` compares.
    """
    if quick:
        print("left out: 2 of 3 rounds, all sets but iris and circles; n = 500")
        rows, names = min(rows, 500), names or ("iris", "circles")
    with one_blas_thread():
        return {
            "grid": grid(rows, 1 if quick else 3, components),
            "sets": [chosen(name, values, kernels) for name in names or SETS],
        }


def grid(n: int, rounds: int, most: int) -> dict[str, Any]:
    """Five values of γ and linear PCA, five folds: all components, and most alone."""
    X, y = make_classification(
        n, COLUMNS, n_informative=6, n_redundant=2, n_classes=3, random_state=0
    )
    held_out = held_out_classes(y, repeats=1)
    seen = StandardScaler().fit_transform(X)
    gammas = suggested_values("rbf", seen)["gamma"] * np.geomspace(0.1, 10, 5)
    tries = ByPrediction(X, held_out, most, _standardised)

    def ours() -> list[Array]:
        found = [tries.of(Line("linear"), None)]
        return [one.scores for one in [*found, *(tries.of(RBF, g) for g in gammas)]]

    print(
        f"\nLinear PCA and five values of γ, n = {n:,} × {COLUMNS}, five folds, with "
        "scaling and discriminant inside of them; seconds, one BLAS thread"
    )
    told: dict[str, Any] = {}
    cases = {f"k = 1 … {most}": range(1, most + 1), f"k = {most}": [most]}
    for name, counts in cases.items():
        search = _search(gammas, counts, held_out, LinearDiscriminantAnalysis())
        mine, theirs = [], []
        for _ in range(rounds):
            mine.append(measured(ours))
            theirs.append(measured(lambda s=search: s.fit(X, y)))
        differs = np.abs(_theirs(search, counts) - np.array(ours())[:, _places(counts)])
        processor = [[r.processor_seconds for r in side] for side in (theirs, mine)]
        clock = [[r.seconds for r in side] for side in (theirs, mine)]
        told[name] = {
            "ours_s": spread(processor[1]),
            "theirs_s": spread(processor[0]),
            "ratio": paired_ratio(*processor),
            "ratio_by_the_clock": paired_ratio(*clock),
            "largest_difference": rounded(float(differs.max())),
        }
        one = told[name]
        print(
            f"{name:12} ours {written(one['ours_s'])}, GridSearchCV "
            f"{written(one['theirs_s'])}: × {written(one['ratio'])}, by the clock × "
            f"{written(one['ratio_by_the_clock'])}; accuracies differ by at most "
            f"{one['largest_difference']}",
            flush=True,
        )
    return told


def chosen(name: str, values: int, kernels: Sequence[str] | None) -> dict[str, Any]:
    """Return what `choose` takes beside the best of a fine grid, on the same folds."""
    known = SETS[name]
    X, y = known.make()
    repeats = 1
    held_out = known.held_out(y, repeats)
    given = {"y": y} if known.is_classes else {"target": y}
    found = choose(
        X,
        **given,
        kernels=kernels,
        scaling="standardise",
        repeats=repeats,
        threads=1,
    )
    judge = LinearDiscriminantAnalysis() if known.is_classes else LinearRegression()
    seen = StandardScaler().fit_transform(X)
    gammas = suggested_values("rbf", seen)["gamma"] * np.geomspace(0.01, 100, values)
    counts = [1, 2, 3, 5, 7, 10]
    search = _search(gammas, counts, held_out, judge).fit(X, y)
    row = found.chosen
    told = {
        "set": name,
        "taken": f"{kernel_words(row)}, k = {row.components}",
        "score": rounded(row.score),
        "error": rounded(row.error),
        "best_of_grid": rounded(float(search.best_score_)),
        "its_setting": _told(search.best_params_),
        "within_one_error": bool(row.score + row.error >= search.best_score_),
    }
    print(
        f"{name:16}{told['taken']:36}{row.score:.3f} ± {row.error:.3f}   grid "
        f"{search.best_score_:.3f} ({told['its_setting']})",
        flush=True,
    )
    return told


def _standardised(rows: Array) -> Callable[[Array], Array]:
    return Scaler.learn(rows, "standardise").apply


def _search(
    gammas: Array, counts: Sequence[int], held_out: HeldOut, judge: Any
) -> GridSearchCV:
    chain = make_pipeline(StandardScaler(), KernelPCA(), judge)
    k = {"kernelpca__n_components": list(counts)}
    settings = [
        {"kernelpca__kernel": ["linear"], **k},
        {"kernelpca__kernel": ["rbf"], "kernelpca__gamma": list(gammas), **k},
    ]
    folds = [(np.flatnonzero(t), np.flatnonzero(~t)) for t in held_out.training]
    scoring = "balanced_accuracy" if held_out.is_classes else None
    return GridSearchCV(chain, settings, scoring=scoring, cv=folds, refit=False)


def _theirs(search: GridSearchCV, counts: Sequence[int]) -> Array:
    """Mean scores of a grid by setting and number of components."""
    return np.asarray(search.cv_results_["mean_test_score"]).reshape(-1, len(counts))


def _places(counts: Sequence[int]) -> list[int]:
    return [count - 1 for count in counts]


def _told(parameters: dict[str, Any]) -> str:
    short = {key.removeprefix("kernelpca__"): v for key, v in parameters.items()}
    gamma = f" γ = {short['gamma']:.3g}" if "gamma" in short else ""
    return f"{short['kernel']}{gamma}, k = {short['n_components']}"
