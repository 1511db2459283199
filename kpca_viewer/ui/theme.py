"""Colours of the window and the plots, light and dark."""

from dataclasses import dataclass

CLASS_COLORS = (
    "#0072B2",  # blue
    "#D55E00",  # vermillion
    "#009E73",  # green
    "#E69F00",  # orange
    "#56B4E9",  # sky
    "#CC79A7",  # purple
    "#F0E442",  # yellow
    "#8A8F98",  # grey
)


@dataclass(frozen=True)
class Theme:
    """One set of colours, each ``#RRGGBB``."""

    name: str
    window: str
    card: str
    text: str
    muted: str
    accent: str
    border: str
    warning: str
    error: str
    class_colors: tuple[str, ...] = CLASS_COLORS


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
)
