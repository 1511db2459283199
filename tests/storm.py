"""A storm of random actions on the real program, by the events that hands make.

The same seed makes the same changes; what is computed in between depends on
the machine. `tools/storm.py` lets thousands of actions loose, the tests a few.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import TypeVar

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QAction, QDropEvent, QGuiApplication, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QComboBox,
    QFileDialog,
    QLineEdit,
    QMenu,
    QTableView,
    QWidget,
)

from kpca_viewer.engine.feature import WORKSPACES
from kpca_viewer.features.import_sheet.sheet import ImportSheet
from kpca_viewer.features.registry import pages
from kpca_viewer.resources import asset
from kpca_viewer.widgets.controls import NumberField
from kpca_viewer.widgets.controls.value_slider import ValueSlider
from kpca_viewer.widgets.plots.legend_parts import LegendEntry
from kpca_viewer.window.app import Viewer

LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
NO_KEY = Qt.KeyboardModifier.NoModifier
MODIFIERS = (
    NO_KEY,
    NO_KEY,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
)
KEYS = tuple(
    getattr(Qt.Key, f"Key_{name}")
    for name in (
        *"0123456789CFNPRWX",
        *("Space", "Escape", "Return", "Tab", "Backtab", "Delete", "Backspace"),
        *("Home", "End", "PageUp", "PageDown", "Left", "Right", "Up", "Down"),
        *("Plus", "Minus", "F6", "BracketLeft", "BracketRight"),
    )
)
NEVER = ("quit",)
"""Actions that end the storm."""

NUMBERS = ("0", "1", "-3", "0.5", "1e-9", "2.5e6", "17", "nan", "x", "")
PASTED = (
    "a,b,c\n1,2,u\n3,4,v\n5,6,u",
    "x\ty\n" + "\n".join(f"{i / 7}\t{i * i % 11}" for i in range(40)),
    "a;b;class\n1,5;2;<b>\n2,5;1;<i>\n4;4;<b>\n7;1;<i>",
    "(1,2),(3,4),(5,6)",
    "1 2; 3 4; 9 1",
    "no table",
    "",
)
PALETTE_WORDS = ("", "moons", "colour", "lift", "odd", "sweep", "no such", "3", "draw")
WORDS = ("a", "zz", "1", "cl", "")

Events = Iterator[None]
"""An action: a person breathes wherever it yields, and Qt does what it has to."""

W = TypeVar("W", bound=QWidget)


class Storm:
    """Random actions on a started viewer.

    Parameters
    ----------
    viewer : Viewer
    folder : Path
        For the files that are written.
    seed : int
    most : int
        Rows, of data that are made.

    Attributes
    ----------
    told : str
        What the last action was about.
    """

    def __init__(
        self, viewer: Viewer, folder: Path, seed: int, most: int = 2000
    ) -> None:
        self.viewer, self.window = viewer, viewer.window
        self.board = viewer.window.board
        self.folder = folder
        self.random = Random(seed)
        self._most = most
        self._count = 0
        self.told = ""
        self._files = [p for p in sorted(asset("data").iterdir()) if p.suffix != ".md"]
        kinds: list[tuple[int, Callable[[], Events]]] = [
            (14, self.menu),
            (10, self.key),
            (14, self.slider),
            (12, self.plot),
            (10, self.button),
            (8, self.combo),
            (4, self.number),
            (3, self.words),
            (5, self.page),
            (8, self.workspace),
            (4, self.stage),
            (4, self.palette),
            (2, self.present),
            (3, self.choose),
            (5, self.resize),
            (6, self.history),
            (5, self.file),
            (5, self.session),
            (8, self.sweep),
            (5, self.other_window),
            (3, self.scroll),
            (2, self.samples),
            (6, self.paste),
            (6, self.hide_class),
            (5, self.table_keys),
            (3, self.drop),
            (3, self.half_typed),
            (2, self.copy),
        ]
        self._kinds = [kind for weight, kind in kinds for _ in range(weight)]

    def act(self, breathe: Callable[[], None]) -> None:
        """Do the next thing; what is told of it is known in every breath."""
        kind = self.random.choice(self._kinds)
        if self.seen(ImportSheet) and self.random.random() < 0.7:
            kind = self.sheet
        self.told = kind.__name__
        try:
            for _ in kind():
                breathe()
        except RuntimeError as error:
            # What the hand was about to touch is gone.
            if "already deleted" not in str(error):
                raise

    @contextmanager
    def dialogs(self) -> Iterator[None]:
        """Answer the dialogs of the system, which nobody can drive from outside."""
        answers = {
            "getOpenFileName": self._name_to_open,
            "getSaveFileName": self._name_to_save,
            "getExistingDirectory": lambda *_: "",
        }
        asked = {name: getattr(QFileDialog, name) for name in answers}
        for name, answer in answers.items():
            setattr(QFileDialog, name, staticmethod(answer))
        try:
            yield
        finally:
            for name, before in asked.items():
                setattr(QFileDialog, name, before)

    def _name_to_open(self, *_: object) -> tuple[str, str]:
        return str(self.random.choice([*self._files, ""])), ""

    def _name_to_save(
        self, _parent: object, _title: str, start: str, kinds: str = ""
    ) -> tuple[str, str]:
        self._count += 1
        name = f"{self._count}{Path(start).suffix}"
        # A name of its own, one that is there already, or none.
        chosen = self.random.choice([name, name, "again.kpca", ""])
        return str(self.folder / chosen) if chosen else "", kinds.split(";;")[0]

    # What is there

    def seen(self, kind: type[W], within: QWidget | None = None) -> list[W]:
        """Return the visible widgets of a kind that can be used."""
        return [
            widget
            for widget in (within or self.window).findChildren(kind)
            if widget.isVisible() and widget.isEnabled()
        ]

    def windows(self) -> list[QWidget]:
        """Return the other windows that are open."""
        return [
            widget
            for widget in QApplication.topLevelWidgets()
            if widget.isVisible() and widget is not self.window
        ]

    def _somewhere(self, widget: QWidget) -> QPoint:
        at = self.random.random
        return QPoint(int(at() * widget.width()), int(at() * widget.height()))

    # What is done

    def menu(self) -> Events:
        """Take an entry of the menus."""
        actions = self.window.actions_table
        keys = [key for key in actions.keys() if key not in NEVER]  # noqa: SIM118
        yield from self._trigger(actions[self.random.choice(keys)])

    def _trigger(self, action: QAction) -> Events:
        self.told = action.objectName()
        if action.isEnabled() and not self.seen(ImportSheet):
            action.trigger()
        yield

    def key(self) -> Events:
        """Press keys, wherever the focus is."""
        for _ in range(self.random.randint(1, 4)):
            target = QApplication.focusWidget() or self.window
            key = self.random.choice(KEYS)
            QTest.keyClick(target, key, self.random.choice(MODIFIERS))
            yield

    def slider(self) -> Events:
        """Drag a slider."""
        # Of twenty thousand rows a storm would only wait: see `samples`.
        sliders = [s for s in self.seen(ValueSlider) if "samples" not in s.objectName()]
        if not sliders:
            return
        slider = self.random.choice(sliders)
        self.told = slider.objectName()
        at = self._somewhere(slider)
        QTest.mousePress(slider, LEFT, NO_KEY, at)
        for _ in range(self.random.randint(1, 8)):
            yield
            at = QPoint(self._somewhere(slider).x(), at.y())
            QTest.mouseMove(slider, at)
        QTest.mouseRelease(slider, LEFT, NO_KEY, at)
        yield

    def samples(self) -> Events:
        """Ask for many rows, or few."""
        fields = self.window.sidebar.findChildren(NumberField, "samples_field")
        for field in fields:
            if field.isVisible():
                yield from self._enter(field, str(self.random.randint(3, self._most)))

    def plot(self) -> Events:
        """Hover, click, wheel or draw a loop in a plot."""
        board = self.board
        views = [board.data.view.canvas, board.embedding.view.canvas]
        views += [board.compare.pca.canvas]
        views = [v for v in views if v.isVisible()]
        if not views:
            return
        target = self.random.choice(views).viewport()
        way = self.random.choice(["hover", "click", "double", "wheel", "drag", "drag"])
        keys = self.random.choice(MODIFIERS)
        at = self._somewhere(target)
        self.told = f"{way} {target.parentWidget().objectName()}"
        if way == "hover":
            for _ in range(6):
                QTest.mouseMove(target, self._somewhere(target))
                yield
        elif way == "click":
            QTest.mouseClick(target, LEFT, keys, at)
        elif way == "double":
            QTest.mouseDClick(target, LEFT, keys, at)
        elif way == "wheel":
            self._turn_wheel(target, at)
        else:
            button = self.random.choice([LEFT, LEFT, LEFT, RIGHT])
            QTest.mousePress(target, button, keys, at)
            for _ in range(self.random.randint(1, 12)):
                yield
                QTest.mouseMove(target, self._somewhere(target))
            QTest.mouseRelease(target, button, keys, at)
        yield

    def _turn_wheel(self, target: QWidget, at: QPoint) -> None:
        by = self.random.choice([-480, -120, 120, 480])
        event = QWheelEvent(
            QPointF(at),
            QPointF(target.mapToGlobal(at)),
            QPoint(),
            QPoint(0, by),
            Qt.MouseButton.NoButton,
            NO_KEY,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(target, event)

    def button(self) -> Events:
        """Press any button of the window."""
        yield from self._press_any(self.window)

    def _press_any(self, within: QWidget) -> Events:
        buttons = self.seen(QAbstractButton, within)
        if buttons and (within is not self.window or not self.seen(ImportSheet)):
            button = self.random.choice(buttons)
            self.told = f"button {button.objectName() or button.text()}"
            # A button that opens a menu comes back when that is closed.
            QTimer.singleShot(0, self.window, _close_menu)
            QTest.mouseClick(button, LEFT, NO_KEY, button.rect().center())
        yield

    def combo(self) -> Events:
        """Choose a line of a list by keys."""
        combos = self.seen(QComboBox)
        if not combos or self.seen(ImportSheet):
            return
        combo = self.random.choice(combos)
        self.told = combo.objectName()
        combo.setFocus()
        for _ in range(self.random.randint(1, 6)):
            QTest.keyClick(
                combo,
                self.random.choice([Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up]),
            )
            if self.random.random() < 0.3:
                yield
        yield

    def number(self) -> Events:
        """Type a number, or what is none."""
        fields = [
            f for f in self.seen(NumberField) if f.objectName() != "samples_field"
        ]
        if fields:
            field = self.random.choice(fields)
            self.told = field.objectName()
            yield from self._enter(field, self.random.choice(NUMBERS))

    def _enter(self, field: QWidget, text: str) -> Events:
        field.setFocus()
        QTest.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClicks(field, text)
        yield
        QTest.keyClick(field, Qt.Key.Key_Return)
        yield

    def words(self) -> Events:
        """Type into a line of text, such as a search."""
        lines = [
            line
            for line in self.seen(QLineEdit)
            if not isinstance(line.parentWidget(), NumberField | QComboBox)
        ]
        if lines:
            line = self.random.choice(lines)
            self.told = line.objectName()
            yield from self._enter(line, self.random.choice(WORDS))

    def page(self) -> Events:
        """Turn to another page beside the spectrum."""
        page = self.random.choice([*pages(), "table", "table", "table"])
        yield from self._trigger(self.window.actions_table[f"page_{page}"])

    def workspace(self) -> Events:
        """Go through workspaces, faster than anything is computed."""
        for _ in range(self.random.randint(1, 4)):
            key = self.random.choice(list(WORKSPACES))
            yield from self._trigger(self.window.actions_table[f"workspace_{key}"])

    def stage(self) -> Events:
        """Let a panel change places with the one on the stage."""
        panels = [p for p in self.board.panels if p.swap.isVisible()]
        if panels and not self.seen(ImportSheet):
            panel = self.random.choice(panels)
            self.told = f"{panel.objectName()} to the stage"
            panel.swap.click()
        yield

    def palette(self) -> Events:
        """Find something by words, and take it or not."""
        palette = self.viewer.controllers["window"].palette
        if self.seen(ImportSheet):
            return
        palette.open()
        yield
        QTest.keyClicks(palette.field, self.random.choice(PALETTE_WORDS))
        yield
        found = palette.list.currentItem()
        told = "" if found is None else found.data(Qt.ItemDataRole.AccessibleTextRole)
        self.told = f"palette: {told}"
        never = told is None or "Quit" in told or not palette.isVisible()
        QTest.keyClick(palette.field, Qt.Key.Key_Escape if never else Qt.Key.Key_Return)
        yield

    def present(self) -> Events:
        """Present, or end it."""
        yield from self._trigger(self.window.actions_table["present"])

    def choose(self) -> Events:
        """Compare kernels, walk through the rows, perhaps take one."""
        yield from self._trigger(self.window.actions_table["choose"])
        table = self.viewer.controllers["kernel_search"].view.table
        for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Return):
            if table.isVisible() and self.random.random() < 0.6:
                QTest.keyClick(table, key)
            yield

    def paste(self) -> Events:
        """Paste a table or points of the clipboard, and perhaps accept the sheet."""
        QGuiApplication.clipboard().setText(self.random.choice(PASTED))
        key = self.random.choice(["paste", "paste", "paste_points"])
        yield from self._trigger(self.window.actions_table[key])
        yield from self._while_reading()
        for sheet in self.seen(ImportSheet):
            QTest.keyClick(sheet, Qt.Key.Key_Return)
        yield from self._while_reading()

    def hide_class(self) -> Events:
        """Click classes of a legend, and perhaps take a step back at once."""
        for _ in range(self.random.randint(1, 3)):
            entries = self.seen(LegendEntry)
            if entries and not self.seen(ImportSheet):
                entry = self.random.choice(entries)
                self.told = f"hide {entry.name}"
                click = self.random.choice([QTest.mouseClick, QTest.mouseDClick])
                click(entry, LEFT, NO_KEY, entry.rect().center())
            yield
        if self.random.random() < 0.4:
            key = self.random.choice(["undo", "redo", "new_point", "clear_new_points"])
            yield from self._trigger(self.window.actions_table[key])

    def table_keys(self) -> Events:
        """Walk through a table or list by keys, type into it, sort it."""
        tables = self.seen(QTableView)
        if not tables or self.seen(ImportSheet):
            return
        table = self.random.choice(tables)
        self.told = f"keys in {table.objectName()}"
        table.setFocus()
        rows = table.model().rowCount()
        index = table.model().index(self.random.randrange(rows or 1), 1)
        if index.isValid():
            table.setCurrentIndex(index)
        yield
        for _ in range(self.random.randint(1, 5)):
            target = QApplication.focusWidget() or table
            key = self.random.choice(KEYS)
            QTest.keyClick(target, key, self.random.choice(MODIFIERS))
            if self.random.random() < 0.5:
                yield
        header = table.horizontalHeader()
        if header.isVisible() and header.count():
            place = header.sectionViewportPosition(
                self.random.randrange(header.count())
            )
            at = QPoint(place + 5, header.height() // 2)
            QTest.mouseClick(header.viewport(), LEFT, NO_KEY, at)
        yield

    def drop(self) -> Events:
        """Drop files onto the window: data, sessions, what is neither."""
        saved = [p for p in sorted(self.folder.iterdir()) if p.is_file()]
        files = self.random.choices([*self._files, *saved], k=self.random.randint(1, 2))
        self.told = f"drop {files[0].name}"
        content = QMimeData()
        content.setUrls([QUrl.fromLocalFile(str(path)) for path in files])
        event = QDropEvent(
            QPointF(50, 50), Qt.DropAction.CopyAction, content, LEFT, NO_KEY
        )
        if not self.seen(ImportSheet):
            QApplication.sendEvent(self.window, event)
        yield from self._while_reading()

    def half_typed(self) -> Events:
        """Type a number without entering it, and do something else."""
        fields = self.seen(NumberField)
        fields = [f for f in fields if f.objectName() != "samples_field"]
        if not fields:
            return
        field = self.random.choice(fields)
        self.told = f"half typed {field.objectName()}"
        field.setFocus()
        QTest.keyClicks(field, self.random.choice(NUMBERS))
        yield
        for _ in range(self.random.randint(1, 3)):
            key = self.random.choice(["undo", "undo", "redo", "controls"])
            yield from self._trigger(self.window.actions_table[key])

    def copy(self) -> Events:
        """Copy the picture, the script or the marked cells."""
        keys = ["copy_image", "copy_image", "copy_code"]
        yield from self._trigger(self.window.actions_table[self.random.choice(keys)])

    def resize(self) -> Events:
        """Drag an edge of any window."""
        window = self.random.choice([self.window, *self.windows()])
        self.told = f"resize {window.objectName()}"
        for _ in range(self.random.randint(1, 5)):
            size = self.random.randint(320, 1920), self.random.randint(240, 1100)
            window.resize(*size)
            yield

    def history(self) -> Events:
        """Undo or redo a few steps."""
        key = self.random.choice(["undo", "undo", "redo"])
        for _ in range(self.random.randint(1, 5)):
            yield from self._trigger(self.window.actions_table[key])

    def file(self) -> Events:
        """Open a file, or rows to project."""
        path = self.random.choice(self._files)
        self.told = f"open {path.name}"
        if self.random.random() < 0.8:
            self.viewer.controllers["import_sheet"].open_path(path)
        else:
            self.viewer.controllers["import_sheet"].open_new_rows(path)
        yield from self._while_reading()

    def session(self) -> Events:
        """Save the session, or open one that was saved."""
        saved = sorted(self.folder.glob("*.kpca"))
        if saved and self.random.random() < 0.5:
            self.told = "reopen"
            self.viewer.controllers["import_sheet"].open_path(self.random.choice(saved))
            yield from self._while_reading()
        else:
            key = self.random.choice(["save", "save_as", "save_with_data"])
            yield from self._trigger(self.window.actions_table[key])

    def _while_reading(self) -> Events:
        for _ in range(200):
            yield
            if not self.viewer.controllers["import_sheet"].runner.busy:
                return

    def sheet(self) -> Events:
        """Answer the sheet of a file."""
        sheet = self.seen(ImportSheet)[-1]
        way = self.random.choice(["accept", "accept", "reject", "press", "combo"])
        self.told = f"sheet {way}"
        combos = self.seen(QComboBox, sheet)
        if way == "press":
            yield from self._press_any(sheet)
        elif way == "combo" and combos:
            combo = self.random.choice(combos)
            combo.setFocus()
            QTest.keyClick(combo, Qt.Key.Key_Down)
        else:
            key = Qt.Key.Key_Escape if way == "reject" else Qt.Key.Key_Return
            QTest.keyClick(sheet, key)
        yield from self._while_reading()

    def sweep(self) -> Events:
        """Start a sweep, play it, point at it, look at all its pictures."""
        strip, actions = (
            self.viewer.controllers["sweep"].strip,
            self.window.actions_table,
        )
        way = self.random.choice(
            ["start", "play", "play", "step", "film", "pin", "compare"]
        )
        self.told = f"sweep {way}"
        if self.seen(ImportSheet):
            return
        if way == "film" and strip.film.isVisible():
            QTest.mouseMove(strip.film, self._somewhere(strip.film))
            yield
            QTest.mouseClick(strip.film, LEFT, NO_KEY, self._somewhere(strip.film))
        elif way in ("start", "play", "pin", "compare"):
            actions["sweep_start" if way == "start" else way].trigger()
        elif way == "step":
            actions["sweep_forward"].trigger()
        yield

    def other_window(self) -> Events:
        """Do something in a window beside the main one, or close it."""
        windows = [w for w in self.windows() if not isinstance(w, ImportSheet)]
        if not windows:
            return
        window = self.random.choice(windows)
        self.told = f"in {window.objectName()}"
        way = self.random.choice(["close", "press", "press", "click", "click"])
        if way == "close":
            QTest.keyClick(window, Qt.Key.Key_Escape)
        elif way == "press":
            yield from self._press_any(window)
        else:
            target = self.random.choice([window, *self.seen(QWidget, window)])
            QTest.mouseClick(target, LEFT, NO_KEY, self._somewhere(target))
        yield

    def scroll(self) -> Events:
        """Turn the wheel over something that scrolls."""
        areas = self.seen(QAbstractScrollArea)
        if areas:
            target = self.random.choice(areas).viewport()
            self.told = f"scroll {target.parentWidget().objectName()}"
            self._turn_wheel(target, self._somewhere(target))
        yield


def _close_menu() -> None:
    menu = QApplication.activePopupWidget()
    if isinstance(menu, QMenu):
        menu.close()
