"""Axes that cannot be told from each other are said to be that."""

import numpy as np

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.analysis import analyse
from kpca_viewer.engine.settings import KernelSettings, SessionSettings
from kpca_viewer.engine.text.remarks import about_separation
from kpca_viewer.features.spectrum.compute import SpectrumBars
from kpca_viewer.features.spectrum.text import bar_text

LINEAR = SessionSettings(kernel=KernelSettings("linear"))
SQUARE = np.array([[1.0, 0, 0.2], [0, 1, -0.2], [-1, 0, 0.2], [0, -1, -0.2]])


def test_the_two_axes_of_a_square():
    result = analyse(Dataset(SQUARE), LINEAR)
    words = about_separation(result, (0, 1))
    assert words.startswith("PC 1 and PC 2 are badly separated")
    assert about_separation(result, (2,)) == ""
    bars = SpectrumBars.of(result, result.settings.view)
    assert "direction badly separated" in bar_text(bars, 0)
    assert "rad" in bar_text(bars, 2)


def test_axes_that_are_told_apart_are_worth_no_word():
    result = analyse(Dataset(SQUARE * [2, 1, 1]), LINEAR)
    assert about_separation(result, (0, 1, 2)) == ""
