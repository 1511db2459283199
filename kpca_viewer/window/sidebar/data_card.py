"""Where the points come from."""

from dataclasses import replace
from operator import attrgetter
from pathlib import PurePath
from random import randrange

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from kpca_viewer.core.kernels.family import Parameter
from kpca_viewer.data.drawn import SOURCE, TITLE
from kpca_viewer.data.generators import GENERATORS
from kpca_viewer.data.image_rows import ImageSize
from kpca_viewer.data.importing import filled_text
from kpca_viewer.data.preparation import SCALING_TITLES, ColumnScaling
from kpca_viewer.engine.notes import kernel_in_use
from kpca_viewer.engine.row_pictures import (
    NO_PICTURES,
    image_sizes,
    may_be_pictures,
    row_pictures,
)
from kpca_viewer.engine.rows.row_set import left_out_words
from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.widgets.controls import (
    ElidedLabel,
    IconButton,
    NumberField,
    NumberRow,
    Switch,
)
from kpca_viewer.widgets.controls.behaviour import plain_tip
from kpca_viewer.widgets.controls.combos import fill_combo, labelled, named_combo
from kpca_viewer.widgets.scene import Changes
from kpca_viewer.window.sidebar.column_scaling import ColumnScalingTable
from kpca_viewer.window.sidebar.settings_card import ParameterRows, SettingsCard

MOST_SAMPLES = 1_000_000
SEED = Parameter("seed", "", "Seed", 0, 999_999, 0, "integer")


