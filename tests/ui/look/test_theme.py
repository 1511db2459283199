"""Text can be read in both themes, and the style sheet is one that Qt accepts."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import (
    QComboBox,
    QDialogButtonBox,
    QLabel,
    QProxyStyle,
    QSpinBox,
    QStyle,
)

from kpca_viewer.widgets.plots.chart import mixed
from kpca_viewer.widgets.plots.sprites import NORMAL
from kpca_viewer.widgets.plots.text import set_type_scale
from kpca_viewer.widgets.style import apply_theme, style_sheet
from kpca_viewer.widgets.theme import (
    DARK,
    LIGHT,
    THEMES,
    font_sizes,
    palette,
    system_theme,
    theme_of,
)

# The offscreen platform says this about every window.
pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")


def luminance(color):
    """Relative luminance as WCAG 2 defines it."""
    channels = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
        for c in QColor(color).getRgbF()[:3]
    ]
    return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]


def contrast(one, other):
    dark, light = sorted([luminance(one), luminance(other)])
    return (light + 0.05) / (dark + 0.05)


def test_contrast_formula():
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
class TestContrast:
    @pytest.mark.parametrize("background", ["window", "card", "field"])
    @pytest.mark.parametrize("ink", ["text", "muted", "info", "warning", "error"])
    def test_text(self, theme, ink, background):
        assert contrast(getattr(theme, ink), getattr(theme, background)) >= 4.5

    @pytest.mark.parametrize("background", ["hover", "pressed"])
    def test_text_under_the_pointer(self, theme, background):
        assert contrast(theme.text, getattr(theme, background)) >= 4.5

    def test_muted_text_of_segments(self, theme):
        assert contrast(theme.muted, theme.hover) >= 4.5

    def test_chosen_segment(self, theme):
        assert contrast(theme.accent, theme.card) >= 4.5

    def test_text_on_the_accent(self, theme):
        assert contrast(theme.on_accent, theme.accent) >= 4.5

    @pytest.mark.parametrize("background", ["window", "card", "field"])
    def test_focus_ring(self, theme, background):
        assert contrast(theme.accent, getattr(theme, background)) >= 3

    def test_icons_that_style_sheets_use(self, theme):
        from kpca_viewer.widgets.icons import INK

        assert contrast(INK, theme.field) >= 3

    def test_points(self, theme):
        if theme is DARK:
            # As they are drawn: a little of the card shows through.
            for color in theme.class_colors:
                seen = mixed(color, theme.card, NORMAL.body)
                assert contrast(seen, theme.card) >= 3

    def test_disabled_can_still_be_seen(self, theme):
        assert contrast(theme.disabled, theme.card) >= 2


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_palette_leads_back_to_its_theme(qapp, theme):
    assert theme_of(palette(theme)) is theme
    role = QPalette.ColorRole
    assert palette(theme).color(role.Highlight) == QColor(theme.accent)
    assert palette(theme).color(QPalette.ColorGroup.Disabled, role.Text) == QColor(
        theme.disabled
    )


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_style_sheet_is_complete_and_accepted(qtbot, theme):
    sheet = style_sheet(theme)
    assert "$" not in sheet
    assert theme.accent in sheet
    # A sheet that Qt cannot parse gives a warning, and a warning fails the test.
    for make in (QComboBox, QSpinBox, QLabel):
        widget = make()
        qtbot.addWidget(widget)
        widget.setStyleSheet(sheet)
        widget.show()


def test_theme_reaches_every_widget(qapp, qtbot):
    before = qapp.palette(), qapp.styleSheet(), qapp.font()
    label = QLabel("text")
    qtbot.addWidget(label)
    label.show()
    try:
        for theme in (DARK, LIGHT):
            apply_theme(qapp, theme)
            assert theme_of(label.palette()) is theme
            assert label.palette().windowText().color() == QColor(theme.text)
        normal = label.font().pixelSize()
        apply_theme(qapp, LIGHT, scale=1.5)
        assert label.font().pixelSize() > normal
    finally:
        qapp.setPalette(before[0])
        qapp.setStyleSheet(before[1])
        qapp.setFont(before[2])
        set_type_scale(1.0)


class Desktop(QProxyStyle):
    """A desktop that puts icons onto the buttons of dialogs."""

    def styleHint(self, hint, option=None, widget=None, data=None):
        return int(hint == QStyle.StyleHint.SH_DialogButtonBox_ButtonsHaveIcons)


def test_buttons_of_dialogs_have_no_icons_of_the_desktop(qapp, qtbot):
    apply_theme(qapp, LIGHT)
    box, style = QDialogButtonBox(), Desktop()
    qtbot.addWidget(box)
    box.setStyle(style)
    hint = QStyle.StyleHint.SH_DialogButtonBox_ButtonsHaveIcons
    assert style.styleHint(hint)
    assert not box.style().styleHint(hint, None, box)


def test_three_sizes(qapp):
    sizes = font_sizes()
    assert sizes.small < sizes.normal < sizes.large
    assert font_sizes(2.0).normal == pytest.approx(2 * sizes.normal, abs=1)


def test_system_theme_follows_the_desktop(qapp, monkeypatch):
    class Hints:
        def __init__(self, scheme):
            self.scheme = scheme

        def colorScheme(self):
            return self.scheme

    for scheme, theme in [
        (Qt.ColorScheme.Dark, DARK),
        (Qt.ColorScheme.Light, LIGHT),
        (Qt.ColorScheme.Unknown, LIGHT),
    ]:
        monkeypatch.setattr(QGuiApplication, "styleHints", lambda s=scheme: Hints(s))
        assert system_theme() is theme
