"""How much of what is no longer true is taken away."""

from PySide6.QtWidgets import QGraphicsOpacityEffect, QWidget

DIM = 0.55


def set_dimmed(widget: QWidget, dimmed: bool) -> None:
    """Show that a control or text is about what was before; it can still be used."""
    if dimmed == is_dimmed(widget):
        return
    if dimmed:
        effect = QGraphicsOpacityEffect(widget)
        effect.setOpacity(1 - DIM)
        widget.setGraphicsEffect(effect)
    else:
        widget.setGraphicsEffect(None)  # type: ignore[arg-type]


def is_dimmed(widget: QWidget) -> bool:
    """Return whether a control or text is dimmed."""
    return widget.graphicsEffect() is not None
