"""The line between controls and plots: one sentence on the picture, its certificate.

Messages and progress lie over it, so that nothing moves because of them.
"""

from operator import attrgetter

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QSizePolicy, QWidget

from kpca_viewer.engine.choice_note import ChoiceNote, kernel_words
from kpca_viewer.engine.claims.choice import score_words
from kpca_viewer.engine.claims.verdict import verdict_on
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.text.describe import NOTHING_DRAWN, components_text, verdict_tip
from kpca_viewer.engine.text.glossary import tip
from kpca_viewer.engine.text.remarks import about_equal, about_flat
from kpca_viewer.support.numerals import percent, spelled
from kpca_viewer.widgets.controls import ElidedLabel
from kpca_viewer.widgets.controls.labels import one_line
from kpca_viewer.widgets.scene import ShowsScene

MEASURE = " balanced accuracy"
"""Words that the tooltip has as well, and its definition."""

OF_BEFORE = "Verdict on the picture before:"
WRAPPED = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignVCenter)


def verdict_words(result: AnalysisResult, where: str = "") -> str:
    """Return what the picture shows in one sentence, as far as it can be told."""
    if words := about_equal(result):
        return words
    said, flat = verdict_on(result, where), about_flat(result)
    # That plain PCA only turns a plane is no verdict on the picture.
    if said is not None and said.key != "only turned":
        return f"{flat} {said.text}".lstrip()
    if flat:
        return flat
    axes = result.settings.view.shown_axes
    share = sum(float(result.shares[j]) for j in set(axes) if j < len(result.shares))
    return f"{result.mass.mark}{percent(share)} of the variance on these axes."


def beside_search(result: AnalysisResult, note: ChoiceNote | None) -> tuple[str, str]:
    """Return which components are shown, and what a search tells of more of them.

    Both are empty where no search by these classes recommends more, or has found more
    for this kernel.
    """
    data, view = result.settings.data, result.settings.view
    if note is None or note.evidence != "classes" or not note.is_of(data):
        return "", ""
    choice = note.choice()
    own = [row for row in choice.rows if row.kernel == result.kernel]
    axes = view.judged_axes(result.scores.shape[1])
    rows = [row for row in (*own, choice.chosen) if row.components > len(axes)]
    if not rows:
        return "", ""
    # Of few columns, plain PCA has other components beside these.
    linear = result.linear
    same = linear is None or sorted(linear.axes_beside(view)) == sorted(axes)
    where = components_text(axes) if same else "the components shown"
    told = (
        f"The search over kernels tells {score_words(rows[0], choice)}, for "
        f"{kernel_words(rows[0])} with {spelled(rows[0].components, 'component')}; the "
        f"headline is about {components_text(axes)}."
    )
    return f" on {where}", told


def _first_sentence(text: str) -> str:
    head, end, _ = text.partition(". ")
    return f"{head}." if end else text


class VerdictWords(ElidedLabel):
    """A sentence on one line, or on two."""

    resized = Signal()
    _lines = 1

    def set_lines(self, lines: int) -> None:
        if lines != self._lines:
            self._lines = lines
            self.updateGeometry()
            self.update()

    def shown_text(self) -> str:
        return super().shown_text() if self._lines == 1 else self.text()

    def fits_two_lines(self) -> bool:
        room = QRect(0, 0, self.contentsRect().width(), 10_000)
        needed = self.fontMetrics().boundingRect(room, WRAPPED, self._wrapped())
        return needed.height() <= 2 * self.fontMetrics().lineSpacing() + 1

    def sizeHint(self) -> QSize:
        more = (self._lines - 1) * self.fontMetrics().lineSpacing()
        return super().sizeHint() + QSize(0, more)

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.resized.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._lines == 1:
            super().paintEvent(event)
            return
        with QPainter(self) as painter:
            painter.setPen(self.palette().color(self.foregroundRole()))
            painter.drawText(self.contentsRect(), WRAPPED, self._wrapped())

    def _wrapped(self) -> str:
        # A number and its sign stay on one line.
        return self.text().replace(" %", "\u00a0%")


