"""What the looks of points can mean: the choices for colour, shape and label."""

from collections.abc import Sequence

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.session.result import AnalysisResult

Choices = list[tuple[str, object]]
"""What a person reads, and the value of the view settings."""


def color_choices(result: AnalysisResult | None) -> Choices:
    """Return what points can be coloured by: classes, columns, features, components."""
    if result is None:
        return [("Class", "label")]
    dataset = result.dataset
    items = _classes(dataset)
    items += [
        (name, f"column:{name}")
        for name, column in dataset.columns.items()
        if column.numeric or column.categories is not None
    ]
    items += _features(dataset)
    items += [(f"PC {j + 1}", f"component:{j}") for j in range(result.scores.shape[1])]
    return [*items, ("One colour", "none")]


def shape_choices(result: AnalysisResult | None) -> Choices:
    """Return what the shape of a point can mean: classes and other categories."""
    if result is None:
        return [("One shape", "none")]
    columns = result.dataset.columns.items()
    return [
        ("One shape", "none"),
        *_classes(result.dataset),
        *((name, f"column:{name}") for name, c in columns if c.categories is not None),
    ]


def label_choices(result: AnalysisResult | None) -> Choices:
    """Return what can be written beside a point: its name, and any column."""
    if result is None:
        return [("Row number", "row")]
    dataset = result.dataset
    first = "Row number" if dataset.row_names is None else "Row name"
    return [
        (first, "row"),
        *_classes(dataset),
        *((name, f"column:{name}") for name in dataset.columns),
        *_features(dataset),
    ]


def shown_choice(choices: Choices, wanted: str, otherwise: Sequence[str]) -> object:
    """Return the value that is shown: what is wanted, or the first that there is."""
    values = {value for _, value in choices}
    return next((value for value in (wanted, *otherwise) if value in values), None)


def _classes(dataset: Dataset) -> Choices:
    return [] if dataset.labels is None else [("Class", "label")]


def _features(dataset: Dataset) -> Choices:
    # The columns of a given matrix are its rows once more.
    names = dataset.feature_names if dataset.kind == "points" else ()
    return [(name, f"feature:{j}") for j, name in enumerate(names)]
