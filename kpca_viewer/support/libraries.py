"""Libraries that Qt expects from the system."""

import ctypes
import sys

PACKAGES = {
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libfontconfig.so.1": "libfontconfig1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
"""Packages of Debian and Ubuntu, by the library."""


def missing() -> list[str]:
    """Return the packages whose libraries cannot be loaded; none but on Linux."""
    if sys.platform != "linux" or getattr(sys, "frozen", False):
        return []
    return [package for name, package in PACKAGES.items() if not _loads(name)]


def what_to_install(packages: list[str]) -> str:
    return f"on Debian and Ubuntu: sudo apt-get install {' '.join(packages)}"


def _loads(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True
