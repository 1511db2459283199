"""k(xᵢ, ·) in colours: it follows the row that is pointed at, or is held."""

from PySide6.QtCore import QObject, Slot

from kpca_viewer.engine.kernel_function import FUNCTION, has_functions
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.features.kernel_matrix.page import MatrixPage
from kpca_viewer.widgets.workbench import Workbench


class KernelFunction(QObject):
    """Chooses the row by which points and plane are coloured."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._workbench = workbench
        self._store = workbench.store
        self._linking = workbench.window.board.linking
        self._before = "label"
        self.held = False
        page = workbench.window.board.compare.views["gram"]
        assert isinstance(page, MatrixPage)
        page.function.clicked.connect(self._on_clicked)
        self._linking.hovered_changed.connect(self._on_hovered)
        self._store.changed.connect(self._on_store_changed)

    @property
    def on(self) -> bool:
        return self._store.settings.view.color_by.startswith(FUNCTION)

    @Slot()
    def turn(self) -> None:
        """Show k(xᵢ, ·); hold its row; show the colours of before."""
        if not self.on:
            self._show()
        elif not self.held:
            self.held = True
        else:
            self.let_go()

    def let_go(self) -> bool:
        """Show the colours of before; returns whether there was anything else."""
        was_on = self.on
        if was_on:
            self._request(self._before)
        return was_on

    def _show(self) -> None:
        result, row = self._workbench.presenter.result, self._linking.hovered
        if result is not None and has_functions(result):
            known = row is not None and row < result.dataset.n
            self._request(f"{FUNCTION}{row if known else 0}")

    def _request(self, color_by: str) -> None:
        settings = self._store.settings.with_view(color_by=color_by)
        self._workbench.window.changes.request(settings)

    @Slot(bool)
    def _on_clicked(self, on: bool) -> None:
        if on:
            self._show()
        else:
            self.let_go()

    @Slot(object)
    def _on_hovered(self, row: int | None) -> None:
        if self.on and not self.held and row is not None and row < self._linking.count:
            # The row is where the mouse is: no step of the history.
            settings = self._store.settings.with_view(color_by=f"{FUNCTION}{row}")
            self._store.amend(settings=settings)

    @Slot(object, object)
    def _on_store_changed(self, old: SessionSettings, new: SessionSettings) -> None:
        before, now = old.view.color_by, new.view.color_by
        if not now.startswith(FUNCTION):
            self.held = False
        elif not before.startswith(FUNCTION):
            self._before = before
