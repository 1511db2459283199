"""Colours and type sizes of the window and the plots, light and dark."""

from dataclasses import dataclass, replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFontDatabase, QFontInfo, QGuiApplication, QPalette

from kpca_viewer.export.class_colors import CLASS_COLORS, CLASS_COLORS_ON_DARK


@dataclass(frozen=True)
class Theme:
    """One set of colours, each ``#RRGGBB``.

    Attributes
    ----------
    name : str
        ``"light"`` or ``"dark"``.
    window, card, field : str
        Backgrounds: of the window, of cards and plots, of what can be typed into.
    text, muted, disabled : str
        Text: normal, of less weight, and of what cannot be used now.
    accent, on_accent : str
        What is chosen or live, and text on top of it.
    hover, pressed : str
        Backgrounds of flat buttons under the pointer.
    border, outline : str
        Lines that divide, and lines around controls.
    groove : str
        The track of a slider or a progress line that is not filled.
    info, warning, error : str
        Text and icons of messages.
    field_outline : str
        Around what can be typed into or chosen from.
    other : str
        Of classes that have no colour of their own; points without a class are muted.
    class_colors : tuple of str
        Of points, by class code.
    shaped : bool
        Whether further classes have the colours again in other shapes, as on paper.
    strong : bool
        Whether tints behind numbers are strong enough for the last row of a class.
    """

    name: str
    window: str
    card: str
    text: str
    muted: str
    accent: str
    border: str
    warning: str
    error: str
    field: str
    disabled: str
    on_accent: str
    hover: str
    pressed: str
    outline: str
    groove: str
    info: str
    field_outline: str
    other: str
    class_colors: tuple[str, ...] = CLASS_COLORS
    shaped: bool = False
    strong: bool = False


LIGHT = Theme(
    name="light",
    window="#F5F6F8",
    card="#FFFFFF",
    text="#1B1F24",
    muted="#5B6470",
    accent="#2F6FED",
    border="#E1E4E8",
    warning="#9A5B00",
    error="#B3261E",
    field="#FFFFFF",
    disabled="#A3AAB4",
    on_accent="#FFFFFF",
    hover="#ECEEF2",
    pressed="#DFE3E9",
    outline="#C3C9D1",
    groove="#D5DAE1",
    info="#2563DB",
    field_outline="#7F8894",
    other="#8A929D",
)
DARK = Theme(
    name="dark",
    window="#15171C",
    card="#1D2027",
    text="#E7E9EC",
    muted="#9AA3AE",
    accent="#76A5FF",
    border="#2E323B",
    warning="#F0B45A",
    error="#FF8A80",
    field="#171A20",
    disabled="#5C6470",
    on_accent="#10131A",
    hover="#272B34",
    pressed="#323742",
    outline="#434955",
    groove="#3A404B",
    info="#8DB4FF",
    field_outline="#6F7885",
    other="#6B7480",
    class_colors=CLASS_COLORS_ON_DARK,
)
THEMES = {theme.name: theme for theme in (LIGHT, DARK)}


@dataclass(frozen=True)
class FontSizes:
    """The three sizes of type, in pixels."""

    small: int
    normal: int
    large: int


def font_sizes(scale: float = 1.0) -> FontSizes:
    """Return the sizes that go with the font of the system."""
    system = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    # Someone who set a large font in the system wants it here too; an odd or missing
    # setting (as on a bare server) must not break the layout.
    normal = min(max(QFontInfo(system).pixelSize(), 13), 20) * scale
    return FontSizes(round(normal * 0.86), round(normal), round(normal * 1.16))


STEP = 1.1
"""By how much a step makes all type larger."""

READABLE = 0.022
"""Of the height of a screen: the least type that the last row of a class can read."""

PRESENTING = 1.4
"""In front of a class all type is larger by so much at least."""


def presenting_scale(height: int) -> float:
    """Return how much larger all type is on a screen of so many pixels for a class."""
    smallest = font_sizes().small
    return max(PRESENTING, (READABLE * height + 0.5) / smallest)


def presented(theme: Theme) -> Theme:
    """Return a theme whose grid and tints can be seen on a pale projector."""
    return replace(theme, border=theme.field_outline, strong=True)


def system_theme() -> Theme:
    scheme = QGuiApplication.styleHints().colorScheme()
    return DARK if scheme == Qt.ColorScheme.Dark else LIGHT


def theme_of(palette: QPalette) -> Theme:
    """Return the theme behind a palette, for widgets that paint themselves."""
    behind = palette.window().color()
    if not behind.alpha():
        # A style sheet has made it transparent, which would count as black.
        behind = QGuiApplication.palette().window().color()
    return DARK if behind.lightness() < 128 else LIGHT


def palette(theme: Theme) -> QPalette:
    role = QPalette.ColorRole
    colors = {
        role.Window: theme.window,
        role.WindowText: theme.text,
        role.Base: theme.field,
        role.AlternateBase: theme.window,
        role.Text: theme.text,
        role.PlaceholderText: theme.muted,
        role.Button: theme.card,
        role.ButtonText: theme.text,
        role.BrightText: theme.error,
        role.Highlight: theme.accent,
        role.HighlightedText: theme.on_accent,
        role.Accent: theme.accent,
        role.Link: theme.info,
        role.LinkVisited: theme.info,
        role.ToolTipBase: theme.card,
        role.ToolTipText: theme.text,
        # The shades that Fusion draws frames with.
        role.Light: theme.card,
        role.Midlight: theme.hover,
        role.Mid: theme.border,
        role.Dark: theme.outline,
        role.Shadow: theme.outline,
    }
    result = QPalette()
    for key, color in colors.items():
        result.setColor(key, QColor(color))
    for key in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText):
        result.setColor(QPalette.ColorGroup.Disabled, key, QColor(theme.disabled))
    result.setColor(QPalette.ColorGroup.Disabled, role.Highlight, QColor(theme.pressed))
    return result
