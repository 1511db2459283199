"""One table: menus and shortcuts come from it, and nothing is there twice."""

from collections import Counter

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QLabel, QMainWindow, QMenu, QToolButton

from kpca_viewer.core.kernels.kernel import FAMILIES
from kpca_viewer.engine.feature import WORKSPACES
from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.features.registry import pages
from kpca_viewer.widgets.scene import Scene
from kpca_viewer.widgets.theme import DARK, LIGHT
from kpca_viewer.window.feature import UNLISTED, all_actions
from kpca_viewer.window.help import HelpPanel, sections
from kpca_viewer.window.menus import Actions
from kpca_viewer.window.top_row import BUTTONS, EXPORTS, TopRow


@pytest.fixture
def window(qtbot):
    window = QMainWindow()
    qtbot.addWidget(window)
    return window


@pytest.fixture
def actions(window):
    return Actions(window)


def test_keys_and_shortcuts_are_unique():
    keys = Counter(row.key for _, row in all_actions())
    shortcuts = Counter(
        QKeySequence(row.shortcut) for _, row in all_actions() if row.shortcut
    )
    assert max(keys.values()) == 1
    assert max(shortcuts.values()) == 1, shortcuts.most_common(3)


def test_every_shortcut_is_one_that_qt_understands():
    for _, row in all_actions():
        if row.shortcut:
            assert QKeySequence(row.shortcut).toString(), row.key


def test_the_keys_of_the_manual():
    keys = {row.key: row.shortcut for _, row in all_actions()}
    for key, shortcut in {
        "export": "Ctrl+E",
        "copy_image": "Ctrl+Shift+C",
        "undo": "Ctrl+Z",
        "redo": "Ctrl+Shift+Z",
        "embedding_3d": "T",
        "palette": "Ctrl+K",
        "controls": "F9",
        "present": "F11",
        "help": "F1",
        "escape": "Escape",
    }.items():
        assert keys[key] == shortcut
    for number, key in enumerate(WORKSPACES, start=1):
        assert keys[f"workspace_{key}"] == f"Ctrl+{number}"
    for number, name in enumerate(FAMILIES, start=1):
        assert keys[f"kernel_{name}"] == (str(number) if number <= 9 else "")


LISTED = [row for _, row in all_actions() if row.menu not in UNLISTED]
MENUS = sorted({row.menu for row in LISTED})


def test_menus_are_short():
    assert len(LISTED) <= 60
    for menu in MENUS:
        # One column on a low screen.
        assert sum(row.menu == menu for row in LISTED) <= 24, menu


@pytest.mark.parametrize("menu", MENUS)
def test_no_letter_opens_two_entries_of_a_menu(menu):
    letters = Counter(
        row.text[row.text.index("&") + 1].lower()
        for row in LISTED
        if row.menu == menu and "&" in row.text
    )
    assert max(letters.values(), default=0) <= 1, letters


def test_pages_have_one_name_each():
    names = {row.key: row.name for _, row in all_actions() if row.group == "page"}
    for page in pages().values():
        assert names[f"page_{page.key}"] == page.title
        # A short name is a word of the long one, no riddle.
        assert page.short.lower() in page.title.lower()


def test_menus_hold_every_action_once(window, actions):
    actions.fill_menus(window.menuBar())
    found = [
        action
        for menu in window.menuBar().actions()
        for action in menu.menu().actions()
        if not action.isSeparator()
    ]
    assert found == [actions[row.key] for row in LISTED]


def test_the_top_row_shows_icons_with_tooltips(qtbot, actions):
    row = TopRow(actions)
    qtbot.addWidget(row)
    actions.set_theme(LIGHT)
    for key in BUTTONS:
        button = row.findChild(QToolButton, f"{key}_top_button")
        assert not button.icon().isNull(), key
        assert button.toolTip(), key
        assert button.accessibleName(), key
        if key != "export":
            assert actions[key].shortcut().toString() in button.toolTip()
    offered = row.findChild(QMenu, "export_menu").actions()
    assert offered == [actions[key] for key in EXPORTS]


def test_icons_follow_the_theme(actions):
    def picture(theme):
        actions.set_theme(theme)
        return actions["undo"].icon().pixmap(20, 20).toImage()

    assert picture(LIGHT) != picture(DARK)


def test_help_lists_every_shortcut(window, actions):
    panel = HelpPanel(window)
    texts = {label.text() for label in panel.widget().findChildren(QLabel)}
    for _, row in all_actions():
        if row.shortcut:
            assert row.text.replace("&", "").rstrip("…") in texts
            keys = QKeySequence(row.shortcut)
            assert keys.toString(QKeySequence.SequenceFormat.NativeText) in texts
    assert "Space" in texts


def test_help_has_a_heading_for_every_menu_that_has_keys(window, actions):
    panel = HelpPanel(window)
    texts = [label.text() for label in panel.widget().findChildren(QLabel)]
    menus = [menu for menu, _ in sections()]
    assert len(set(menus)) == len(menus)
    assert set(menus) <= set(texts)
    listed = {menu: [name for _, name in rows] for menu, rows in sections()}
    for _, row in all_actions():
        if row.shortcut:
            assert row.name in listed[row.menu.replace("&", "")]


def test_the_help_is_closed_by_its_cross(window, actions, qtbot):
    panel = HelpPanel(window)
    window.show()
    cross = panel.findChild(QToolButton, "close_help_button")
    qtbot.mouseClick(cross, Qt.MouseButton.LeftButton)
    assert not panel.isVisible()


def test_a_tick_is_seen_in_the_menu(actions):
    for _, row in all_actions():
        if row.checkable:
            assert not actions[row.key].isIconVisibleInMenu(), row.key


def test_a_key_that_is_no_shortcut_is_written_in_menu_and_tooltip(actions):
    play = actions["play"]
    assert play.text().endswith("\tSpace")
    assert "(Space)" in play.toolTip()
    assert play.shortcut().isEmpty()


@pytest.mark.parametrize(("source", "possible"), [("circles", True), ("iris", False)])
def test_a_new_point_is_offered_for_plane_data_alone(actions, answer, source, possible):
    settings = SessionSettings(DataSettings(source=source))
    actions.show_state(Scene(settings, result=answer(settings)))
    assert actions["new_point"].isEnabled() == possible
