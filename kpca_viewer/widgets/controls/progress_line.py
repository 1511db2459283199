"""ProgressLine: a thin line that says what is being worked on, if it takes long."""

from PySide6.QtCore import (
    QEvent,
    QObject,
    QRectF,
    Qt,
    QTimer,
    QVariantAnimation,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QHideEvent,
    QMoveEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from kpca_viewer.support.numerals import percent
from kpca_viewer.widgets.controls.labels import ElidedLabel
from kpca_viewer.widgets.theme import theme_of

DELAY = 150
"""Milliseconds of work that need no message."""

HEIGHT = 3


class ProgressLine(QWidget):
    """Three pixels of progress, with the stage and Cancel on a note below.

    The line keeps its height while idle and the note floats over the content, so that
    nothing in the window moves when work begins or ends.
    """

    cancel_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("progress_line")
        self.setAccessibleName("Progress")
        self.setToolTip("How far the current work is")
        self.setFixedHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._stage = ""
        self._fraction: float | None = None
        self.is_working = False
        self._delay = QTimer(self, singleShot=True, interval=DELAY)
        self._delay.timeout.connect(self._appear)
        self._sweep = QVariantAnimation(self)
        self._sweep.setStartValue(0.0)
        self._sweep.setEndValue(1.0)
        self._sweep.setDuration(1400)
        self._sweep.setLoopCount(-1)
        self._sweep.valueChanged.connect(self._on_swept)
        self._note = self._make_note()

    def begin(self, stage: str) -> None:
        self._stage, self._fraction = stage, None
        self._cancel.setEnabled(True)
        if not self.is_working:
            self.is_working = True
            self._delay.start()
        self._refresh()

    def report(self, stage: str, fraction: float | None = None) -> None:
        """Say how far the work is: 0 to 1, or None where that is not known."""
        if not self.is_working:
            self.begin(stage)
        self._stage, self._fraction = stage, fraction
        self._refresh()

    def end(self) -> None:
        shown, self.is_working = self.is_shown(), False
        self._delay.stop()
        self._sweep.stop()
        self._note.hide()
        if shown:
            self.update()

    def is_shown(self) -> bool:
        return self.is_working and not self._delay.isActive()

    def _make_note(self) -> QFrame:
        host = self.parentWidget()
        note = QFrame(self if host is None else host)
        note.setProperty("role", "card")
        note.setObjectName("progress_note")
        # Its end says how far the work is.
        self._label = ElidedLabel(cut=Qt.TextElideMode.ElideMiddle)
        self._label.setObjectName("progress_stage")
        self._cancel = QPushButton("Cancel")
        self._cancel.setObjectName("cancel_button")
        self._cancel.setAccessibleName("Cancel the work")
        self._cancel.setToolTip("Stop and keep the picture as it is")
        self._cancel.setProperty("role", "link")
        self._cancel.setAutoDefault(False)
        self._cancel.clicked.connect(self._on_cancel_clicked)
        layout = QHBoxLayout(note)
        layout.setContentsMargins(12, 0, 4, 0)
        layout.setSpacing(8)
        layout.addWidget(self._label)
        layout.addWidget(self._cancel)
        note.hide()
        if host is not None:
            host.installEventFilter(self)
        return note

    def _appear(self) -> None:
        self._note.show()
        self._note.raise_()
        self._refresh()

    def _refresh(self) -> None:
        if not self.is_shown():
            return
        share = "" if self._fraction is None else f" {percent(self._fraction, 0)}"
        self._label.set_text(f"{self._stage}{share}")
        self.setAccessibleDescription(self._label.text())
        moving = self._fraction is None
        running = self._sweep.state() == QVariantAnimation.State.Running
        if moving and not running:
            self._sweep.start()
        elif running and not moving:
            self._sweep.stop()
        self._place()
        self.update()

    def _place(self) -> None:
        host = self._note.parentWidget()
        if not self._note.isVisible() or host is None:
            return
        self._note.adjustSize()
        width = min(self._note.width(), host.width() - 16)
        # Over the end of the line below, and no farther down: plots keep their tools.
        left = min(self.x() + self.width(), host.width()) - 8 - width
        self._note.setGeometry(left, self.y() + HEIGHT, width, self._note.height())

    def _on_swept(self) -> None:
        self.update()

    def _on_cancel_clicked(self) -> None:
        self._cancel.setEnabled(False)
        self._label.set_text("Stopping …")
        self._place()
        self.cancel_requested.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ChildAdded and self._note.isVisible():
            self._note.raise_()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        self._place()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._sweep.stop()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self.is_shown():
            return
        theme = theme_of(self.palette())
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(theme.groove))
            width, height = float(self.width()), float(self.height())
            if self._fraction is None:
                now = float(self._sweep.currentValue() or 0.0)
                done = QRectF((1.3 * now - 0.3) * width, 0, 0.3 * width, height)
            else:
                share = min(max(self._fraction, 0.0), 1.0)
                done = QRectF(0, 0, share * width, height)
            painter.fillRect(done, QColor(theme.accent))
