"""The export panel: pictures, numbers, code and a report of what the window shows."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, Signal, Slot
from PySide6.QtGui import QCloseEvent, QGuiApplication, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QPushButton,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from kpca_viewer.engine import messages
from kpca_viewer.engine.document.in_picture import metadata_of
from kpca_viewer.engine.feature import load
from kpca_viewer.engine.messages import Message
from kpca_viewer.export.file_saver import FileSaver, Painting
from kpca_viewer.export.image import image_of, saving_of
from kpca_viewer.export.image_spec import ImageSpec
from kpca_viewer.features.export_panel.code_page import CodePage
from kpca_viewer.features.export_panel.image_page import ImagePage
from kpca_viewer.features.export_panel.numbers_page import NumbersPage
from kpca_viewer.features.export_panel.preview import PictureCopier
from kpca_viewer.features.export_panel.text import (
    COPYING,
    not_saved,
    on_clipboard,
    saved_in,
    saving,
)
from kpca_viewer.features.registry import FEATURES
from kpca_viewer.support.atomic import write_atomically
from kpca_viewer.support.errors import Cancelled, KpcaError
from kpca_viewer.support.paths import unasked, with_ending
from kpca_viewer.widgets.composed_picture import ExportContent
from kpca_viewer.widgets.controls import Footer, resize_for_type
from kpca_viewer.widgets.export_form import Choices, ChoiceStore
from kpca_viewer.widgets.picture_sources import Paintable

ChoosePath = Callable[[QWidget, str, str], str]
"""``(parent, title, suggestion)`` → the chosen path, or nothing."""

PAGES = ("image", "numbers", "code", "report")


class ExportPanel(QDialog):
    """A sheet beside the window; the window stays usable behind it.

    Parameters
    ----------
    sources : mapping of str to Paintable
        See `board_sources`.
    store : Store, optional
        Something like QSettings, in which the choices are remembered.
    choose_path : callable, optional
        Instead of the dialog of the system.
    """

    saved = Signal(object)
    copied = Signal(object)
    """The path of a file that was written; what is on the clipboard now, in words."""

    def __init__(
        self,
        sources: Mapping[str, Paintable],
        content: ExportContent,
        parent: QWidget | None = None,
        *,
        store: ChoiceStore | None = None,
        choose_path: ChoosePath | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("export_panel")
        self.setWindowTitle("Export")
        self.setModal(False)
        self._choices = Choices(store)
        self._choose_path = choose_path or _ask
        self._folder = self._choices.folder()
        self._copier = PictureCopier(self)
        self._saver = FileSaver(self)
        self._repaint: Callable[[], Painting] | None = None
        self._save_had_focus = False
        self._told: Message | None = None
        self._problem: Message | None = None
        self._stale: set[str] = set()
        self._content = content
        self.image = ImagePage(sources, self._choices)
        self.numbers = NumbersPage(self._choices)
        self.code = CodePage(self._choices)
        self.report = load(FEATURES["report"].export_page)(self._choices)
        self._lay_out()
        page = self._choices.text("page", "image", PAGES)
        self.pages.setCurrentIndex(PAGES.index(page))
        self.set_content(self._content)
        self.pages.currentChanged.connect(self._on_page_changed)
        self.image.spec_changed.connect(self._show_possible)
        self.image.refused.connect(self._on_refused)
        self.image.edited.connect(self._on_edited)
        for other in (self.numbers, self.code, self.report):
            other.choice_changed.connect(self._show_possible)
        self._copier.ended.connect(self._on_copying_ended)
        self._saver.ended.connect(self._on_saving_ended)
        self._save.clicked.connect(self.save)
        self._copy.clicked.connect(self.copy)
        self._close.clicked.connect(self.close)
        self._show_possible()

    # What is shown

    @property
    def content(self) -> ExportContent:
        return self._content

    def set_content(self, content: ExportContent) -> None:
        """Follow the window: another result, selection, theme or session."""
        self._content = content
        self._stale = set(PAGES)
        self._feed(self.page())
        if self._saver.painting and self._repaint is not None:
            # Portions of two contents make no picture.
            self._feed("image")
            self._feed("report")
            self._saver.paint_anew(self._repaint())

    def _feed(self, page: str) -> None:
        """Give the content to the page in front; others get it when turned to."""
        if page in self._stale:
            self._stale.discard(page)
            self._page_widget(page).set_content(self._content)

    def _page_widget(self, page: str) -> Any:
        """Return a page; all of them have `set_content`, `choose` and `ending`."""
        return getattr(self, page)

    def show_page(self, page: str, what: str = "") -> None:
        """Turn to one of `PAGES`, and to one of its choices."""
        self.pages.setCurrentIndex(PAGES.index(page))
        if what:
            self._page_widget(page).choose(what)

    def page(self) -> str:
        return PAGES[self.pages.currentIndex()]

    @property
    def saving(self) -> bool:
        return self._saver.saving

    # Out

    @Slot()
    def save(self) -> None:
        """Ask for a name and write the file."""
        suggestion = str(self._folder / self._suggestion())
        name = self._choose_path(self, f"Export {self.page()}", suggestion)
        if not name:
            return
        path = with_ending(name, f".{self._ending()}")
        taken = unasked(path, name)
        if taken:
            self._tell(messages.trouble(taken))
            return
        self._folder = path.parent
        self._choices.keep("folder", str(self._folder))
        self.message_bar.clear()
        # Qt gives the focus of what is disabled to the next button.
        self._save_had_focus = self.focusWidget() is self._save
        self._tell(saving(path))
        try:
            self._begin_saving(path)
        except KpcaError as error:
            self._say_failed(error)
        self._show_possible()

    @Slot()
    def copy(self) -> None:
        """Put what is shown onto the clipboard."""
        # A picture that is still on its way there would come after this.
        self._copier.forget()
        if self.page() == "image":
            self._copy_picture()
            return
        try:
            if self.page() == "numbers":
                text, what = self.numbers.as_text(), "table"
            elif self.page() == "report":
                text, what = self.report.methods(), "methods paragraph"
            else:
                text = self.code.code()
                what = "notebook" if self.code.what() == "notebook" else "script"
        except KpcaError as error:
            self._say_failed(error)
            return
        QGuiApplication.clipboard().setText(text)
        self._say_copied(what)

    def _copy_picture(self) -> None:
        try:
            spec = self.image.spec()
            picture = self.image.picture(spec)
            assert picture is not None
            image = image_of(spec, picture.paint)
        except KpcaError as error:
            self._say_failed(error)
            return
        self._tell(COPYING)
        self._copier.copy(image)

    @Slot(object)
    def _on_copying_ended(self, error: Exception | None) -> None:
        if error is None:
            self._say_copied("picture")
        else:
            self._say_failed(error)

    def _begin_saving(self, path: Path) -> None:
        if self.page() == "numbers":
            self._saver.write(path, self.numbers.work(path))
        elif self.page() == "code":
            text = self.code.code().encode("utf-8", "replace")
            self._saver.write(path, partial(write_atomically, path, text))
        else:
            if self.page() == "report":
                self._repaint = partial(self._report_painting, path)
            else:
                spec, key = self.image.spec(), self.image.source_key()
                self._repaint = partial(self._image_painting, path, spec, key)
            self._saver.paint(path, self._repaint())

    def _report_painting(self, path: Path) -> Painting:
        return self.report.painting(path, self.image.sources)

    def _image_painting(self, path: Path, spec: ImageSpec, key: str) -> Painting:
        """Return what paints the picture that is saved, from the present content."""
        picture = self.image.picture(spec, key)
        assert picture is not None
        content = self._content
        metadata = metadata_of(content.result, content.document, path.parent)
        return saving_of(path, spec, picture.paint, metadata)

    @Slot(object, object)
    def _on_saving_ended(self, path: Path, error: Exception | None) -> None:
        self._show_possible()
        self.report.progress.end()
        if self._save_had_focus and self.focusWidget() is self._close:
            self._save.setFocus()
        if error is None:
            self._tell(saved_in(path, shortened(path.parent)))
            self.saved.emit(path)
        elif isinstance(error, Cancelled):
            self._tell(not_saved(path))
        else:
            self._say_failed(error)

    def _say_copied(self, what: str) -> None:
        self._tell(on_clipboard(what))
        self.copied.emit(what)

    def _say_failed(self, error: Exception) -> None:
        self._tell(messages.failure(error))

    def _tell(self, message: Message) -> None:
        self._told = message
        self.message_bar.show_declared(message)

    def _suggestion(self) -> str:
        words = {"report": "report", "code": "kernel PCA"}.get(self.page())
        words = words or self._page_widget(self.page()).file_words()
        return self._content.file_name(words, self._ending())

    def _ending(self) -> str:
        return str(self._page_widget(self.page()).ending())

    # Layout

    def _lay_out(self) -> None:
        self.pages = QTabWidget()
        self.pages.setObjectName("export_pages")
        self.pages.setAccessibleName("What kind of export")
        for page in PAGES:
            self.pages.addTab(self._page_widget(page), page.capitalize())
        self._copy = _button("export_copy_button", "&Copy")
        self._save = _button("export_save_button", "&Save…")
        self._save.setDefault(True)
        self._close = _button("export_close_button", "Close")
        footer = Footer(self._copy, self._save, self._close)
        self.message_bar = footer.message_bar
        self.message_bar.setObjectName("export_message_bar")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 8, 16, 8)
        layout.setSpacing(8)
        layout.addWidget(self.pages, 1)
        layout.addWidget(footer)
        resize_for_type(self, 900, 580)

    @Slot()
    def _show_possible(self) -> None:
        """Let the buttons tell what can be done now."""
        page = self.page()
        problem = self.image.problem() if page == "image" else ""
        if problem:
            self._problem = messages.trouble(problem)
            self._tell(self._problem)
        elif self._problem is not None and self._told is self._problem:
            self.message_bar.clear()
        possible = not problem
        self._save.setEnabled(possible and not self.saving)
        self._copy.setEnabled(
            possible and not (page == "numbers" and self.numbers.what() == "model")
        )

    @Slot(str)
    def _on_refused(self, text: str) -> None:
        self._tell(messages.trouble(text))

    @Slot()
    def _on_edited(self) -> None:
        """Take away why a number was refused: another one was taken."""
        if self.message_bar.severity() == "warning":
            self.message_bar.clear()

    @Slot()
    def _on_page_changed(self) -> None:
        self._choices.keep("page", self.page())
        self._feed(self.page())
        self.message_bar.clear()
        self._show_possible()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.image.refresh()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        # The plot may have been turned in the window meanwhile.
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.image.refresh()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._saver.finish_painting()
        self.message_bar.clear()
        self.image.rest()
        super().closeEvent(event)


def _button(name: str, text: str) -> QPushButton:
    button = QPushButton(text)
    button.setObjectName(name)
    button.setAccessibleName(text.replace("&", "").rstrip("…"))
    button.setAutoDefault(False)
    return button


def shortened(folder: Path, most: int = 72) -> str:
    """Return a folder as people know it: from home on, its ends if it is long."""
    text = str(folder)
    if folder.is_relative_to(Path.home()):
        text = str(Path("~") / folder.relative_to(Path.home()))
    half = most // 2
    return text if len(text) <= most else f"{text[:half]}…{text[-half:]}"


def _ask(parent: QWidget, title: str, suggestion: str) -> str:
    ending = Path(suggestion).suffix
    kinds = f"{ending.lstrip('.').upper()} (*{ending})"
    return QFileDialog.getSaveFileName(parent, title, suggestion, kinds)[0]
