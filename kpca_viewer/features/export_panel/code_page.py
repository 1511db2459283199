"""Code: the picture as a script that anybody can run."""

from typing import cast

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from kpca_viewer.widgets.composed_picture import ExportContent
from kpca_viewer.widgets.export_form import Choices, add_lines, segmented

WHAT = (
    ("kpca_viewer", "Python", "With our KernelPCA: fast, and with error bounds"),
    ("sklearn", "scikit-learn", "With scikit-learn alone, if it can"),
    ("notebook", "Notebook", "For Jupyter"),
)


class CodePage(QWidget):
    """Shows the script for what the window shows."""

    choice_changed = Signal()

    def __init__(self, choices: Choices) -> None:
        super().__init__()
        self.setObjectName("export_code_page")
        self._content: ExportContent | None = None
        self._what = segmented("export_code", "Code for", WHAT)
        choices.remember("code", self._what, "kpca_viewer")
        self._what.value_changed.connect(self.refresh)
        self._text = QPlainTextEdit()
        self._text.setObjectName("export_code_text")
        self._text.setAccessibleName("The script")
        self._text.setReadOnly(True)
        # A page of code is read by Tab like the rest, and left by it again.
        self._text.setTabChangesFocus(True)
        self._text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 12, 0, 0)
        layout.setSpacing(8)
        add_lines(layout, [("Code for", (self._what,))])
        layout.addWidget(self._text, 1)

    def set_content(self, content: ExportContent) -> None:
        self._content = content
        self.refresh()

    def what(self) -> str:
        return self._what.value()

    def choose(self, what: str) -> None:
        self._what.button(what).setChecked(True)

    def choose_script(self) -> None:
        """Leave the notebook for a script; a kind of script that is chosen stays."""
        if self.what() == "notebook":
            self.choose("kpca_viewer")

    def ending(self) -> str:
        return "ipynb" if self.what() == "notebook" else "py"

    def code(self) -> str:
        """Return the whole script or notebook; empty while there is no result."""
        content = self._content
        if content is None:
            return ""
        # Imported on first use: these bring scipy and scikit-learn along.
        from kpca_viewer.export.script import Library, as_notebook, as_python

        file, view = content.document.data.file, content.document.settings.view
        if self.what() == "notebook":
            return as_notebook(content.result, file=file, view=view)
        library = cast("Library", self.what())
        return as_python(content.result, library, file=file, view=view)

    @Slot()
    def refresh(self) -> None:
        self._text.setPlainText(self.code())
        self.choice_changed.emit()
