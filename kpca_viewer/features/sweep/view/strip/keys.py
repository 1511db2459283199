"""What the keys do on the strip of a sweep."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

if TYPE_CHECKING:
    from kpca_viewer.features.sweep.strip import SweepStrip

Key = Qt.Key
STEPS = {
    Key.Key_Left: -1,
    Key.Key_BracketLeft: -1,
    Key.Key_Right: 1,
    Key.Key_BracketRight: 1,
}
# Up is the larger value of the second parameter, as in the gallery and the heat map.
ROWS = {Key.Key_Up: 1, Key.Key_Down: -1}


def press(strip: "SweepStrip", key: int) -> bool:
    """Step, change the row, play or go to an end; returns whether the key is one."""
    reel = strip.film.reel
    if key in STEPS:
        strip.step(STEPS[Key(key)])
    elif key in ROWS:
        strip.show_row(reel.row + ROWS[Key(key)])
    elif key in (Key.Key_Home, Key.Key_End):
        point = reel.nearest(0 if key == Key.Key_Home else reel.count - 1)
        if point is not None:
            strip.adopt(point)
    elif key == Key.Key_Space:
        strip.toggle_play()
    else:
        return False
    return True
