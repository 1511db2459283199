"""ImportOptions: everything on the import sheet that is not about one column."""

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from kpca_viewer.core.kernels.family import Parameter
from kpca_viewer.data.files.options import ReadOptions
from kpca_viewer.data.importing import ImportSettings
from kpca_viewer.data.importing.settings import MISSING_TITLES, MOST_MISSING, NOISE
from kpca_viewer.data.preparation import SCALING_TITLES, Scaling
from kpca_viewer.data.table import Table
from kpca_viewer.features.import_sheet.content import SheetContent
from kpca_viewer.widgets.controls import NumberField, NumberRow, Segmented, Switch
from kpca_viewer.widgets.controls.combos import fill_combo, labelled, named_combo

NOTHING = "nothing"


class PartsRow(QWidget):
    """A list for a workbook, two for named arrays; hidden where there is one part."""

    part_requested = Signal(object)
    """`ReadOptions` with which the file should be read instead."""

    def __init__(self, table: Table, options: ReadOptions) -> None:
        super().__init__()
        self._table = table
        self._options = options
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(16)
        self._second: QComboBox | None = None
        first = table.chosen[0] if table.chosen else ""
        workbook = table.format in ("Excel", "Workbook")
        self._first = named_combo(
            "part_combo",
            "Sheet" if workbook else "Points",
            "Which sheet of the workbook is read."
            if workbook
            else "Which array holds one row per sample.",
        )
        fill_combo(self._first, [(name, name) for name in table.parts], first)
        self._first.activated.connect(self._on_first_activated)
        layout.addWidget(labelled("Sheet" if workbook else "Points", self._first)[1])
        if not (workbook or table.described):
            self._second = self._make_second(first)
            layout.addWidget(labelled("with", self._second)[1])
        layout.addStretch(1)
        self.setVisible(len(table.parts) > 1)

    def _make_second(self, first: str) -> QComboBox:
        """Return the list of what can stand beside the points."""
        combo = named_combo(
            "beside_combo", "With", "Which array holds labels, or further columns."
        )
        chosen = self._table.chosen[1:]
        beside: list[tuple[str, object]] = [(NOTHING, ())]
        if len(chosen) > 1:
            beside.append((", ".join(chosen), chosen))
        beside += [(name, (name,)) for name in self._table.parts if name != first]
        fill_combo(combo, beside, chosen)
        combo.activated.connect(self._on_second_activated)
        return combo

    def _on_first_activated(self) -> None:
        part = str(self._first.currentData())
        if self._second is None and not self._table.described:
            options = replace(self._options, sheet=part)
        else:
            # What stood beside the old points seldom fits the new ones.
            options = replace(self._options, arrays=(part,))
        self._change(options)

    def _on_second_activated(self) -> None:
        if self._second is not None:
            arrays = (str(self._first.currentData()), *self._second.currentData())
            self._change(replace(self._options, arrays=arrays))

    def _change(self, options: ReadOptions) -> None:
        if options != self._options:
            self.part_requested.emit(options)


class TopRow(QWidget):
    """What stands above the rows, and whether columns are rows; hidden if no choice."""

    part_requested = Signal(object)
    """`ReadOptions` with which the table should be read instead."""
    refused = Signal(str)
    """Why a number that was typed is not taken."""

    def __init__(self, content: SheetContent) -> None:
        super().__init__()
        table, self._options = content.table, content.options
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(16)
        if table.top is not None:
            header = labelled_switch(
                "header_switch", "First row is a header", table.top.header
            )
            header.toggled.connect(lambda on: self._change(header=on))
            layout.addWidget(header)
            layout.addWidget(self._make_skip(table.top.skip))
        if self._options.parts is None:
            transpose = labelled_switch(
                "transpose_switch", "Transpose", self._options.transpose
            )
            transpose.setToolTip(
                "For one column a sample, as in genes × samples: the first column "
                "becomes the names of the columns, the header the names of the rows."
            )
            transpose.toggled.connect(lambda on: self._change(transpose=on))
            layout.addWidget(transpose)
        words = () if table.top is None else (table.top.title, table.top.reason)
        said = ". ".join(word[:1].upper() + word[1:] for word in words if word)
        note = caption(said and f"{said}.")
        note.setObjectName("top_note")
        layout.addWidget(note, 1)
        if not said:
            note.hide()
            layout.addStretch(1)
        self.setVisible(table.path is not None or bool(content.text))

    def _make_skip(self, lines: int) -> QWidget:
        field = NumberField(SKIP)
        field.setAccessibleName("Lines to skip")
        field.setToolTip("Lines above the table, such as a title.")
        field.setValue(lines)
        field.valueChanged.connect(lambda value: self._change(skip=int(value)))
        field.refused.connect(self.refused)
        return labelled("Skip lines", field)[1]

    def _change(self, **changes: Any) -> None:
        self.part_requested.emit(replace(self._options, **changes))


