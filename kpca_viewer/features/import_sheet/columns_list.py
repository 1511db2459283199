"""ColumnsList: the columns of a file with their roles, and a field to find them."""

from PySide6.QtCore import (
    QAbstractItemModel,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QColor,
    QKeySequence,
    QPainter,
    QPalette,
    QShortcut,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from kpca_viewer.data.importing import Role, Suspect
from kpca_viewer.data.importing.settings import ROLE_TITLES
from kpca_viewer.data.importing.suspects import Sentinel, Totals
from kpca_viewer.data.table import Question
from kpca_viewer.features.import_sheet.models import BARS_ROLE, ColumnsModel
from kpca_viewer.features.import_sheet.text import counted
from kpca_viewer.widgets.controls import FindField, Segmented, type_factor
from kpca_viewer.widgets.icons import icon
from kpca_viewer.widgets.plots.text import elided_apart
from kpca_viewer.widgets.theme import theme_of

Index = QModelIndex | QPersistentModelIndex

MARGIN = 4
"""Pixels that a cell keeps free on either side of its text."""

NEAR = 20
"""Rows above and below one from which its shortened name has to differ."""


class CellDelegate(QStyledItemDelegate):
    """Draws no frame of the keys over a chosen cell, which would pale its text."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        if option.state & QStyle.StateFlag.State_Selected:
            option.state &= ~QStyle.StateFlag.State_HasFocus


class NameDelegate(CellDelegate):
    """Shortens names so that they stay different, and their units whole."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        room = option.rect.width() - 2 * MARGIN
        if option.fontMetrics.horizontalAdvance(option.text) > room:
            # Names like it stand near it; those of 100,000 columns would take long.
            first, last = index.row() - NEAR, index.row() + NEAR
            near = range(max(first, 0), min(last + 1, index.model().rowCount()))
            names = [index.sibling(row, 0).data() for row in near]
            shown = elided_apart(names, option.font, room)
            option.text = shown[near.index(index.row())]


class RoleDelegate(CellDelegate):
    """Opens the list of roles at once and takes what is picked."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """Show by an arrow that there is something to choose."""
        super().initStyleOption(option, index)
        option.features |= QStyleOptionViewItem.ViewItemFeature.HasDecoration
        option.icon = icon("chevron_down", theme_of(option.palette))
        option.decorationSize = QSize(12, 12)
        option.decorationPosition = QStyleOptionViewItem.Position.Right

    def createEditor(
        self, parent: QWidget, _option: QStyleOptionViewItem, _index: Index
    ) -> QWidget:
        combo = QComboBox(parent)
        combo.setObjectName("role_combo")
        for key, title in ROLE_TITLES.items():
            combo.addItem(title, key)
        combo.activated.connect(self._on_combo_activated)
        return combo

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        if isinstance(editor, QComboBox):
            editor.setCurrentIndex(
                editor.findData(index.data(Qt.ItemDataRole.EditRole))
            )
            editor.showPopup()

    def setModelData(
        self, editor: QWidget, model: QAbstractItemModel, index: Index
    ) -> None:
        if isinstance(editor, QComboBox):
            model.setData(index, editor.currentData())

    def _on_combo_activated(self) -> None:
        editor = self.sender()
        if isinstance(editor, QWidget):
            self.commitData.emit(editor)
            self.closeEditor.emit(editor)


class BarsDelegate(CellDelegate):
    """Draws how the values of a column lie between its ends."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index
    ) -> None:
        super().paint(painter, option, index)
        bars = index.data(BARS_ROLE)
        if not bars:
            return
        selected = option.state & QStyle.StateFlag.State_Selected
        roles = QPalette.ColorRole
        color = option.palette.color(roles.HighlightedText if selected else roles.Mid)
        if not selected:
            color = QColor(theme_of(option.palette).muted)
        room, most = option.rect.adjusted(MARGIN, 4, -MARGIN, -4), max(bars)
        for k, count in enumerate(bars):
            left = room.left() + k * room.width() // len(bars)
            right = room.left() + (k + 1) * room.width() // len(bars) - 1
            # What is there at all is seen.
            height = max(round(room.height() * count / most), 1 if count else 0)
            top = room.bottom() + 1 - height
            painter.fillRect(left, top, max(right - left, 1), height, color)


