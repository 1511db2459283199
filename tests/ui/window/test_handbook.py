"""F1 offers the page of the site that belongs to what the window shows."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QPushButton

from kpca_viewer.engine.feature import WORKSPACES
from kpca_viewer.features.registry import pages
from kpca_viewer.resources import SITE, site_page
from kpca_viewer.window import commands, handbook
from kpca_viewer.window.help import HelpPanel
from tests.e2e.program import SMALL

DOCS = Path(__file__).parents[3] / "docs"


class Browser(QObject):
    """Takes the addresses that are opened."""

    def __init__(self):
        super().__init__()
        self.opened = []

    @Slot(QUrl)
    def take(self, url):
        self.opened.append(url)


@pytest.fixture
def browser():
    browser = Browser()
    for scheme in ("file", "https"):
        QDesktopServices.setUrlHandler(scheme, browser, "take")
    yield browser
    for scheme in ("file", "https"):
        QDesktopServices.unsetUrlHandler(scheme)


def test_the_page_follows_workspace_and_page(start, browser, monkeypatch):
    program = start(SMALL)
    program.action("help").trigger()
    button = program.find(QPushButton, "handbook_button")
    assert "Five minutes with the rings" in button.text()
    program.board.show_workspace("sweep")
    assert "Sweeps" in button.text()
    program.board.toggle_page("odd")
    assert "Odd rows" in button.text()
    panel = program.find(HelpPanel, "help_panel")
    page = panel.widget()
    assert page.horizontalScrollBar().maximum() == 0
    button.click()
    (url,) = browser.opened
    assert url.path().endswith("/mathematics.html")
    assert url.fragment() == "odd-rows"
    nothing = SimpleNamespace(openUrl=lambda url: False)
    monkeypatch.setattr(commands, "QDesktopServices", nothing)
    button.click()
    assert "mathematics.html#odd-rows" in program.message()


def test_every_page_that_is_named_is_there():
    assert set(handbook.WORKSPACES) == set(WORKSPACES)
    assert set(handbook.PAGES) <= set(pages())
    for _, address in (*handbook.WORKSPACES.values(), *handbook.PAGES.values()):
        path, _, place = address.partition("#")
        text = (DOCS / path).with_suffix(".md").read_text(encoding="utf-8")
        heading = place.replace("-", " ")
        plain = text.replace("-", " ").replace(",", "").lower()
        assert not heading or f"# {heading}" in plain, address


def test_a_page_that_was_not_built_is_that_of_the_site():
    assert site_page("no/such.html") == f"{SITE}/no/such.html"
