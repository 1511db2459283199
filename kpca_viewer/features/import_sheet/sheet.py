"""ImportSheet: one page between a file and its picture."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from kpca_viewer.data.files.options import ReadOptions
from kpca_viewer.data.importing import (
    GapCounter,
    ImportSettings,
    OddCellError,
    Role,
    is_quantity,
    may_be_noise,
)
from kpca_viewer.data.importing.guess import missing_shares
from kpca_viewer.data.importing.suspects import find_gappy
from kpca_viewer.engine import messages
from kpca_viewer.features.import_sheet.columns_list import (
    ColumnsList,
    ProposalRow,
    question_rows,
    roles_text,
    sentinels_text,
    totals_text,
)
from kpca_viewer.features.import_sheet.content import ImportRequest, SheetContent
from kpca_viewer.features.import_sheet.models import ColumnsModel, PreviewModel
from kpca_viewer.features.import_sheet.options import (
    ImportOptions,
    PartsRow,
    TopRow,
    caption,
)
from kpca_viewer.features.import_sheet.text import (
    TREAT_ALL_AS_MISSING,
    counted,
    rows_of_file,
    rows_to_come,
)
from kpca_viewer.support.errors import DataError
from kpca_viewer.widgets.controls import (
    ElidedLabel,
    Footer,
    resize_for_type,
    type_factor,
)
from kpca_viewer.widgets.controls.behaviour import plain_tip, scrolled

FILL_GAPS = "Fill by median"
NUMBERS_AS_FEATURES = "Numbers as features"


class ImportSheet(QDialog):
    """Preview, roles of the columns, missing values, scaling, sampling, forecast.

    Enter accepts what was guessed.
    """

    import_requested = Signal(object)
    """The `ImportRequest` that the person accepted."""
    part_requested = Signal(object)
    """`ReadOptions` with which the file should be read instead."""

    def __init__(self, content: SheetContent, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("import_sheet")
        self.setWindowTitle("Open data")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.content = content
        self._table = content.table
        self._settings = content.importing
        roles = dict(content.importing.roles)
        self._columns = ColumnsModel(content.table, roles, self)
        self._columns.roles_changed.connect(self._on_roles_changed)
        self._rows: dict[str, ProposalRow] = {}
        self._undecided: set[str] = set()
        self._problem, self._way_out = "", ""
        self._features = self._columns.features()
        self._gaps = GapCounter(content.table)
        self._options = ImportOptions(content)
        self._options.changed.connect(self._on_options_changed)
        self._options.refused.connect(self._on_refused)
        self._options.limit_chosen.connect(self._on_limit_chosen)
        suspects = () if content.proposals is None else content.proposals.suspects
        self._gappy = {suspect.column for suspect in suspects if suspect.is_gappy}
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(14, 14, 14, 0)
        layout.setSpacing(8)
        layout.addWidget(self._make_heading())
        parts = PartsRow(content.table, content.options)
        top = TopRow(content)
        top.refused.connect(self._on_refused)
        for reread in (parts, top):
            reread.part_requested.connect(self._on_part_requested)
            layout.addWidget(reread)
        for mark, row in question_rows(content.table.questions).items():
            row.answered.connect(partial(self._on_mark_answered, mark))
            layout.addWidget(row)
        self._asked = self._make_proposals()
        layout.addWidget(self._asked)
        middle = QHBoxLayout()
        middle.setSpacing(16)
        self._list = ColumnsList(self._columns)
        middle.addWidget(self._list, 2)
        middle.addWidget(self._options, 1)
        layout.addLayout(middle, 3)
        drawn = content.table.sampled_from is not None
        layout.addWidget(caption("First rows drawn" if drawn else "First rows"))
        layout.addWidget(self._make_preview(), 1)
        self._summary = QLabel()
        self._summary.setObjectName("import_summary")
        self._summary.setTextFormat(Qt.TextFormat.PlainText)
        self._summary.setWordWrap(True)
        layout.addWidget(self._summary)
        layout.addWidget(self._make_forecast())
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 16)
        whole.setSpacing(8)
        whole.addWidget(scrolled(page), 1)
        buttons = self._make_buttons()
        buttons.setContentsMargins(16, 0, 16, 0)
        whole.addWidget(buttons)
        resize_for_type(self, 1160, 712)
        self._list.view.setFocus()
        self._show_proposals(content.importing)
        self._refresh()
        if content.error is not None:
            self._show_error(content.error)

    def settings(self) -> ImportSettings:
        return self._options.apply(replace(self._settings, roles=self._columns.roles()))

    def request(self) -> ImportRequest:
        settings, options = self.settings(), None
        if not self.content.whole:
            # Rows that are not used are not even kept while reading.
            options = replace(
                self.content.options,
                max_rows=None,
                sample=settings.sample,
                seed=settings.sample_seed,
            )
            settings = replace(settings, sample=None)
        return ImportRequest(self.content, settings, self._options.scaling(), options)

    def _make_heading(self) -> QWidget:
        """Return the name, which gives way, and the size, which does not."""
        table = self._table
        about = "about " if table.estimated else ""
        rows = about + counted(rows_of_file(self.content), "row")
        size = f"{rows} × {counted(len(table.columns), 'column')}"
        if table.sampled_from is not None:
            drawn = f"{table.n:,} of {table.sampled_from:,} rows, drawn at random"
            size = f"{drawn}  ·  {counted(len(table.measured), 'column')}"
        words = [size, table.format]
        name = ElidedLabel(table.name)
        name.setProperty("role", "heading")
        name.setObjectName("import_heading")
        policy = QSizePolicy.Policy
        name.setSizePolicy(policy.Preferred, policy.Preferred)
        told = QLabel("  ·  ".join(filter(None, words)))
        told.setTextFormat(Qt.TextFormat.PlainText)
        told.setProperty("role", "muted")
        told.setObjectName("import_size")
        if table.notes:
            told.setToolTip(plain_tip("\n".join(table.notes)))
        row = QWidget()
        layout = QHBoxLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(16)
        layout.addWidget(name)
        layout.addWidget(told)
        layout.addStretch(1)
        return row

    def _make_proposals(self) -> QWidget:
        """Return what was decided by itself, each with the other way beside it."""
        frame = QFrame()
        frame.setObjectName("proposals")
        frame.setProperty("role", "question")
        layout = QVBoxLayout(frame)
        layout.setContentsMargins(12, 8, 12, 8)
        layout.setSpacing(4)
        proposals, many = self.content.proposals, False
        rows: dict[str, tuple[str, str, str]] = {}
        if self.content.remembered is not None or self.content.read_as_before:
            text = "The answers to the last file with these columns are used again."
            rows["remembered"] = (text, "Remembered answers", "Proposals")
        can_turn = self._table.path is not None or bool(self.content.text)
        if can_turn and self._table.top_words and self.content.options.parts is None:
            text = f"{self._table.top_words}: are the columns the samples?"
            rows["transpose"] = (text, "Transpose", "Leave")
        if proposals is not None and proposals.suspects:
            many = len(proposals.suspects) > 1
            other = "As features" if many else "As a feature"
            rows["roles"] = (roles_text(proposals.suspects), "As proposed", other)
        if proposals is not None and proposals.sentinels:
            text = sentinels_text(proposals.sentinels)
            rows["sentinels"] = (text, "As missing", "As numbers")
        if proposals is not None and proposals.totals is not None:
            rows["totals"] = (totals_text(proposals.totals), "Leave out", "Keep")
        answers: dict[str, Callable[[bool], None]] = {
            "remembered": self._on_remembered_answered,
            "transpose": self._on_transpose_answered,
            "roles": self._on_roles_answered,
            "sentinels": partial(self._on_proposal_answered, "sentinels"),
            "totals": partial(self._on_proposal_answered, "left_out"),
        }
        for key, words in rows.items():
            self._rows[key] = ProposalRow(key, *words)
            self._rows[key].answered.connect(answers[key])
            layout.addWidget(self._rows[key])
        if "transpose" in self._rows:
            self._rows["transpose"].set_agrees(False)
        frame.setVisible(bool(rows))
        return frame

    def _show_proposals(self, settings: ImportSettings) -> None:
        proposals = self.content.proposals
        if proposals is None:
            return
        suspects, remembered = proposals.suspects, self.content.remembered
        roles = dict(settings.roles) if suspects else {}
        agrees = all(roles.get(s.column) == s.role for s in suspects)
        decided = remembered is not None and settings.roles == remembered.roles
        self._undecided = set() if decided else {s.column for s in suspects}
        self._columns.set_doubtful(self._undecided if agrees else ())
        for key, taken in (
            ("roles", agrees),
            ("sentinels", bool(settings.sentinels)),
            ("totals", bool(settings.left_out)),
        ):
            if key in self._rows:
                self._rows[key].set_agrees(taken)
        self._show_question()

    def _show_question(self) -> None:
        """Ask about roles while any is undecided, in a frame with questions only."""
        if "roles" in self._rows:
            self._rows["roles"].setVisible(bool(self._undecided))
            asked = any(not row.isHidden() for row in self._rows.values())
            self._asked.setVisible(asked)

    def _make_preview(self) -> QWidget:
        view = QTableView()
        view.setObjectName("import_preview")
        view.setAccessibleName("First rows")
        self._preview = PreviewModel(self._table, view)
        view.setModel(self._preview)
        view.setWordWrap(False)
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        view.setMinimumHeight(110)
        view.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideMiddle)
        widest = round(220 * type_factor(self))
        view.horizontalHeader().setMaximumSectionSize(widest)
        # Widths by the rows that are in view: all of them would take a moment.
        view.horizontalHeader().setResizeContentsPrecision(12)
        view.resizeColumnsToContents()
        return view

    def _make_buttons(self) -> QWidget:
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Open
            | QDialogButtonBox.StandardButton.Cancel
        )
        self._open = buttons.button(QDialogButtonBox.StandardButton.Open)
        self._open.setObjectName("import_accept")
        if not self.content.whole:
            self._open.setText("Read and open")
        self._open.setDefault(True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        footer = Footer(buttons)
        self._message = footer.message_bar
        self._message.setObjectName("import_message")
        return footer

    def _make_forecast(self) -> QWidget:
        row = QWidget()
        layout = QHBoxLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        self._forecast = QLabel()
        self._forecast.setObjectName("import_forecast")
        self._forecast.setTextFormat(Qt.TextFormat.PlainText)
        self._forecast.setWordWrap(True)
        self._take = QPushButton()
        self._take.setObjectName("take_sample_button")
        self._take.setToolTip("Analyse so many rows, drawn at random.")
        self._take.setAutoDefault(False)
        self._take.clicked.connect(self._on_take_clicked)
        layout.addWidget(self._forecast, 1)
        layout.addWidget(self._take)
        return row

    def _refresh(self) -> None:
        """Say in one line what will be analysed, and in one what that needs."""
        self._options.refresh()
        self._columns.set_answers(self._settings)
        label = self._columns.label()
        self._options.offer_noise(label is not None and may_be_noise(label))
        features = len(self._features)
        sample, matrix = self._options.sample(), self._options.matrix()
        rows = sample or rows_of_file(self.content)
        if matrix == "points":
            # Not `settings`: a file of 100,000 columns would delay every click.
            rules = self._options.apply(replace(self._settings, roles=()))
            gaps = self._gaps.rows(self._features, rules)
            if rules.missing == "columns":
                gappy = self._gaps.columns(self._features, rules)
                features, gaps = features - gappy, 0
            rows, text = rows_to_come(self.content, rules, gaps)
            words = [text, counted(features, "feature")]
        else:
            words = [f"A {matrix.removesuffix('s')} matrix of {counted(rows, 'row')}"]
        if label is not None:
            classes = counted(label.distinct - self._options.noise(), "class")
            if is_quantity(label):
                classes = "as a scale"
            words.append(f"coloured by “{label.name}” ({classes})")
        self._problem = ""
        if matrix == "points" and self._features and not features:
            self._problem = (
                "Every feature has a gap, so no column is left; drop rows, or fill "
                "their gaps by the median."
            )
            self._way_out = FILL_GAPS
        elif matrix == "points" and not features:
            self._problem = "No column is a feature; give at least one that role."
            self._way_out = NUMBERS_AS_FEATURES
        elif matrix == "points" and rows < 2:
            self._problem = (
                "No two rows are complete; fill their gaps by the median, or make "
                "the columns that hold most of them metadata."
            )
            self._way_out = FILL_GAPS
        self._summary.setText(self._problem or ", ".join(words) + ".")
        self._show_forecast(rows if matrix == "points" and features else 0)

    def _show_forecast(self, rows: int) -> None:
        trial = self.content.trial
        forecast = None if trial is None else trial.forecast(rows)
        self._forecast.setVisible(forecast is not None)
        self._take.setVisible(forecast is not None and forecast.proposed is not None)
        if forecast is not None:
            self._forecast.setText(str(forecast))
            self._take.setText(f"Take {forecast.proposed or 0:,} rows")
            self._take.setProperty("rows", forecast.proposed)

    def _show_error(self, error: Exception) -> None:
        """Say why what was chosen is impossible, with the way out as a button."""
        ways: dict[str, Callable[[], object]] = {}
        if isinstance(error, OddCellError) and error.word is None:
            ways = {messages.TREAT_AS_MISSING: self._treat_all_as_missing}
        elif isinstance(error, OddCellError):
            ways = {
                messages.TREAT_AS_MISSING: self._treat_word_as_missing,
                TREAT_ALL_AS_MISSING: self._treat_all_as_missing,
            }
        self._message.show_declared(messages.failure(error, *ways), *ways.values())
        buttons = self._message.findChildren(QPushButton, "message_action")
        for button in buttons:
            # Return presses the one with the focus, and not what was refused already.
            button.setAutoDefault(True)
        if buttons:
            buttons[0].setFocus()

    def _take_way_out(self) -> None:
        if self._way_out == FILL_GAPS:
            self._options.fill_gaps()
            return
        names = [c.name for c in self._table.measured if c.ends is not None]
        varied = [name for name in names if not self._table.column(name).constant]
        self._columns.set_role_of(varied or names, "feature")

    def _treat_word_as_missing(self) -> None:
        error = self.content.error
        if isinstance(error, OddCellError) and error.word is not None:
            self._settings = self._settings.with_missing(error.word)
            self.accept()

    def _treat_all_as_missing(self) -> None:
        self._options.treat_text_as_missing()
        self.accept()

    @Slot(object)
    def _on_roles_changed(self, names: list[str]) -> None:
        # A role that the person has chosen is a decision.
        self._undecided -= set(names)
        self._columns.set_doubtful(self._undecided)
        self._show_question()
        self._features = self._columns.features()
        self._on_options_changed()

    @Slot(float)
    def _on_limit_chosen(self, most: float) -> None:
        """Make features with more gaps metadata, and have those with fewer back."""
        names = dict.fromkeys((*self._features, *self._gappy))
        columns = map(self._table.column, names)
        shares = missing_shares(columns, self._settings)
        found = {suspect.column for suspect in find_gappy(shares, most)}
        given: dict[str, Role] = dict.fromkeys(self._gappy - found, "feature")
        given |= dict.fromkeys(found, "ignore")
        self._gappy = found
        self._columns.set_roles(given)
        self._on_roles_changed(list(given))

    @Slot(bool)
    def _on_roles_answered(self, agrees: bool) -> None:
        proposals = self.content.proposals
        assert proposals is not None
        asked = [s for s in proposals.suspects if s.column in self._undecided]
        given = {s.column: s.role if agrees else "feature" for s in asked}
        self._columns.set_roles(given)
        self._columns.set_doubtful(())
        self._features = self._columns.features()
        self._on_options_changed()

    def _on_proposal_answered(self, field: str, agrees: bool) -> None:
        """Take what is proposed for ``sentinels`` or ``left_out``, or nothing."""
        assert self.content.proposals is not None
        proposed = getattr(self.content.proposals.settings, field) if agrees else ()
        changes: dict[str, Any] = {field: proposed}
        self._settings = replace(self._settings, **changes)
        self._on_options_changed()

    @Slot(bool)
    def _on_transpose_answered(self, agrees: bool) -> None:
        if agrees:
            self._on_part_requested(replace(self.content.options, transpose=True))

    @Slot(bool)
    def _on_remembered_answered(self, agrees: bool) -> None:
        proposals, remembered = self.content.proposals, self.content.remembered
        assert proposals is not None
        if self.content.read_as_before and not agrees:
            self._on_part_requested(ReadOptions())
            return
        assert remembered is not None
        self._settings = remembered if agrees else proposals.settings
        self._columns.set_roles(dict(self._settings.roles))
        self._features = self._columns.features()
        self._options.show_settings(self._settings)
        self._show_proposals(self._settings)
        self._on_options_changed()

    @Slot()
    def _on_options_changed(self) -> None:
        # Why a number was refused has been read: another one was taken.
        if self._message.severity() == "warning" or self._problem:
            self._message.clear()
        self._refresh()

    def _on_mark_answered(self, mark: str, thousands: bool) -> None:
        self._table = self._table.answered(mark, thousands=thousands)
        self.content = replace(self.content, table=self._table)
        self._gaps = GapCounter(self._table)
        self._columns.set_table(self._table)
        self._preview.set_table(self._table)
        self._refresh()

    @Slot(str)
    def _on_refused(self, text: str) -> None:
        self._message.show_declared(messages.trouble(text))

    def _on_take_clicked(self) -> None:
        self._options.take_rows(int(self._take.property("rows")))

    def _on_part_requested(self, options: object) -> None:
        self.part_requested.emit(options)
        self.reject()

    def accept(self) -> None:
        """Hand over what was chosen, or say what stands in the way."""
        if self._problem:
            message = messages.failure(DataError(self._problem), self._way_out)
            self._message.show_declared(message, self._take_way_out)
            return
        self.import_requested.emit(self.request())
        super().accept()
