"""Whether there is a screen to show a window on."""

import os
import sys
from pathlib import Path


def has_screen() -> bool:
    """Whether a window can be shown."""
    platform = os.environ.get("QT_QPA_PLATFORM", "")
    if platform:
        return not platform.startswith(("offscreen", "minimal", "vnc"))
    if not sys.platform.startswith("linux"):
        return True
    if os.environ.get("WAYLAND_DISPLAY"):
        return True
    display = os.environ.get("DISPLAY", "")
    if display.startswith(":"):
        # A display without a server would abort the process inside Qt.
        number = display[1:].partition(".")[0]
        return Path(f"/tmp/.X11-unix/X{number}").exists()
    return bool(display)
