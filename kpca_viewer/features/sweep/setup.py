"""SweepSetup: the line that describes a sweep before it is started."""

from collections.abc import Mapping
from operator import attrgetter

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from kpca_viewer.data.drawn import NOTHING_YET
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.engine.sweep.parameters import sweepable, title_of
from kpca_viewer.engine.sweep.settings import (
    SweepAxis,
    SweepSettings,
    default_axis,
    propose_second_axis,
    range_subject,
)
from kpca_viewer.features.sweep.view.strip.axis_row import AxisRow
from kpca_viewer.support.errors import DataError
from kpca_viewer.widgets.controls import IconButton, ShrinkingRow
from kpca_viewer.widgets.scene import ShowsScene


class SweepSetup(ShowsScene, QWidget):
    """Parameter, range and Start in one line; a second parameter has a second line.

    Attributes
    ----------
    unfold : IconButton
        Brings back a film that is folded away.
    """

    start_requested = Signal(object)
    """A `SweepSettings`."""
    part = attrgetter(
        "settings.data", "settings.kernel", "settings.analysis", "dataset", "suggested"
    )

    def __init__(self) -> None:
        super().__init__()
        self._subject: tuple[object, ...] = ()
        self._touched = self._picked = False
        title = QLabel("Sweep")
        title.setProperty("role", "title")
        self.first = AxisRow("sweep", "Sweep", self)
        self.second = AxisRow("sweep_second", "Second", self)
        self.second.parameter.setToolTip(
            "A second parameter makes a grid: a row of pictures for each of its values"
        )
        self.start = QPushButton("Start")
        self.start.setObjectName("sweep_start_button")
        self.start.setToolTip("Compute all values in the background  (Ctrl+Enter)")
        self.unfold = IconButton("chevron_up", "Show the film again", 17)
        self.unfold.setObjectName("sweep_unfold_button")
        self._trouble = QLabel()
        self._trouble.setObjectName("sweep_trouble_label")
        self._trouble.setProperty("role", "error")
        self._trouble.setTextFormat(Qt.TextFormat.PlainText)
        self._trouble.setWordWrap(True)
        line = self._line = ShrinkingRow()
        line.add(title, 3)
        line.add(self.first.parameter)
        self.first.add_range_to(line)
        line.add(self.second.parameter, 1)
        line.add(self.start)
        line.add_gap()
        line.add(self.unfold)
        line.set_wanted(self.unfold, False)
        self._second_line = ShrinkingRow()
        self._second_title = QLabel()
        self._second_title.setProperty("role", "muted")
        self._second_line.add(self._second_title, 1)
        self.second.add_range_to(self._second_line)
        self._second_line.add_gap()
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(4)
        rows.addWidget(line)
        rows.addWidget(self._second_line)
        # A line of its own: beside the controls there is no room for a sentence.
        rows.addWidget(self._trouble)
        self._trouble.hide()
        self.first.parameter_chosen.connect(self._on_first_chosen)
        self.second.parameter_chosen.connect(self._on_second_chosen)
        self.start.clicked.connect(self._on_start_clicked)
        for field in (self.first.low, self.first.high, self.first.steps):
            field.valueChanged.connect(self._on_touched)
        for row in (self.first, self.second):
            row.scale.value_changed.connect(self._on_scale_changed)
            for field in (row.low, row.high, row.steps):
                field.valueChanged.connect(self._on_value_changed)
                field.refused.connect(self.set_trouble)
        self.refresh()

    def refresh(self) -> None:
        """Offer what can be swept now. Emits nothing.

        A range that was typed stays until data or kernel are others: then it would be
        about nothing. A parameter that was picked stays as long as there is one.
        """
        if self.trouble() == NOTHING_YET and not self.scene.is_empty:
            self.set_trouble("")
        settings, suggested = self.context
        subject = (*range_subject(settings), self._kind)
        fresh, self._subject = subject != self._subject, subject
        names = sweepable(settings, self._kind)
        chosen = self.first.parameter.currentData()
        second = self.second.parameter.currentData()
        self.first.set_choices(names)
        self._picked = self._picked and chosen in names
        self._touched = self._touched and chosen in names and not fresh
        if self._touched:
            # What was typed is no axis perhaps, but it stays in its fields.
            self.first.choose(chosen)
        else:
            name = chosen if self._picked else names[0]
            self.first.set_axis(default_axis(settings, name, suggested))
        self._offer_second(second, fresh=fresh)

    @property
    def context(self) -> tuple[SessionSettings, Mapping[str, float]]:
        """Settings and suggested values that the range was proposed for."""
        result = self.scene.result
        return self.scene.settings, {} if result is None else result.suggested

    @property
    def _kind(self) -> str:
        return "points" if self.scene.dataset is None else self.scene.dataset.kind

    def describe(self, sweep: SweepSettings) -> None:
        """Show a sweep as if somebody had typed it. Emits nothing."""
        first, *rest = sweep.axes
        self.first.set_axis(first)
        self._touched = self._picked = True
        self._offer_second(rest[0].parameter if rest else None)
        self._show_second(rest[0] if rest else None)

    def offer_film(self, there: bool) -> None:
        """Offer to bring a film back, or not."""
        self._line.set_wanted(self.unfold, there)

    @Slot(str)
    def set_trouble(self, text: str) -> None:
        """Say below the line what is wrong; empty takes it away."""
        self._trouble.setText(text)
        self._trouble.setVisible(bool(text))

    def trouble(self) -> str:
        return self._trouble.text()

    def sweep(self) -> SweepSettings:
        """Return the sweep that the controls describe.

        Raises
        ------
        DataError
            If it makes no sense, with what to do.
        """
        axis = self.first.axis()
        assert axis is not None
        return SweepSettings.along(axis, self.second.axis())

    def begin(self) -> bool:
        """Ask for the sweep that is described; returns whether it makes sense."""
        if self.scene.is_empty:
            self.set_trouble(NOTHING_YET)
            return False
        try:
            sweep = self.sweep()
        except DataError as error:
            self.set_trouble(str(error))
            return False
        self.set_trouble("")
        self.start_requested.emit(sweep)
        return True

    def _offer_second(self, chosen: str | None, *, fresh: bool = False) -> None:
        first = self.first.parameter.currentData()
        names = tuple(
            name for name in sweepable(self.scene.settings, self._kind) if name != first
        )
        self.second.set_choices(names, "no grid")
        if chosen not in names:
            self._show_second(None)
        elif fresh:
            self._on_second_chosen(chosen)
        else:
            self._show_second(self.second.shown_axis())

    def _show_second(self, axis: SweepAxis | None) -> None:
        self.second.set_axis(axis)
        self._second_line.setVisible(self.second.ranged)
        if axis is not None:
            self._second_title.setText(f"rows of the grid: {title_of(axis.parameter)}")

    def _on_first_chosen(self, name: str) -> None:
        self._touched, self._picked = False, True
        settings, suggested = self.context
        self.first.set_axis(default_axis(settings, name, suggested))
        self._offer_second(self.second.parameter.currentData())
        self.set_trouble("")

    def _on_second_chosen(self, name: str | None) -> None:
        axis = None
        if name is not None:
            settings, suggested = self.context
            axis = propose_second_axis(settings, name, suggested)
        self._show_second(axis)

    def _on_touched(self) -> None:
        self._touched = True

    def _on_value_changed(self) -> None:
        self.set_trouble("")

    def _on_scale_changed(self) -> None:
        self.set_trouble("")

    def _on_start_clicked(self) -> None:
        self.begin()
