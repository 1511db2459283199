"""What the rows of a kernel's parameters show, in the sidebar and above the plots."""

from collections.abc import Mapping

from kpca_viewer.session.beginning import DATA_DRIVEN
from kpca_viewer.session.result import AnalysisResult
from kpca_viewer.session.settings import SessionSettings
from kpca_viewer.session.words.advice import REACH, reach
from kpca_viewer.ui.controls import NumberRow


def show_values(
    rows: Mapping[str, NumberRow],
    settings: SessionSettings,
    result: AnalysisResult | None,
) -> dict[str, float]:
    """Push values, suggestions and ranges into the rows; returns the suggestions."""
    # A result for another kernel or other data has nothing to suggest here.
    matches = (
        result is not None
        and result.settings.kernel.family == settings.kernel.family
        and result.settings.data == settings.data
    )
    suggested = dict(result.suggested) if matches and result is not None else {}
    values = {**suggested, **dict(settings.kernel.values)}
    for name, row in rows.items():
        if name in values or name not in DATA_DRIVEN:
            row.set_value(values.get(name, row.parameter.default))
        if matches or name not in DATA_DRIVEN:
            row.set_suggestion(suggested.get(name, row.parameter.default))
        if name in REACH and name in suggested:
            row.set_reach(*reach(name, suggested[name]))
    return suggested
