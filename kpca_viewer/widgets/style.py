"""The style sheet: flat controls on a grid of eight pixels, on top of Fusion."""

from dataclasses import asdict
from string import Template

from PySide6.QtCore import QDir
from PySide6.QtWidgets import QApplication

from kpca_viewer.resources import asset
from kpca_viewer.widgets.plots.text import set_type_scale
from kpca_viewer.widgets.theme import Theme, font_sizes, palette

# A search path instead of a real one: a folder may be called anything, including what
# url() in a style sheet cannot spell.
_ICONS = "kpcaicons"

# Focus is a second pixel of border, taken from the padding so that nothing moves.
_SHEET = Template("""
QMainWindow, QDialog { background: $window; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QToolTip {
    background: $card; color: $text; border: 1px solid $outline; padding: 4px 8px;
}

QLabel[role="muted"], QLabel[role="caption"] { color: $muted; }
QLabel[role="caption"] { font-size: ${small}px; }
QLabel[role="live"] { color: $accent; font-weight: 600; }
QLabel[role="error"] { color: $error; }
QLabel[role="warning"] { color: $warning; font-size: ${small}px; font-weight: 600; }
QLabel[role="heading"] { font-size: ${large}px; font-weight: 600; }
QLabel[role="title"] { font-weight: 600; }
QLabel:disabled { color: $disabled; }

Card, PlotPanel, QFrame[role="card"] {
    background: $card; border: 1px solid $border; border-radius: 6px;
}
QPushButton {
    color: $text; background: $card; border: 1px solid $outline; border-radius: 6px;
    padding: 5px 12px; min-height: 16px;
}
QPushButton:hover { background: $hover; }
QPushButton:pressed, QPushButton:checked { background: $pressed; }
QPushButton:default {
    color: $on_accent; background: $accent; border-color: $accent;
}
QPushButton:focus { border: 2px solid $accent; padding: 4px 11px; }
QPushButton:default:focus { border-color: $text; }
QPushButton:disabled {
    color: $disabled; background: transparent; border-color: $border;
}
QPushButton[role="link"] {
    color: $info; background: transparent; border-color: transparent;
    padding: 3px 7px; font-weight: 600;
}
QPushButton[role="link"]:hover { background: $hover; }
QPushButton[role="link"]:disabled {
    color: $muted; border-color: transparent; font-weight: 400;
}
QPushButton[role="link"]:focus { border: 2px solid $accent; padding: 2px 6px; }

QToolButton {
    color: $text; background: transparent; border: 2px solid transparent;
    border-radius: 6px; padding: 2px 4px;
}
QToolButton:hover { background: $hover; }
QToolButton:pressed, QToolButton:open { background: $pressed; }
QToolButton:checked { color: $accent; background: $pressed; }
QToolButton:focus { border-color: $accent; }
QToolButton:disabled { color: $disabled; }
QToolButton[popupMode="1"] { padding-right: 16px; }
QToolButton::menu-button { border: none; width: 16px; }
QToolButton::menu-arrow, QToolButton::menu-indicator {
    image: url($icons:chevron_down.svg); width: 12px; height: 12px;
}
QToolButton::menu-indicator { subcontrol-position: right center; right: 2px; }
QToolButton[popupMode="2"] { padding-right: 16px; }
QToolButton[arrow="false"] { padding-right: 4px; }
QToolButton[arrow="false"]::menu-indicator { image: none; width: 0; }

Segmented { background: $hover; border: 1px solid $border; border-radius: 6px; }
Segmented > QToolButton {
    color: $muted; border: 2px solid transparent; border-radius: 5px;
    padding: 0 6px; margin: 0; min-height: 18px;
}
Segmented > QToolButton:hover { color: $text; background: $pressed; }
Segmented > QToolButton:checked { color: $accent; background: $card; }
Segmented > QToolButton:focus { border-color: $accent; }
Segmented > QToolButton:disabled { color: $disabled; background: transparent; }

/* Other spin boxes stay as Fusion draws them: in a style sheet Qt puts the text of a
   spin box onto its left border, and a NumberField has margins of its own. */
QLineEdit, NumberField, QPlainTextEdit, QTextEdit {
    color: $text; background: $field; border: 1px solid $field_outline;
    border-radius: 6px;
    padding: 3px 7px; selection-background-color: $accent;
    selection-color: $on_accent;
}
QLineEdit:hover, NumberField:hover { border-color: $muted; }
QLineEdit:focus, NumberField:focus, QPlainTextEdit:focus, QTextEdit:focus {
    border: 2px solid $accent; padding: 2px 6px;
}
QLineEdit[invalid="true"], NumberField[invalid="true"] {
    border: 2px solid $error; padding: 2px 6px;
}
QLineEdit:disabled, NumberField:disabled, QPlainTextEdit:disabled {
    color: $disabled; background: transparent; border-color: $border;
}
NumberField::up-button, NumberField::down-button { width: 0; border: none; }

QComboBox {
    color: $text; background: $field; border: 1px solid $field_outline;
    border-radius: 6px;
    padding: 3px 7px; min-height: 18px; combobox-popup: 0;
}
QComboBox:hover { border-color: $muted; }
QComboBox:focus, QComboBox:on { border: 2px solid $accent; padding: 2px 6px; }
QComboBox:disabled { color: $disabled; background: transparent; border-color: $border; }
QComboBox::drop-down { border: none; width: 22px; }
QComboBox::down-arrow {
    image: url($icons:chevron_down.svg); width: 14px; height: 14px;
}
QComboBox QLineEdit, QComboBox QLineEdit:focus { border: none; padding: 0; }
SearchPopup { background: $card; border: 1px solid $outline; }
QComboBox FindField { border: 1px solid $field_outline; padding: 3px 7px; }
QComboBox FindField:focus { border: 2px solid $accent; padding: 2px 6px; }
QComboBox QAbstractItemView {
    color: $text; background: $card; border: 1px solid $outline; outline: none;
    padding: 4px;
}
QComboBox QAbstractItemView::item { min-height: 24px; padding: 0 8px; }

QRadioButton { spacing: 2px; }
QRadioButton::indicator {
    width: 12px; height: 12px; border: 2px solid $field_outline; border-radius: 8px;
    background: $field;
}
QRadioButton::indicator:hover { border-color: $muted; }
QRadioButton::indicator:checked {
    width: 6px; height: 6px; border: 5px solid $accent;
}
QRadioButton:focus { background: $pressed; border-radius: 8px; }

QAbstractItemView::item:hover { background: $hover; }
QAbstractItemView::item:selected { color: $on_accent; background: $accent; }
QListView, QTableView {
    color: $text; background: $card; alternate-background-color: $window;
    border: 1px solid $border; border-radius: 6px; gridline-color: $border;
    selection-background-color: $accent; selection-color: $on_accent;
}
QListView:focus, QTableView:focus { border-color: $accent; }
QListView::indicator {
    width: 12px; height: 12px; border: 1px solid $field_outline; border-radius: 3px;
    background: $field;
}
QListView::indicator:checked { width: 6px; height: 6px; border: 4px solid $accent; }
QHeaderView { background: transparent; }
QHeaderView::section {
    color: $muted; background: $window; border: none; padding: 4px 8px;
    font-weight: normal;
    border-bottom: 1px solid $border; border-right: 1px solid $border;
}
QTableCornerButton::section { background: $window; border: none; }

QTabWidget::pane { border: none; border-top: 1px solid $border; }
QTabBar { qproperty-drawBase: 0; }
QTabBar::tab {
    color: $muted; background: transparent; padding: 5px 10px;
    border: none; border-bottom: 2px solid transparent;
}
QTabBar::tab:hover { color: $text; background: $hover; }
QTabBar::tab:selected { color: $text; border-bottom-color: $accent; }
QTabBar::tab:focus { background: $hover; }
QTabBar::tab:disabled { color: $disabled; }

QSplitter::handle { background: transparent; }
QSplitter::handle:hover { background: $pressed; }
QSplitter::handle:pressed { background: $accent; }

QScrollArea { border: none; background: transparent; }
QAbstractScrollArea::corner { border: none; background: transparent; }
QScrollBar { background: transparent; border: none; }
QScrollBar:vertical { width: 10px; }
QScrollBar:horizontal { height: 10px; }
QScrollBar::handle { background: $outline; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 24px; }
QScrollBar::handle:horizontal { min-width: 24px; }
QScrollBar::handle:hover { background: $muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QMenuBar { background: $window; color: $text; }
QMenuBar::item { padding: 4px 8px; border-radius: 4px; background: transparent; }
QMenuBar::item:selected { background: $hover; }
QMenu {
    color: $text; background: $card; border: 1px solid $outline; padding: 4px;
}
QMenu::item { padding: 5px 24px 5px 10px; border-radius: 4px; }
QMenu::item:selected { color: $on_accent; background: $accent; }
QMenu::item:disabled { color: $disabled; background: transparent; }
QMenu::separator { height: 1px; background: $border; margin: 4px 8px; }
QMenu::icon { padding-left: 8px; }

QStatusBar { color: $muted; background: $window; border-top: 1px solid $border; }
QFrame#palette { border: 1px solid $outline; border-radius: 8px; }
QFrame[role="note"] {
    background: $window; border: 1px solid $border; border-radius: 6px;
}
QListWidget#palette_list { border: none; }
QListWidget#palette_list::item:selected { background: $pressed; border-radius: 4px; }
QWidget#top_row { background: $window; }
ElidedLabel[role="verdict"] { color: $text; font-size: ${large}px; font-weight: 600; }
ElidedLabel[role="small_verdict"] { color: $text; font-weight: 600; }
ElidedLabel[role="tiny_verdict"] {
    color: $text; font-size: ${small}px; font-weight: 600;
}
ElidedLabel[role="verdict"]:disabled, ElidedLabel[role="small_verdict"]:disabled,
ElidedLabel[role="tiny_verdict"]:disabled {
    color: $muted;
}
QScrollArea[role="page"] { border: 2px solid transparent; border-radius: 4px; }
QScrollArea[role="page"]:focus { border-color: $accent; }
QLabel[role="chip"] {
    color: $muted; background: $card; border: 1px solid $border; border-radius: 9px;
    padding: 1px 8px;
}
QStatusBar::item { border: none; }
QStatusBar QLabel { color: $muted; padding: 2px 8px; }
QStatusBar QPushButton[role="link"] { min-height: 0; padding: 0 7px; }
QStatusBar QPushButton[role="link"]:focus { padding: 0 6px; }

QMainWindow::separator { background: transparent; width: 6px; }
QMainWindow::separator:hover { background: $pressed; }

QProgressBar {
    color: $text; background: $groove; border: none; border-radius: 3px;
    text-align: center;
}
QProgressBar::chunk { background: $accent; border-radius: 3px; }

FoldHeader {
    color: $text; background: transparent; border: 2px solid transparent;
    border-radius: 6px; padding: 2px 4px; text-align: left;
}
FoldHeader:checked, FoldHeader:pressed { background: transparent; }
FoldHeader:hover { background: $hover; }
FoldHeader:focus { border: 2px solid $accent; padding: 2px 4px; }
FoldHeader[role="card"] { font-weight: 600; }
FoldHeader[role="fold"] { color: $muted; }
FoldHeader[role="fold"], FoldHeader[role="fold"]:focus { padding-left: 0; }

QFrame[role="question"] {
    background: $card; border: 1px solid $border; border-left: 3px solid $warning;
    border-radius: 6px;
}
MessageBar { border: none; border-bottom: 1px solid $border; background: $card; }
MessageBar[place="footer"] { border: 1px solid $border; border-radius: 6px; }
MessageBar[severity="info"] { border-left: 3px solid $info; }
MessageBar[severity="warning"] { border-left: 3px solid $warning; }
MessageBar[severity="error"] { border-left: 3px solid $error; }
""")


def style_sheet(theme: Theme, scale: float = 1.0) -> str:
    """Return the style sheet of the whole application, its type scaled."""
    QDir.setSearchPaths(_ICONS, [str(asset("icons"))])
    colors = {key: value for key, value in asdict(theme).items() if key != "name"}
    return _SHEET.substitute(colors, icons=_ICONS, **asdict(font_sizes(scale)))


def apply_theme(app: QApplication, theme: Theme, scale: float = 1.0) -> None:
    # Off before it is on again: three times as fast as one sheet over another.
    set_palette_and_font(app, theme, scale)
    app.setStyleSheet(style_sheet(theme, scale))


def set_palette_and_font(app: QApplication, theme: Theme, scale: float = 1.0) -> None:
    """Take the sheet off, but let font and palette be those of a theme.

    A window is put together in half the time without a sheet, which would be asked at
    every step.
    """
    if app.styleSheet():
        app.setStyleSheet("")
    elif app.style().name() != "fusion":
        # Only the first time: every widget would be polished anew.
        app.setStyle("Fusion")
    set_type_scale(scale)
    font = app.font()
    font.setPixelSize(font_sizes(scale).normal)
    app.setFont(font)
    app.setPalette(palette(theme))
