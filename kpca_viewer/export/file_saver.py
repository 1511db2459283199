"""FileSaver: pictures painted in turns, every file written beside the window."""

from collections.abc import Callable, Generator
from pathlib import Path
from typing import cast

from PySide6.QtCore import QCoreApplication, QObject, Signal, Slot

from kpca_viewer.engine.event_loop import GeneratorSteps
from kpca_viewer.engine.runner import Task

Work = Callable[[], object]
Painting = Generator[None, None, Work]


class FileSaver(QObject):
    """Saves files, so that the window goes on answering."""

    ended = Signal(object, object)
    """The path, and the error or None."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._painting: GeneratorSteps | None = None
        self._path = Path()
        self._tasks: list[Task] = []
        application = QCoreApplication.instance()
        assert application is not None
        application.aboutToQuit.connect(self._on_quit)

    @property
    def saving(self) -> bool:
        return self.painting or bool(self._tasks)

    @property
    def painting(self) -> bool:
        return self._painting is not None

    def write(self, path: Path, work: Work) -> None:
        """Do what writes the file on another thread."""
        task = Task(work)
        task.setProperty("path", str(path))
        task.ended.connect(self._on_written)
        self._tasks.append(task)
        task.begin()

    def paint(self, path: Path, painting: Painting) -> None:
        """Paint a picture in turns, then do what the painting returns on a thread."""
        self.finish_painting()
        self._path = path
        self._painting = GeneratorSteps(painting, self)
        self._painting.ended.connect(self._on_painted)
        self._painting.begin()

    def paint_anew(self, painting: Painting) -> None:
        """Paint now, in one go, instead of what was begun."""
        assert self._painting is not None
        self._painting.stop()
        self._painting.deleteLater()
        self.paint(self._path, painting)
        self.finish_painting()

    def finish_painting(self) -> None:
        if self._painting is not None:
            self._painting.take_all()

    @Slot(object)
    def _on_painted(self, error: Exception | None) -> None:
        assert self._painting is not None
        work = self._painting.result
        self._painting.deleteLater()
        self._painting = None
        if error is None:
            self.write(self._path, cast("Work", work))
        else:
            self.ended.emit(self._path, error)

    @Slot(object)
    def _on_written(self, error: Exception | None) -> None:
        task = self.sender()
        assert isinstance(task, Task)
        self._tasks.remove(task)
        self.ended.emit(Path(task.property("path")), error)

    @Slot()
    def _on_quit(self) -> None:
        self.finish_painting()
        for task in self._tasks:
            task.wait()
