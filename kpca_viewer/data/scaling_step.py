"""ScalingStep: a scaling of the program as a step of scikit-learn."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from kpca_viewer.data.preparation import ColumnScalings, Scaler, Scaling


class ScalingStep(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Scales rows as `kpca_viewer.choose` did.

    Parameters
    ----------
    how : {"none", "standardise", "minmax", "unit"}
    columns : tuple of (feature, how)
        What is done instead to some features.
    names : tuple of str
        Of all features, where ``columns`` names any.
    """

    def __init__(
        self,
        how: Scaling = "standardise",
        columns: ColumnScalings = (),
        names: tuple[str, ...] = (),
    ) -> None:
        self.how = how
        self.columns = columns
        self.names = names

    def fit(self, X: Any, y: Any = None) -> "ScalingStep":
        X = validate_data(self, X, dtype=np.float64)
        self.scaler_ = Scaler.learn(X, self.how, self.columns, self.names)
        return self

    def transform(self, X: Any) -> NDArray[np.float64]:
        check_is_fitted(self)
        return self.scaler_.apply(validate_data(self, X, dtype=np.float64, reset=False))
