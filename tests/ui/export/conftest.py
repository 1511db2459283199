"""The desks that the tests work at."""

import pytest

from tests.ui.export.desk import maker


@pytest.fixture
def desk(qtbot, tmp_path):
    """Make a panel over a board with real plots."""
    return maker(qtbot, tmp_path, plots=True)


@pytest.fixture
def sheet(qtbot, tmp_path):
    """Make a panel over the plainest of pictures, for what is not about plots."""
    return maker(qtbot, tmp_path, plots=False)