SKIP = Parameter("import_skip", "", "Skip lines", 0, 10_000, 0, "integer")
MOST = Parameter(
    *("import_most_missing", "", "Most missing in a feature, %", 0, 100),
    *(round(100 * MOST_MISSING), "integer"),
)
SEED = Parameter("import_seed", "", "Seed", 0, 999_999, 0, "integer")
MISSING_TIPS = {
    "drop": "Leave out rows with a missing value",
    "columns": "Make features with a missing value metadata",
    "median": "Fill in the middle of the column, or its most frequent word",
    "nearest": "Fill in the mean of the five rows nearest in all other columns",
}
MOST_NOTES = 4


class ImportOptions(QWidget):
    """Kind of matrix, missing values, scaling, and how many rows."""

    changed = Signal()
    """The person changed something."""
    refused = Signal(str)
    """Why a number that was typed is not taken."""
    limit_chosen = Signal(float)
    """Which share of a feature may be missing."""

    def __init__(self, content: SheetContent) -> None:
        super().__init__()
        self._content = content
        settings = content.importing
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        self._matrix = Segmented(
            [("points", "Points"), ("kernel", "Kernel"), ("distances", "Distances")],
            "What the square table is",
        )
        self._matrix.setObjectName("matrix_kind")
        self._matrix.set_value(settings.matrix)
        self._matrix.value_changed.connect(self.changed)
        for widget in (caption(content.matrix_words), self._matrix):
            widget.setVisible(bool(content.matrix_words))
            column.addWidget(widget)
        self._missing = Segmented(
            [(key, title, MISSING_TIPS[key]) for key, title in MISSING_TITLES.items()],
            "Missing values",
        )
        self._missing.setObjectName("missing_values")
        self._missing.set_value(settings.missing)
        self._missing.value_changed.connect(self.changed)
        column.addWidget(labelled("Missing values", self._missing)[1])
        most = NumberField(MOST)
        most.setObjectName("most_missing_field")
        most.setAccessibleName(MOST.title)
        most.setToolTip("Features of which more is missing become metadata.")
        most.setValue(MOST.default)
        most.valueChanged.connect(lambda value: self.limit_chosen.emit(value / 100))
        most.refused.connect(self.refused)
        column.addWidget(labelled(MOST.title, most)[1])
        self._text_missing = self._switch(
            "text_missing_switch",
            "Treat text among numbers as missing",
            settings.treat_text_as_missing,
        )
        self._one_hot = self._switch(
            "one_hot_switch", "Text features become 0/1 columns", settings.one_hot
        )
        column.addWidget(self._text_missing)
        column.addWidget(self._one_hot)
        self._noise = self._switch(
            "noise_switch", "Label −1 means no class", NOISE in settings.missing_words
        )
        self._noise.setToolTip(
            "As clustering writes it: such rows are shown, but are no class of their "
            "own in colours and scores."
        )
        column.addWidget(self._noise)
        self._scaling = named_combo(
            "import_scaling_combo", "Scaling", "So that no large column decides alone."
        )
        titles: list[tuple[str, object]] = [(t, k) for k, t in SCALING_TITLES.items()]
        fill_combo(self._scaling, titles, content.scaling)
        column.addWidget(labelled("Scaling", self._scaling)[1])
        self._add_rows(column)
        top = content.table.top
        above = () if top is None else (top.title, top.reason)
        notes = [note for note in content.table.notes if note not in above]
        for note in notes[:MOST_NOTES]:
            column.addWidget(caption(note[:1].upper() + note[1:]))
        column.addStretch(1)

    def apply(self, settings: ImportSettings) -> ImportSettings:
        matrix: Any = self.matrix()
        missing: Any = self._missing.value()
        return replace(
            settings.with_noise(self.noise()),
            missing=missing,
            one_hot=self._one_hot.isChecked(),
            treat_text_as_missing=self._text_missing.isChecked(),
            sample=self.sample(),
            sample_seed=self.seed(),
            matrix=matrix,
        )

    def show_settings(self, settings: ImportSettings) -> None:
        """Show what settings say about cells; emits nothing."""
        self._missing.set_value(settings.missing)
        for switch, on in (
            (self._text_missing, settings.treat_text_as_missing),
            (self._one_hot, settings.one_hot),
        ):
            with QSignalBlocker(switch):
                switch.setChecked(on)

    def fill_gaps(self) -> None:
        self._missing.set_value("median")
        self.changed.emit()

    def matrix(self) -> str:
        return str(self._matrix.value()) if self._content.matrix_words else "points"

    def noise(self) -> bool:
        return self._noise.isChecked() and not self._noise.isHidden()

    def offer_noise(self, offered: bool) -> None:
        """Let the person say what −1 means, where a label holds it."""
        self._noise.setVisible(offered)

    def scaling(self) -> Scaling:
        scaling: Scaling = self._scaling.currentData()
        return scaling

    def sample(self) -> int | None:
        """Return how many rows to draw, or None for all."""
        rows = int(self._rows.value())
        return rows if rows < self._content.rows else None

    def seed(self) -> int:
        return int(self._seed.value())

    def take_rows(self, count: int) -> None:
        self._rows.set_value(count)
        self.refresh()
        self.changed.emit()

    def treat_text_as_missing(self) -> None:
        self._text_missing.setChecked(True)

    def refresh(self) -> None:
        """Offer only what the other choices leave open."""
        points = self.matrix() == "points"
        for widget in (self._scaling, self._missing, self._one_hot, self._text_missing):
            widget.setEnabled(points)
        self._seed_row.setVisible(self.sample() is not None)

    def _add_rows(self, column: QVBoxLayout) -> None:
        settings, rows = self._content.importing, max(self._content.rows, 3)
        self._rows = NumberRow(
            Parameter(
                *("import_rows", "", "Rows", 2, rows, rows, "integer"),
                help="Fewer are drawn at random; the seed decides which.",
            )
        )
        self._rows.set_value(min(settings.sample or rows, rows))
        self._rows.value_edited.connect(self.changed)
        self._rows.refused.connect(self.refused)
        column.addWidget(self._rows)
        self._seed = NumberField(SEED)
        self._seed.setObjectName("import_seed_field")
        self._seed.setAccessibleName("Seed of the sample")
        self._seed.setToolTip("The same seed draws the same rows.")
        self._seed.setValue(settings.sample_seed)
        self._seed.valueChanged.connect(self.changed)
        self._seed.refused.connect(self.refused)
        self._seed_row = labelled("Seed of the sample", self._seed)[1]
        column.addWidget(self._seed_row)

    def _switch(self, name: str, text: str, on: bool) -> Switch:
        switch = labelled_switch(name, text, on)
        switch.toggled.connect(self.changed)
        return switch


def labelled_switch(name: str, text: str, on: bool) -> Switch:
    """Return a switch with its text as name and tip."""
    switch = Switch(text)
    switch.setObjectName(name)
    switch.setAccessibleName(text)
    switch.setToolTip(text)
    switch.setChecked(on)
    return switch


def caption(text: str) -> QLabel:
    """Return small text that wraps; names in it are literal."""
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setProperty("role", "caption")
    label.setWordWrap(True)
    return label
