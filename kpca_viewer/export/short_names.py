"""Names that have no room: cut so that they stay different, and units whole."""

import re
from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetricsF

_WORD = re.compile(r"[^\s_.-]+[\s_.-]*")
_UNIT = re.compile(r" ?(\([^()]{1,12}\)|\[[^\[\]]{1,12}\])$")


def elided(
    text: str,
    font: QFont,
    width: float,
    cut: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle,
) -> str:
    """Return the text shortened so that it fits; a unit in brackets stays whole.

    In its middle, unless said otherwise: mostly the ends tell names apart.
    """
    line, metrics = " ".join(text.split()), QFontMetricsF(font)
    whole = metrics.horizontalAdvance(line) <= width
    unit = None if whole else _UNIT.search(line)
    if unit is not None:
        room = width - metrics.horizontalAdvance(unit.group())
        if room >= metrics.horizontalAdvance("mm…mm"):
            return metrics.elidedText(line[: unit.start()], cut, room) + unit.group()
    return metrics.elidedText(line, cut, width)


def elided_apart(names: Sequence[str], font: QFont, width: float) -> list[str]:
    """Return names shortened so that they fit, and stay different where they were.

    Those that would look alike leave out what they begin with instead.
    """
    shown = [elided(name, font, width) for name in names]
    for text in {text for text in shown if shown.count(text) > 1}:
        alike = [at for at, each in enumerate(shown) if each == text]
        words = [_WORD.findall(names[at]) for at in alike]
        columns = enumerate(zip(*words, strict=False))
        first = next((k for k, each in columns if len(set(each)) > 1), 0)
        if first:
            for at, parts in zip(alike, words, strict=True):
                rest = f"…{''.join(parts[first:])}"
                shown[at] = elided(rest, font, width, Qt.TextElideMode.ElideRight)
    return shown
