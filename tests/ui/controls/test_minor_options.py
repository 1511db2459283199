"""Options that give way where a header has no room, and where they are found then."""

import pytest

from kpca_viewer.ui.controls import PlotPanel, Segmented
from kpca_viewer.ui.controls.panel_header import PanelHeader


@pytest.fixture
def header(qtbot):
    """Make a header with a tool, and pages of which the last is minor."""
    panel = PlotPanel("A plot")
    qtbot.addWidget(panel)
    tool = Segmented([("raw", "Raw"), ("centred", "Centred")], "Matrix")
    pages = Segmented(
        [("one", "First page"), ("two", "Second page"), ("three", "Third page")],
        "Pages",
    )
    pages.set_minor(["three"])
    panel.add_tool(tool, 1)
    panel.add_tool(pages)
    panel.set_title_optional()
    panel.show()
    header = panel.findChild(PanelHeader)
    return panel, header, tool, pages


def test_a_minor_option_gives_way_to_a_tool(header):
    panel, line, tool, pages = header
    panel.resize(900, 200)
    assert tool.isVisible()
    assert pages.button("three").isVisible()
    assert pages.left_out() == []
    whole = line.width()
    while pages.button("three").isVisible() and whole > 50:
        whole -= 5
        panel.resize(whole, 200)
    assert tool.isVisible()
    assert pages.button("one").isVisible()
    assert pages.left_out() == ["three"]
    assert line.more.isVisible()
    line.more.menu().aboutToShow.emit()
    texts = [a.text() for a in line.more.menu().actions() if not a.isSeparator()]
    assert texts == ["Third page"]


def test_a_minor_option_that_is_pressed_stays(header):
    panel, _, _, pages = header
    panel.resize(900, 200)
    width = 900
    while pages.button("three").isVisible():
        width -= 5
        panel.resize(width, 200)
    pages.set_value("three")
    assert pages.left_out() == []
    assert not pages.button("three").isHidden()
    pages.set_value("one")
    assert pages.button("three").isHidden()
