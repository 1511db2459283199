"""What is compared: our solver and scikit-learn's settings, as functions of points."""

import inspect
from typing import Any

ACCURACY = 1e-6

# The default of scikit-learn, and every setting of it that may be its fastest.
SKLEARN: dict[str, dict[str, Any]] = {
    "default": {},
    "arpack": {"eigen_solver": "arpack"},
    "arpack tol=1e-3": {"eigen_solver": "arpack", "tol": 1e-3},
    "randomized": {"eigen_solver": "randomized"},
    "randomized power=3": {"eigen_solver": "randomized", "iterated_power": 3},
}


def fit(
    method: str, X: Any, gamma: float, components: int, seed: int = 0
) -> tuple[Any, dict[str, Any]]:
    """Fit once.

    Parameters
    ----------
    method : str
        "ours", "ours tol=…", "ours tol=… CERTIFICATE", "Nystroem M", or one of
        `SKLEARN`.

    Returns
    -------
    eigenvalues : ndarray of shape (components,)
    notes : dict
        What else is worth noting.
    """
    kind, _, rest = method.partition(" ")
    if kind == "ours":
        return _ours(rest, X, gamma, components)
    if kind == "Nystroem":
        return _nystroem(int(rest), X, gamma, components, seed), {}
    from sklearn.decomposition import KernelPCA

    model = KernelPCA(
        components, kernel="rbf", gamma=gamma, random_state=0, **SKLEARN[method]
    ).fit(X)
    return model.eigenvalues_, {}


def certificates() -> tuple[str, ...]:
    """Return the kinds of certificate of our estimator; "" where there is one only."""
    from kpca_viewer import KernelPCA

    named = "certificate" in inspect.signature(KernelPCA).parameters
    return ("proven", "statistical") if named else ("",)


def _ours(rest: str, X: Any, gamma: float, components: int) -> tuple[Any, Any]:
    from kpca_viewer import KernelPCA

    words = rest.split()
    options: dict[str, Any] = {}
    if words:
        options["tol"] = float(words[0].removeprefix("tol="))
    if len(words) > 1:
        options["certificate"] = words[1]
    model = KernelPCA(components, kernel="rbf", gamma=gamma, **options).fit(X)
    bounds = model.eigenvalue_bounds_
    width = float((bounds[:, 1] - bounds[:, 0]).max() / model.eigenvalues_[0])
    notes = {"solver": model.solver_, "rank": int(model.rank_), "bound": width}
    return model.eigenvalues_, notes


def _nystroem(m: int, X: Any, gamma: float, components: int, seed: int) -> Any:
    from sklearn.decomposition import PCA
    from sklearn.kernel_approximation import Nystroem

    features = Nystroem(gamma=gamma, n_components=m, random_state=seed)
    pca = PCA(components).fit(features.fit_transform(X))
    return pca.explained_variance_ * (len(X) - 1)
