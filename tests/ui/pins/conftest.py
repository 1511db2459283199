"""The same real pictures as beside a sweep."""

from tests.ui.sweep.conftest import analysis, linking, settings

__all__ = ["analysis", "linking", "settings"]
