"""The axes of a flat plot: numbers that do not touch, in a low plot too."""

import numpy as np
import pytest
from PySide6.QtGui import QFontMetricsF

from kpca_viewer.widgets.plots.axes import row_ticks
from kpca_viewer.widgets.plots.text import plot_font, set_type_scale


@pytest.fixture(params=[1.0, 1.4])
def type_size(qapp, request):
    set_type_scale(request.param)
    yield request.param
    set_type_scale(1.0)


@pytest.mark.parametrize("interval", [(-4.6, 3.1), (0.0, 1.0), (100.0, 100.5)])
@pytest.mark.parametrize("pixels", [8, 24, 44, 60, 90, 300])
def test_numbers_of_a_low_plot_do_not_touch(type_size, interval, pixels):
    line = QFontMetricsF(plot_font()).height()
    ticks = row_ticks(interval, pixels)
    gaps = np.diff(ticks) * pixels / (interval[1] - interval[0])
    assert (gaps >= line - 1e-6).all()
    assert len(ticks) > 1 or pixels < 4 * line
    # Regular steps, and zero among them where it is in the range.
    assert np.allclose(np.diff(ticks), np.diff(ticks)[:1])
    assert interval[0] > 0 or 0.0 in ticks
