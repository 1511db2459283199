"""All pictures of a sweep, exported at a chosen size with title and legend."""

import numpy as np
import pytest
from PIL import Image
from PySide6.QtWidgets import QComboBox

from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.engine.sweep.settings import SweepAxis, SweepSettings
from kpca_viewer.export.image import save_image
from kpca_viewer.export.image_spec import ImageSpec
from tests.ui.export.desk import texts

GRID = SweepSettings("gamma", 0.5, 5, 3, second=SweepAxis("noise", 0, 0.2, 2, "linear"))


@pytest.fixture
def panel(start):
    """The export panel beside a sweep that is there."""
    data = DataSettings(values=(("samples", 60.0),))
    program = start(SessionSettings(data=data))
    before = program.viewer.controllers["export_panel"].panel()
    offered = before.findChild(QComboBox, "export_source_combo")
    assert offered.findData("sweep_grid") < 0
    program.viewer.controllers["sweep"].sweeps.start(GRID)
    program.until(lambda: program.strip.state() == "done")
    program.viewer.controllers["export_panel"].open_source("sweep_grid")
    assert offered.currentData() == "sweep_grid"
    return before


def test_a_grid_is_as_large_as_was_chosen_and_says_everything(panel, tmp_path):
    png = ImageSpec("png", 90, 70, "mm", 200, title=True, legend="auto")
    save_image(tmp_path / "grid.png", png, panel.image.picture(png).paint)
    with Image.open(tmp_path / "grid.png") as image:
        assert image.size == (709, 551)
        assert image.info["dpi"] == pytest.approx((200, 200), abs=0.1)
        # Pictures down to the last row, in which there are points of both classes.
        below = np.asarray(image.convert("RGB"))[400:]
    assert len(np.unique(below.reshape(-1, 3), axis=0)) > 20
    svg = ImageSpec("svg", 600, 400, "px", 96, title=True, legend="auto")
    save_image(tmp_path / "grid.svg", svg, panel.image.picture(svg).paint)
    said = " ".join(texts(tmp_path / "grid.svg"))
    for words in ("and noise, 6 values", "γ = 1.58", "noise = 0.2", "inner ring"):
        assert words in said
