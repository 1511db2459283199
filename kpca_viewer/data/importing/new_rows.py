"""A second file with the same columns: new rows for a model that exists."""

from dataclasses import replace

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.importing.complete import complete, typical_values
from kpca_viewer.data.importing.convert import dataset_of
from kpca_viewer.data.importing.features import feature_matrix, feature_sources
from kpca_viewer.data.importing.settings import ImportSettings, Role
from kpca_viewer.data.table import Table, listed
from kpca_viewer.support.errors import DataError


def new_data(table: Table, settings: ImportSettings, reference: Dataset) -> Dataset:
    """Return the rows of a second file in the columns of the first.

    Columns are matched by name, in any order. Gaps are filled with the medians of the
    reference, words are encoded as there, and its classes keep their codes.

    Parameters
    ----------
    table : Table
        The second file.
    settings : ImportSettings
        With which the first file was imported.
    reference : Dataset
        What the first file became.

    Raises
    ------
    DataError
        If a feature is missing or a cell cannot be used.
    """
    if settings.matrix != "points":
        raise DataError(
            "New rows cannot be placed beside a matrix of kernel values or distances; "
            "open the points themselves."
        )
    _check_columns(table, settings)
    present = tuple(
        (name, role)
        for name, role in settings.roles
        if role == "feature" or name in table.by_name
    )
    settings = _with_roles(settings, present)
    sources = feature_sources(table, settings, known_words(settings, reference))
    names = tuple(name for source in sources for name in source.names)
    if names != reference.feature_names:
        raise DataError(
            f"The new rows would have the features {listed(names)} instead of "
            f"{listed(reference.feature_names)}; import them as the first file was."
        )
    points = feature_matrix(table, sources, settings)
    typical = typical_values(sources, reference.points)
    features = complete(table, sources, points, settings, typical)
    return dataset_of(table, settings, features, reference.label_names)


def _check_columns(table: Table, settings: ImportSettings) -> None:
    wanted = settings.columns("feature")
    missing = [name for name in wanted if name not in table.by_name]
    if not missing:
        return
    known = {name for name, _ in settings.roles}
    extra = [name for name in table.names if name not in known]
    besides = f", but has {listed(extra)} besides" if extra else ""
    raise DataError(
        f"The new file lacks the {'column' if len(missing) == 1 else 'columns'} "
        f"{listed(missing)}{besides}; name its columns as in the first file."
    )


def known_words(
    settings: ImportSettings, reference: Dataset
) -> dict[str, tuple[str, ...]]:
    """Return the words that each text column of the reference has a column for."""
    plain = set(reference.feature_names)
    return {
        name: tuple(
            feature.removeprefix(f"{name}=")
            for feature in reference.feature_names
            if feature.startswith(f"{name}=")
        )
        for name in settings.columns("feature")
        if name not in plain
    }


def _with_roles(
    settings: ImportSettings, roles: tuple[tuple[str, Role], ...]
) -> ImportSettings:
    return replace(settings, roles=roles, sample=None)