ROLE_KEYS: dict[str, Role] = {"F": "feature", "L": "label", "N": "name", "M": "ignore"}

ONE_COLUMN = ("label", "name")
"""Roles that only one column can have."""

SEARCHED_FROM = 15
"""Columns from which there is a field to find them."""

_BESIDE_ROLE = 40
"""Pixels of a cell beside the name of its role: margins and arrow."""


class ColumnsList(QWidget):
    """One line a column; a click or a letter gives it a role."""

    def __init__(self, model: ColumnsModel) -> None:
        super().__init__()
        self._model = model
        self.view = QTableView()
        self._set_up_view()
        self._find = FindField("columns_filter", "Find columns")
        self._find.textChanged.connect(self._on_text_changed)
        self._find.left.connect(self.view.setFocus)
        self._count = QLabel()
        self._count.setObjectName("columns_found")
        self._count.setProperty("role", "caption")
        line = QWidget()
        line.setVisible(model.total >= SEARCHED_FROM)
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self._find, 1)
        row.addWidget(self._count)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(line)
        layout.addWidget(self.view, 1)
        layout.addWidget(self._make_roles())
        self.view.selectionModel().selectionChanged.connect(self._on_selection_changed)
        model.modelReset.connect(self._on_selection_changed)
        self._on_text_changed("")
        self._on_selection_changed()

    def _make_roles(self) -> QWidget:
        """Return a button a role, for all columns that are selected."""
        self._roles = QWidget()
        row = QHBoxLayout(self._roles)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        self._selected = QLabel()
        self._selected.setObjectName("columns_selected")
        self._selected.setProperty("role", "caption")
        row.addWidget(self._selected, 1)
        for key, role in ROLE_KEYS.items():
            button = QPushButton(ROLE_TITLES[role])
            button.setObjectName(f"{role}_role_button")
            button.setAutoDefault(False)
            button.setProperty("columns_key", key)
            button.setProperty("columns_role", role)
            button.clicked.connect(self._on_role_key)
            row.addWidget(button)
        return self._roles

    def _on_selection_changed(self) -> None:
        count = len(self._chosen_rows())
        self._selected.setText(
            f"Role of {counted(count, 'selected column')}"
            if count
            else "Select columns to give them a role"
        )
        for button in self._roles.findChildren(QPushButton):
            role, key = (button.property(f"columns_{k}") for k in ("role", "key"))
            one = role in ONE_COLUMN
            button.setEnabled(count == 1 if one else count > 0)
            tip = f"Give the selected columns this role ({key})"
            if one and count > 1:
                tip = "Only one column can have this role: select one"
            button.setToolTip(tip)

    def _set_up_view(self) -> None:
        view = self.view
        view.setObjectName("import_columns")
        view.setAccessibleName("Columns and their roles")
        view.setToolTip("Click a role, or press F, L, N or M on the chosen columns.")
        view.setModel(self._model)
        view.setItemDelegate(CellDelegate(view))
        view.setItemDelegateForColumn(0, NameDelegate(view))
        view.setItemDelegateForColumn(1, RoleDelegate(view))
        view.setItemDelegateForColumn(2, BarsDelegate(view))
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        view.clicked.connect(self._on_clicked)
        view.setWordWrap(False)
        view.setMinimumWidth(300)
        view.setShowGrid(False)
        view.verticalHeader().hide()
        header = view.horizontalHeader()
        header.setStretchLastSection(True)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        # Of its own, empty: a heading would ask 100,000 lines whether all are chosen.
        header.setSelectionModel(QItemSelectionModel(self._model, header))
        view.ensurePolished()
        metrics, factor = view.fontMetrics(), type_factor(self)
        # A role is what is decided here: its name is never shortened.
        longest = max(
            metrics.horizontalAdvance(title) for title in ROLE_TITLES.values()
        )
        widths = (130, (longest + _BESIDE_ROLE) / factor, 70, 60, 60, 66, 80)
        for section, width in enumerate(widths):
            header.resizeSection(section, round(width * factor))
        for key, role in ROLE_KEYS.items():
            # As shortcuts: the table would take letters for a search.
            shortcut = QShortcut(QKeySequence(key), view)
            shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
            shortcut.setProperty("columns_role", role)
            shortcut.activated.connect(self._on_role_key)

    @Slot(str)
    def _on_text_changed(self, text: str) -> None:
        self._model.set_filter(text)
        shown, total = self._model.rowCount(), self._model.total
        self._count.setText(f"{shown:,} of {total:,}")
        self._count.setVisible(bool(text.strip()))

    @Slot(object)
    def _on_clicked(self, index: QModelIndex) -> None:
        """Open the roles with one click; with Ctrl or Shift columns are chosen."""
        keys = QApplication.keyboardModifiers()
        if index.column() == 1 and keys == Qt.KeyboardModifier.NoModifier:
            self.view.edit(index)

    def _on_role_key(self) -> None:
        role, rows = self.sender().property("columns_role"), self._chosen_rows()
        if role not in ONE_COLUMN or len(rows) == 1:
            self._model.set_role(rows, role)

    def _chosen_rows(self) -> list[int]:
        """Return the lines that are selected, by ranges: Qt would list every cell."""
        selection = self.view.selectionModel().selection()
        parts = [selection.at(k) for k in range(selection.count())]
        return sorted({k for p in parts for k in range(p.top(), p.bottom() + 1)})


