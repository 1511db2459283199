"""Text can be read in both themes, and the style sheet is one that Qt accepts."""

from itertools import combinations
from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

import numpy as np
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

from kpca_viewer.widgets.plots.sprites import FADED
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


# Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB.
DEUTAN = np.array(
    [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ]
)
PROTAN = np.array(
    [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ]
)
TO_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)


def lab(color, sight):
    """CIELAB (D65) of a colour as somebody sees it."""
    rgb = np.array(QColor(color).getRgbF()[:3])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    t = TO_XYZ @ np.clip(sight @ linear, 0, 1) / TO_XYZ.sum(axis=1)
    x, y, z = np.where(t > 216 / 24389, np.cbrt(t), (24389 / 27 * t + 16) / 116)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def ciede2000(one, other):
    (l1, a1, b1), (l2, a2, b2) = one, other
    c = (hypot(a1, b1) + hypot(a2, b2)) / 2
    g = 0.5 * (1 - sqrt(c**7 / (c**7 + 25**7)))
    a1, a2 = a1 * (1 + g), a2 * (1 + g)
    c1, c2 = hypot(a1, b1), hypot(a2, b2)
    h1, h2 = degrees(atan2(b1, a1)), degrees(atan2(b2, a2))
    dh = (h2 - h1 + 180) % 360 - 180
    middle, c, h = (l1 + l2) / 2 - 50, (c1 + c2) / 2, (h1 + dh / 2) % 360
    t = (
        1
        - 0.17 * cos(radians(h - 30))
        + 0.24 * cos(radians(2 * h))
        + 0.32 * cos(radians(3 * h + 6))
        - 0.20 * cos(radians(4 * h - 63))
    )
    light = (l2 - l1) / (1 + 0.015 * middle**2 / sqrt(20 + middle**2))
    chroma = (c2 - c1) / (1 + 0.045 * c)
    hue = 2 * sqrt(c1 * c2) * sin(radians(dh / 2)) / (1 + 0.015 * c * t)
    turn = 60 * exp(-(((h - 275) / 25) ** 2))
    rotation = -2 * sqrt(c**7 / (c**7 + 25**7)) * sin(radians(turn))
    return sqrt(light**2 + chroma**2 + hue**2 + rotation * chroma * hue)


def test_colour_difference_formula():
    """Pairs of Sharma, Wu and Dalal (2005)."""
    pairs = [
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
        ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
    ]
    for one, other, expected in pairs:
        assert ciede2000(one, other) == pytest.approx(expected, abs=1e-4)


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

    @pytest.mark.parametrize("background", ["window", "card", "field"])
    def test_outlines_of_fields(self, theme, background):
        assert contrast(theme.field_outline, getattr(theme, background)) >= 3

    def test_points(self, theme):
        for color in (*theme.class_colors, theme.muted, theme.other):
            assert contrast(color, theme.card) >= 3

    def test_classes_differ_for_people_who_do_not_see_red_or_green(self, theme):
        colors = [*theme.class_colors, theme.muted, theme.other]
        assert len(theme.class_colors) == 12
        for sight in (np.eye(3), DEUTAN, PROTAN):
            seen = [lab(color, sight) for color in colors]
            least = min(ciede2000(*pair) for pair in combinations(seen, 2))
            assert least >= 10

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


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_points_that_are_not_selected_can_still_be_seen(theme):
    share, card = FADED.body * FADED.hue, QColor(theme.card)

    def faded(hue):
        pairs = zip(QColor(hue).getRgb()[:3], card.getRgb()[:3], strict=True)
        return QColor(*(round(share * a + (1 - share) * b) for a, b in pairs)).name()

    assert min(contrast(faded(hue), theme.card) for hue in theme.class_colors) >= 1.35
