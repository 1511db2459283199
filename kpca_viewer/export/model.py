"""The fitted model behind a picture, for the next program."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kpca_viewer.core.estimator.kernel_pca import KernelPCA
from kpca_viewer.core.estimator.keywords import as_keywords
from kpca_viewer.core.estimator.model_file import (
    load_model,
    load_preparation,
    save_model,
)
from kpca_viewer.core.linalg.gram import distances_to_kernel
from kpca_viewer.core.projection import RIGHT
from kpca_viewer.data.raw_rows import RawRows
from kpca_viewer.data.row_preparer import RowPreparer
from kpca_viewer.engine.forecast import tolerance
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.text.remarks import forgotten
from kpca_viewer.support.errors import DataError, ExportError

if TYPE_CHECKING:
    from sklearn.pipeline import Pipeline


def save_fitted(result: AnalysisResult, path: str | os.PathLike[str]) -> None:
    """Write the model behind a result, and how raw rows are prepared for it."""
    save_prepared(fitted_model(result), path, _raw_rows(result))


def save_prepared(
    model: KernelPCA, path: str | os.PathLike[str], rows: RawRows | None
) -> None:
    save_model(model, path, None if rows is None else rows.to_json())


def load_prepared(path: str | os.PathLike[str]) -> tuple[KernelPCA, RawRows | None]:
    """Read a model, and how raw rows are prepared for it; or raise `DataError`."""
    kept = load_preparation(path)
    model = load_model(path)
    if kept is None:
        return model, None
    rows = RawRows.from_json(kept)
    if len(rows.feature_names) != model.n_features_in_:
        raise DataError(
            f"“{Path(path).name}” is damaged: it prepares {len(rows.feature_names)} "
            f"features for a model of {model.n_features_in_}; write it again."
        )
    return model, rows


def load(path: str | os.PathLike[str]) -> "Pipeline":
    """Read a model of `save_fitted` or ``kpca-viewer embed`` for raw rows.

    Returns
    -------
    Pipeline
        Of scikit-learn, fitted. Its last step is the `KernelPCA`; the one before, if
        the file knows how rows are prepared, is a `RowPreparer`: a data frame with the
        columns of the file, or an array of its features, becomes scores.

    Raises
    ------
    DataError
        If it is no model, or a damaged one.

    Examples
    --------
    ::

        model = kpca_viewer.load("model.npz")
        scores = model.transform(pandas.read_csv("new.csv"))
        model[0].rows.shift, model[0].rows.factor  # of the scaling
        model[-1].eigenvalue_bounds_

    See Also
    --------
    KernelPCA.load : of a model without its preparation.
    """
    return _pipeline(*load_prepared(path))


def fitted_pipeline(result: AnalysisResult) -> "Pipeline":
    """Return what `load` would read of a saved result, without a file."""
    return _pipeline(fitted_model(result), _raw_rows(result))


def _pipeline(model: KernelPCA, rows: RawRows | None) -> "Pipeline":
    from sklearn.pipeline import Pipeline

    before = [] if rows is None else [("rows", RowPreparer(rows))]
    return Pipeline([*before, ("kernelpca", model)])


def _raw_rows(result: AnalysisResult) -> RawRows | None:
    if result.dataset.kind != "points":
        return None
    importing = result.settings.data.importing
    return RawRows.of(result.dataset, importing, result.scaler)


def fitted_model(result: AnalysisResult) -> KernelPCA:
    """Return the estimator whose scores the window shows, without fitting again.

    It knows the points as the kernel saw them: new ones have to be scaled alike.

    Raises `ExportError` if a step was forgotten that an estimator never forgets.
    """
    if result.scoring != RIGHT:
        told = " and ".join(forgotten(result))
        raise ExportError(
            f"The picture has a pitfall ({told}), and a model would give other scores; "
            "switch it off in the kernel card before you save the model."
        )
    dataset, analysis = result.dataset, result.settings.analysis
    options: dict[str, Any] = {}
    if result.kernel is not None:
        options.update(as_keywords(result.kernel.values))
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
        tol=tolerance(dataset.n, refined=analysis.refined),
        center=analysis.center,
        **options,
    )
    model.X_fit_ = X
    model.n_features_in_ = X.shape[1]
    model.gamma_ = 1 / X.shape[1] if model.gamma is None else model.gamma
    model._prepare(X)
    model._keep(result.decomposition, dataset.n, X.dtype)
    return model