MOST_NAMED = 3
"""Columns that are spoken of one by one; the list of columns has all."""


class ProposalRow(QWidget):
    """One thing that was decided without a question, why, and the other way.

    Parameters
    ----------
    key : str
        By which the row, its text and its choice are found.
    agree, other : str
        What to press for the proposal, and against it.
    """

    answered = Signal(bool)
    """Whether the person agrees."""

    def __init__(self, key: str, text: str, agree: str, other: str) -> None:
        super().__init__()
        self.setObjectName(f"{key}_proposal")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(16)
        words = QLabel(text)
        words.setObjectName(f"{key}_text")
        words.setTextFormat(Qt.TextFormat.PlainText)
        words.setWordWrap(True)
        layout.addWidget(words, 1)
        self._agree = f"{key}_agree"
        options = [(self._agree, agree), (f"{key}_other", other)]
        self._choice = Segmented(options, text)
        self._choice.value_changed.connect(self._on_choice_changed)
        layout.addWidget(self._choice, 0, Qt.AlignmentFlag.AlignTop)

    def set_agrees(self, agrees: bool) -> None:
        key = self._agree
        self._choice.set_value(key if agrees else key.replace("_agree", "_other"))

    def _on_choice_changed(self, value: object) -> None:
        self.answered.emit(value == self._agree)


def question_rows(questions: tuple[Question, ...]) -> dict[str, ProposalRow]:
    """Return a row for each mark that divides thousands or decimals."""
    rows: dict[str, ProposalRow] = {}
    for mark in dict.fromkeys(question.mark for question in questions):
        first, *others = (q for q in questions if q.mark == mark)
        more = f" and {len(others):,} more" if others else ""
        text = f"“{first.cell}” in “{first.column}”{more}: thousands or decimals?"
        ways = f"Thousands: {first.value(True)}", f"Decimals: {first.value(False)}"
        rows[mark] = ProposalRow("marks", text, *ways)
        rows[mark].set_agrees(first.thousands)
    return rows


def roles_text(suspects: tuple[Suspect, ...]) -> str:
    named = [
        f"“{s.column}” holds {s.reason}: {ROLE_TITLES[s.role].lower()}"
        for s in suspects[:MOST_NAMED]
    ]
    text = f"Perhaps no measurement{'' if len(suspects) == 1 else 's'}: "
    return text + _joined(named, len(suspects), ", marked with ? below")


def sentinels_text(sentinels: tuple[Sentinel, ...]) -> str:
    named = [f"“{s.column}” holds {s.reason}" for s in sentinels[:MOST_NAMED]]
    return "Perhaps gaps: " + _joined(named, len(sentinels))


def totals_text(totals: Totals) -> str:
    return f"Perhaps no data: the last row {totals.reason}."


def _joined(named: list[str], count: int, where: str = "") -> str:
    more = count - len(named)
    return "; ".join(named) + (f"; and {more:,} more{where}." if more else ".")
