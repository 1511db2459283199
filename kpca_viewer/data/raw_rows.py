"""RawRows: what was done to the rows of a file before a model saw them."""

from dataclasses import dataclass, replace
from math import isfinite
from typing import Any, Literal

import msgspec
import numpy as np

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.importing import ImportSettings, new_data
from kpca_viewer.data.importing.convert import known_words
from kpca_viewer.data.preparation import ColumnScaling, Scaler, Scaling
from kpca_viewer.data.table import Table
from kpca_viewer.support.errors import DataError


@dataclass(frozen=True, repr=False)
class RawRows:
    """How raw rows become the points of a model: columns, words, gaps, scaling."""

    importing: ImportSettings
    """What the columns mean."""
    feature_names: tuple[str, ...]
    """Of the points, words already encoded."""
    label_names: tuple[str, ...] = ()
    """The classes in the order of their codes."""
    typical: tuple[float, ...] = ()
    """What fills a gap in each feature."""
    scaling: Scaling | Literal["columns"] = "none"
    shift: tuple[float, ...] = ()
    factor: tuple[float, ...] = ()
    """Of the scaling, for each feature."""
    by_feature: tuple[ColumnScaling, ...] = ()
    """How each feature is scaled, where they differ."""

    def __repr__(self) -> str:
        return f"<{len(self.feature_names)} features, scaling {self.scaling}>"

    def __post_init__(self) -> None:
        lengths = {len(part) for part in (self.typical, self.shift, self.factor)}
        if lengths != {len(self.feature_names)}:
            raise DataError("There is not one value for each feature.")
        if not all(map(isfinite, (*self.typical, *self.shift, *self.factor))):
            raise DataError("The values of a feature are not finite.")
        d = len(self.feature_names) if self.scaling == "columns" else 0
        if len(self.by_feature) != d:
            raise DataError("There is not one scaling for each feature.")

    @classmethod
    def of(
        cls, dataset: Dataset, importing: ImportSettings | None, scaler: Scaler
    ) -> "RawRows":
        """Learn from the points with which a model was fitted.

        ``importing``: how they were read; None for data that came from no table, whose
        features are known by their names.
        """
        if importing is None:
            importing = ImportSettings(
                tuple((name, "feature") for name in dataset.feature_names)
            )
        return cls(
            importing,
            dataset.feature_names,
            dataset.label_names,
            _typical(dataset, importing),
            *_kept(scaler),
        )

    def with_scaler(self, scaler: Scaler) -> "RawRows":
        how, shift, factor, each = _kept(scaler)
        return replace(self, scaling=how, shift=shift, factor=factor, by_feature=each)

    @classmethod
    def from_json(cls, value: Any) -> "RawRows":
        """Read what `to_json` wrote."""
        try:
            return msgspec.convert(value, cls)
        except msgspec.ValidationError as error:
            raise DataError(
                f"What the model says about raw rows is damaged ({error}); write it "
                "again."
            ) from error

    def to_json(self) -> Any:
        written = msgspec.to_builtins(self)
        if not self.by_feature:
            # As files of before have it.
            written.pop("by_feature", None)
        return written

    def dataset(self, table: Table) -> Dataset:
        """Return the rows of a table in the features of the model, unscaled."""
        labels = np.array([0]) if self.label_names else None
        # One row stands for all: it is its own median and its own most frequent word.
        reference = Dataset(
            np.array([self.typical]), labels, self.label_names, self.feature_names
        )
        return new_data(table, self.importing, reference)

    def points(self, dataset: Dataset) -> Any:
        """Return the points (m, d) of `dataset` as the model wants them."""
        return self.scaler.apply(dataset.points)

    @property
    def scaler(self) -> Scaler:
        return Scaler(
            self.scaling,
            np.array(self.shift),
            np.array(self.factor),
            self.by_feature,
            self.feature_names,
        )


def _kept(scaler: Scaler) -> tuple[Any, ...]:
    """Return a scaler as plain values, in the order of the fields."""
    shift, factor = scaler.shift.tolist(), scaler.factor.tolist()
    return scaler.how, tuple(shift), tuple(factor), scaler.by_feature


def _typical(dataset: Dataset, importing: ImportSettings) -> tuple[float, ...]:
    """Return what fills gaps, as `new_data` would find it in all rows."""
    words = known_words(importing, dataset)
    values = np.nanmedian(dataset.points, axis=0)
    for name, known in words.items():
        places = [dataset.feature_names.index(f"{name}={word}") for word in known]
        counts = np.nansum(dataset.points[:, places], axis=0)
        values[places] = 0.0
        values[places[int(np.argmax(counts))]] = 1.0
    return tuple(values.tolist())
