"""The fitted model behind a picture, for the next program."""

from typing import Any

from kpca_viewer.core.gram import distances_to_kernel
from kpca_viewer.core.kernel_pca import KernelPCA
from kpca_viewer.session.analysis import tolerance
from kpca_viewer.session.result import AnalysisResult


def fitted_model(result: AnalysisResult) -> KernelPCA:
    """Return the estimator whose scores the window shows, without fitting again.

    It knows the points as the kernel saw them: new ones have to be scaled alike.
    """
    dataset, analysis = result.dataset, result.settings.analysis
    options: dict[str, Any] = {}
    if result.kernel is not None:
        options.update(result.kernel.values)
    X = dataset.points if result.kernel is None else result.points.dense()
    kinds = {"kernel": "precomputed", "distances": "precomputed_distances"}
    if dataset.kind == "distances" and not analysis.center:
        # The estimator centres distances whatever it is told.
        kinds["distances"], X = "precomputed", distances_to_kernel(X)
    model = KernelPCA(
        max(1, min(analysis.components, dataset.n)),
        kernel=kinds[dataset.kind]
        if result.kernel is None
        else result.kernel.family.name,
        eigen_solver=analysis.solver,
        tol=tolerance(dataset.n),
        center=analysis.center,
        **options,
    )
    model.X_fit_ = X
    model.n_features_in_ = X.shape[1]
    model.gamma_ = 1 / X.shape[1] if model.gamma is None else model.gamma
    model._prepare(X)
    model._keep(result.decomposition, dataset.n, X.dtype)
    return model
