"""What every page of the comparison has: a widget, a tool, a line below it."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.runner import Runner
from kpca_viewer.support.errors import KpcaError
from kpca_viewer.support.progress import Progress, ShouldStop, never
from kpca_viewer.widgets.scene import DrawsResult
from kpca_viewer.widgets.scene_panel import PICTURE
from kpca_viewer.widgets.theme import Theme

if TYPE_CHECKING:
    from kpca_viewer.widgets.contributions import Plots
    from kpca_viewer.widgets.joined_scatter import JoinedScatter


Job = Callable[[ShouldStop], Any]
"""Answers, or raises what a person is told."""


class Aside(QObject):
    """Answers the newest question only. The thread begins with the first large one."""

    answered = Signal(object)
    """What a job has returned, or the error that it has raised."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner: Runner | None = None

    @property
    def busy(self) -> bool:
        return self._runner is not None and self._runner.busy

    def ask(self, job: Job, *, small: bool) -> None:
        """Let a job answer; one that was asked before is not waited for any more."""
        self.forget()
        if small:
            try:
                answer = job(never)
            except KpcaError as error:
                answer = error
            self.answered.emit(answer)
            return
        if self._runner is None:
            self._runner = Runner(_work, self)
            self._runner.result_ready.connect(self._on_answered)
            self._runner.failed.connect(self._on_answered)
        self._runner.submit(job)

    def forget(self) -> None:
        if self._runner is not None:
            self._runner.cancel()

    def close(self) -> None:
        if self._runner is not None:
            self._runner.close()

    @Slot(object)
    def _on_answered(self, answer: object) -> None:
        self.answered.emit(answer)


def _work(
    job: Job,
    should_stop: ShouldStop,
    _progress: Progress,
    _publish: Callable[[Any], None],
) -> Any:
    return job(should_stop)


@dataclass(frozen=True)
class CaptionWords:
    """The line below a page, and whether it will be longer in a moment."""

    text: str = ""
    tip: str = ""
    more_follows: bool = False


class PageView(DrawsResult):
    """Draws one page.

    ``view`` takes themes by ``set_theme``; that of a page which becomes a picture
    paints itself by ``render_to``; ``tool``: a control beside the title while the page
    is in front; ``is_of_kernel``: whether it shows something of the kernel, and does
    not follow a film; ``aside``: what it has computed for itself alone; ``scatters``:
    its plots of single rows; ``menu_widgets``: where the menu of the selection opens
    too.
    """

    part = PICTURE
    view: QWidget
    tool: QWidget | None = None
    is_of_kernel = False
    aside: Aside | None = None
    scatters: "tuple[JoinedScatter, ...]" = ()
    menu_widgets: tuple[QWidget, ...] = ()

    caption_changed: Callable[[], None] = staticmethod(lambda: None)
    """Called by a page whose line below is another one without another scene."""

    def attach(self, plots: "Plots") -> None:
        """Take the large plots, where the page adds something to them."""

    def set_theme(self, theme: Theme) -> None:
        self.view.set_theme(theme)  # type: ignore[attr-defined]

    def draw_nothing(self) -> None:
        """Forget what was drawn; a sheet covers the page while there are no rows."""

    def caption(self, _result: AnalysisResult) -> CaptionWords:
        return CaptionWords()

    def let_go(self) -> bool:
        """Forget what is kept until Escape; returns whether there was anything."""
        return False

    def folded(self) -> tuple[str, ...]:
        return ()

    def set_folded(self, folded: Collection[str]) -> None:
        """Fold parts of it, as `folded` returns them."""

    def is_late(self) -> bool:
        return False