class Chip(QLabel):
    """Few words whose height is that of any: raised digits may be of another font."""

    def sizeHint(self) -> QSize:
        around = self.height() - self.contentsRect().height()
        height = one_line(self.fontMetrics()) + around
        return QSize(super().sizeHint().width(), height)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class VerdictLine(ShowsScene, QWidget):
    """One sentence, which can be copied, and a chip for the error bound."""

    part = attrgetter("result", "is_empty", "stale", "played", "notes.choice")

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("verdict_line")
        self._sentence = self._about = self._where = ""
        self._said = "", "", ""
        self._judged: AnalysisResult | None = None
        self._words = VerdictWords()
        self._has_two = False
        self._words.setObjectName("verdict_label")
        self._words.setProperty("role", "verdict")
        self._words.setAccessibleName("Verdict")
        self._words.setSizePolicy(
            QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred
        )
        self._words.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._words.customContextMenuRequested.connect(self._on_menu_requested)
        # The chip beside it may have taken room.
        self._words.resized.connect(self._fit)
        self._chip = Chip()
        self._chip.setObjectName("certificate_chip")
        self._chip.setProperty("role", "chip")
        self._chip.setTextFormat(Qt.TextFormat.PlainText)
        # Plots must not move by a pixel when it comes.
        kept = self._chip.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self._chip.setSizePolicy(kept)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(8, 0, 12, 0)
        layout.setSpacing(12)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        layout.addWidget(self._words, 1)
        layout.addWidget(self._chip, 0, Qt.AlignmentFlag.AlignVCenter)

    def text(self) -> str:
        """Return all that is said, whether or not there is room for it."""
        return self._sentence

    def _say(self, sentence: str) -> None:
        said = sentence, self._where, self._about
        self._words.setAccessibleName(f"Verdict: {sentence}")
        if said != self._said:
            self._said, self._sentence = said, sentence
            self._fit()

    def refresh(self) -> None:
        """Show what is known of the result; dimmed where it is about another one."""
        result = self.scene.result
        behind = self.scene.stale is not None or self.scene.played is not None
        self._chip.setEnabled(not behind)
        self._chip.setVisible(result is not None)
        if result is None:
            self._about, self._where, self._judged = "", "", None
            self._words.setEnabled(not behind)
            self._say(NOTHING_DRAWN if self.scene.is_empty else "")
            return
        comparison = result.comparison
        before = self._judged
        if comparison is not None or before is None or not result.has_rows_of(before):
            self._where, of_search = beside_search(result, self.scene.notes.choice)
            about = (verdict_tip(result), of_search)
            self._about, self._judged = "\n".join(filter(None, about)), result
            self._words.setEnabled(not behind)
            self._say(verdict_words(result, self._where))
        else:
            # Until this picture of the same rows is judged, the sentence of the one
            # before stays, dimmed: it would flicker under a hand.
            self._words.setEnabled(False)
            self._words.setAccessibleName(f"{OF_BEFORE} {self._sentence}")
        sure = result.decomposition.error < 1
        certificate = result.certificate
        words = certificate.removeprefix("eigenvalues ").removeprefix("exact to ")
        self._chip.setText(f"✓ {words}" if sure else f"⚠ {words}")
        self._chip.setToolTip(f"{certificate.capitalize()}.\n{tip('certificate')}")
        self._chip.setAccessibleName(f"Certificate: {certificate}")

    def _fit(self) -> None:
        """Take smaller type where there is no room, the first sentence, or two lines.

        Two lines stay two until the room is another one: nothing moves under a hand.
        """
        whole, first = self._sentence, _first_sentence(self._sentence)
        self._words.set_text(whole)
        if not (self._has_two or self._fits_one_line(whole, first)):
            self._has_two = True
        self._words.set_lines(2 if self._has_two else 1)
        if self._has_two:
            short = first.replace(MEASURE, "")
            numbers = short.rpartition(": ")[2]
            for role, text in (
                ("small_verdict", whole),
                ("small_verdict", first),
                ("tiny_verdict", first),
                ("tiny_verdict", short),
                ("tiny_verdict", f"{numbers[:1].upper()}{numbers[1:]}"),
            ):
                self._dress(role, text)
                if self._words.fits_two_lines():
                    break
        more = [whole] if self._words.text() != whole else []
        self._words.set_about("\n".join([*more, self._about]))

    def _fits_one_line(self, whole: str, first: str) -> bool:
        self._words.set_lines(1)
        short = whole.replace(MEASURE, "")
        for role, text in (
            ("verdict", whole),
            ("verdict", short),
            ("small_verdict", whole),
            ("small_verdict", short),
            ("small_verdict", short.replace(self._where, "")),
            ("verdict", first),
            ("verdict", first.replace(MEASURE, "")),
            ("small_verdict", first),
            ("tiny_verdict", first),
        ):
            self._dress(role, text)
            if self._words.shown_text() == text:
                return True
        return False

    def _dress(self, role: str, text: str) -> None:
        self._words.setProperty("role", role)
        self._words.style().unpolish(self._words)
        self._words.style().polish(self._words)
        self._words.set_text(text)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._has_two = False
            self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._has_two = False
            self._fit()

    def _on_menu_requested(self, place: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copy = menu.addAction("Copy the sentence")
        copy.triggered.connect(self._on_copy_requested)
        menu.popup(self._words.mapToGlobal(place))

    def _on_copy_requested(self) -> None:
        QGuiApplication.clipboard().setText(self.text())


GAP = 8
"""Pixels above and below the line, together."""


class LiesOver(QObject):
    """Keeps a widget over another one, as wide, and as high as it needs to be."""

    def __init__(self, widget: QWidget, below: QWidget) -> None:
        super().__init__(widget)
        self._widget, self._below = widget, below
        widget.installEventFilter(self)
        below.installEventFilter(self)

    def _place(self) -> None:
        host = self._widget.parentWidget()
        if host is None or self._widget.isHidden():
            return
        corner = self._below.mapTo(host, QPoint(0, 0))
        width = self._below.width()
        needed = max(self._widget.heightForWidth(width), 0)
        height = max(self._below.height(), needed)
        # What is hardly higher takes its room from the gaps around the line.
        more = height - self._below.height()
        top = corner.y() - (more // 2 if more <= GAP else 0)
        self._widget.setGeometry(corner.x(), top, width, height)
        self._widget.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the line below, and what the widget has to say."""
        kinds = QEvent.Type
        if event.type() in (kinds.Resize, kinds.Move, kinds.Show, kinds.LayoutRequest):
            self._place()
        return super().eventFilter(watched, event)