class DataCard(SettingsCard):
    """Source, its parameters, seed and scaling."""

    columns_requested = Signal()
    all_rows_requested = Signal()
    part = attrgetter(
        "shown.data",
        "kind",
        "known_dataset",
        "settings.view.image_size",
        "settings.analysis",
        "has_more_rows",
    )

    def __init__(self, changes: Changes) -> None:
        super().__init__("Data", changes)
        self.words = "source samples noise seed scaling standardise scale"
        self.setObjectName("data_card")
        self._source = named_combo(
            "source_combo", "Source", "Which points are analysed; everything follows."
        )
        self._source.addItem(TITLE, SOURCE)
        self._source.setItemData(0, "Points that you draw, paste or type.", 3)
        real = False
        for generator in sorted(GENERATORS.values(), key=lambda each: each.real):
            if generator.real and not real:
                self._source.insertSeparator(self._source.count())
            real = generator.real
            self._source.addItem(generator.title, generator.key)
            self._source.setItemData(self._source.count() - 1, generator.help, 3)
        self._source.currentIndexChanged.connect(self._on_source_changed)
        self._source_label, row = labelled("Source", self._source)
        self.add(row)

        self._values = ParameterRows(self._value_row, self._source)
        self.add(self._values)

        self._seed = NumberField(SEED)
        self._seed.setObjectName("seed_field")
        self._seed.setAccessibleName("Seed")
        self._seed.setToolTip("The same seed gives the same points on every machine.")
        self._seed.valueChanged.connect(self._on_seed_changed)
        self._seed.editingFinished.connect(self.changes.gesture_ended)
        self._seed.refused.connect(self.changes.refused)
        roll = IconButton("dice", "New random numbers", 18)
        roll.setObjectName("roll_button")
        roll.clicked.connect(self._on_roll_clicked)
        self._seed_label, self._seed_row = labelled("Seed", self._seed, roll)
        self.add(self._seed_row)

        self._rows_note = ElidedLabel()
        self._rows_note.setObjectName("rows_note")
        self._rows_note.setProperty("role", "caption")
        self.add(self._rows_note)
        self._excluded_note = ElidedLabel()
        self._excluded_note.setObjectName("excluded_note")
        self._excluded_note.setProperty("role", "caption")
        self._all_rows = _link("Take all back", "all_rows_button")
        self._all_rows.setToolTip("Analyse the rows again that were left out.")
        self._all_rows.clicked.connect(self.all_rows_requested)
        self._excluded_row = QWidget()
        line = QHBoxLayout(self._excluded_row)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self._excluded_note, 1)
        line.addWidget(self._all_rows)
        self.add(self._excluded_row)
        self._full = Switch("Model of all rows")
        self._full.setObjectName("full_fit_switch")
        self._full.setToolTip(
            "These rows were drawn from a larger table. On computes the model of every "
            "row of it and draws their density behind the sample."
        )
        self._full.toggled.connect(self._on_full_toggled)
        self.add(self._full)
        self._columns = _link("Columns of the file…", "columns_button")
        self._columns.setToolTip("Change which columns are features, labels or names.")
        self._columns.clicked.connect(self.columns_requested)
        self._columns_row = QWidget()
        line = QHBoxLayout(self._columns_row)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self._columns)
        line.addStretch(1)
        self.add(self._columns_row)

        self._scaling = named_combo(
            "scaling_combo",
            "Scaling",
            "Scale columns that differ in size, so that none of them decides alone.",
        )
        self._scaling.currentIndexChanged.connect(self._on_scaling_changed)
        self._scaling.set_short_texts({SCALING_TITLES["standardise"]: "Standardise"})
        self._scaling_label, self._scaling_row = labelled("Scaling", self._scaling)
        self.add(self._scaling_row)
        self._by_column = _link("Per column…", "column_scaling_button")
        self._by_column.setCheckable(True)
        self._by_column.toggled.connect(self._show_column_scaling)
        self._reset_columns = _link("Reset", "column_scaling_reset")
        self._reset_columns.setToolTip("Scale all columns as the others.")
        self._reset_columns.clicked.connect(self._on_columns_reset)
        self._by_column_row = QWidget()
        line = QHBoxLayout(self._by_column_row)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self._by_column)
        line.addStretch(1)
        line.addWidget(self._reset_columns)
        self.add(self._by_column_row)
        self._column_table = ColumnScalingTable()
        self._column_table.scaling_chosen.connect(self._on_column_scaling_chosen)
        self._column_table.refused.connect(changes.refused)
        self.add(self._column_table)

        self._pictures = named_combo(
            "image_size_combo",
            "Size of pictures",
            "Width × height of rows that are pictures, which hovering, probe and table "
            "show.",
        )
        self._pictures.currentIndexChanged.connect(self._on_pictures_changed)
        self._pictures_label, self._pictures_row = labelled("Pictures", self._pictures)
        self.add(self._pictures_row)

    def refresh(self) -> None:
        """Push the scene into the controls."""
        data = self.scene.shown.data
        with QSignalBlocker(self._source):
            if self._source.findData(data.source) < 0:
                # An opened file joins the list for as long as the window is open.
                self._source.insertItem(0, PurePath(data.source).name, data.source)
                self._source.setItemData(0, plain_tip(data.source), 3)
            self._source.setCurrentIndex(self._source.findData(data.source))
        self._columns_row.setVisible(data.importing is not None)
        self._show_gaps()
        self._show_excluded()
        self._show_full_fit()
        self._scaling_row.setEnabled(self.scene.kind == "points")
        self._show_rows(data.source)
        values = dict(data.values)
        for name, row in self._values.rows.items():
            row.set_value(values.get(name, row.parameter.default))
        with QSignalBlocker(self._seed):
            self._seed.setValue(data.seed)
        generator = GENERATORS.get(data.source)
        self._seed_row.setVisible(generator is not None and generator.seeded)
        titles: list[tuple[str, object]] = [
            (title, key) for key, title in SCALING_TITLES.items()
        ]
        fill_combo(self._scaling, titles, data.scaling)
        self._show_column_scaling()
        self._show_pictures()

    def _show_column_scaling(self) -> None:
        """Offer a scaling for single columns, where the columns have names."""
        data, dataset = self.settings.data, self.scene.known_dataset
        generator = GENERATORS.get(data.source)
        named = data.drawn is None and (generator is None or generator.real)
        self._by_column_row.setVisible(named and self.scene.kind == "points")
        by_rows = data.scaling == "unit"
        self._by_column.setEnabled(not by_rows)
        self._by_column.setToolTip(
            "Rows are scaled as a whole; choose another scaling first."
            if by_rows
            else "Scale single columns in another way, or by their logarithm."
        )
        self._reset_columns.setVisible(bool(data.column_scaling))
        unfolded = self._by_column.isChecked() and not by_rows
        self._column_table.setVisible(unfolded and not self._by_column_row.isHidden())
        if not unfolded or dataset is None:
            # What is there stays until the next result says what the columns hold.
            return
        known = set(dataset.feature_names)
        if data.importing is not None:
            # Not the columns that words were turned into.
            known &= set(data.importing.columns("feature"))
        ends = zip(dataset.feature_names, *dataset.ends, strict=True)
        self._column_table.show_columns(
            [(name, float(a), float(b)) for name, a, b in ends if name in known],
            dict(data.column_scaling),
        )

    def _on_column_scaling_chosen(self, name: str, how: ColumnScaling | None) -> None:
        data = self.settings.data.with_column_scaling(name, how)
        self.changes.request(replace(self.settings, data=data))

    def _on_columns_reset(self) -> None:
        data = replace(self.settings.data, column_scaling=())
        self.changes.request(replace(self.settings, data=data))

    def _show_pictures(self) -> None:
        """Offer the sizes that rows have as pictures, where they may be some."""
        dataset, view = self.scene.known_dataset, self.settings.view
        possible = dataset is not None and may_be_pictures(dataset, view)
        self._pictures_row.setVisible(possible)
        if dataset is None or not possible:
            return
        guessed = row_pictures(dataset, replace(view, image_size=None))
        words = "none" if guessed is None else _size_words(guessed.size)
        sizes: list[tuple[str, object]] = [(f"Guessed: {words}", None)]
        sizes.append(("None", NO_PICTURES))
        for size in image_sizes(dataset.d):
            sizes.append((_size_words(ImageSize(*size)), size))
        fill_combo(self._pictures, sizes, view.image_size)

    def _show_gaps(self) -> None:
        """Say what became of rows with gaps, and of how many rows were drawn."""
        text, dataset = "", self.scene.known_dataset
        if dataset is not None:
            if dataset.left_out:
                text = f"{dataset.rows_words}, {dataset.left_out:,} left out: gaps"
            elif dataset.filled[0]:
                text = filled_text(*dataset.filled)
            elif dataset.sampled_from is not None:
                text = dataset.rows_words
            self._rows_note.set_text(text)
        self._rows_note.setVisible(bool(text))

    def _show_full_fit(self) -> None:
        wanted = self.settings.analysis.fit_full_table
        self._full.setVisible(wanted or self.scene.has_more_rows)
        with QSignalBlocker(self._full):
            self._full.setChecked(wanted)

    def _on_full_toggled(self, on: bool) -> None:
        self.changes.request(self.settings.with_full_fit(on))

    def _show_excluded(self) -> None:
        """Say how many rows are left out; the way back stands beside it."""
        excluded, dataset = self.settings.data.excluded, self.scene.known_dataset
        if excluded is not None:
            text = f"Rows left out: {excluded.describe()}"
            if dataset is not None:
                text = left_out_words(dataset.excluded)
            self._excluded_note.set_text(text)
        self._excluded_row.setVisible(excluded is not None)

    def _value_row(self, parameter: Parameter) -> NumberRow:
        # A slider ends where every step is quick; who types a number may have patience.
        most = (parameter.low, MOST_SAMPLES) if parameter.open_ended else None
        row = self.number_row(parameter, self._with_value, most)
        row.set_suggestion(parameter.default)
        return row

    def _show_rows(self, source: str) -> None:
        generator = GENERATORS.get(source)
        parameters = () if generator is None else generator.parameters
        if self._values.show_parameters(source, parameters):
            self.align(
                self._source_label,
                self._seed_label,
                self._scaling_label,
                self._pictures_label,
                *self._values.rows.values(),
            )

    def _with_value(self, name: str, value: float) -> SessionSettings:
        return replace(self.settings, data=self.settings.data.with_value(name, value))

    def _on_source_changed(self, index: int) -> None:
        key = self._source.itemData(index)
        if key is None:
            return
        old = self.settings
        data = DataSettings.of_source(key, seed=old.data.seed)
        new = replace(old, data=data, view=old.view.for_source(key))
        if data.drawn is not None:
            new = replace(new, kernel=kernel_in_use(old, self.scene.result))
        self.changes.request(new)

    def _on_seed_changed(self, seed: float) -> None:
        data = self.settings.data.with_seed(int(seed))
        self.changes.request(replace(self.settings, data=data), "data.seed")

    def _on_roll_clicked(self) -> None:
        self._seed.setValue(randrange(1, 10_000))
        self.changes.gesture_ended.emit()

    def _on_pictures_changed(self, index: int) -> None:
        if index >= 0:
            size = self._pictures.itemData(index)
            view = replace(self.settings.view, image_size=size and tuple(size))
            self.changes.request(replace(self.settings, view=view))

    def _on_scaling_changed(self, index: int) -> None:
        data = self.settings.data.with_scaling(self._scaling.itemData(index))
        self.changes.request(replace(self.settings, data=data))


def _link(title: str, name: str) -> QPushButton:
    button = QPushButton(title)
    button.setObjectName(name)
    button.setProperty("role", "link")
    return button


def _size_words(size: ImageSize) -> str:
    return f"{size.width} × {size.height}"
