"""Draw the pictures of the README from the window: tools/pictures.py [FOLDER].

Without a screen they have the fonts of Qt's own platform; `xvfb-run` gives them
those of a desktop. Settings are kept apart from those of a person.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from PySide6.QtCore import QEventLoop

from kpca_viewer.cli.main import main
from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.widgets.theme import LIGHT
from kpca_viewer.window.app import Viewer
from kpca_viewer.window.application import application, settle

SIZE = 1366, 768
FRAMES = 20
LEAST, MOST = 0.05, 20.0


def until(condition: Callable[[], bool]) -> None:
    loop = QEventLoop()
    while not condition():
        loop.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)


def window(
    path: Path, source: str, action: str, ready: Callable[[Viewer], bool]
) -> None:
    """Do one thing in a new window and draw it once that is finished."""
    viewer = Viewer(SessionSettings(data=DataSettings(source)), theme=LIGHT)
    viewer.show()
    viewer.window.resize(*SIZE)
    until(lambda: viewer.presenter.result is not None and not viewer.runner.busy)
    viewer.window.actions_table[action].trigger()
    until(lambda: ready(viewer) and not viewer.runner.busy)
    viewer.window.message_bar.hide()
    settle(viewer.window)
    viewer.window.board.embedding.view.glide.finish()
    viewer.window.grab().save(str(path))
    viewer.window.close()


def swept(viewer: Viewer) -> bool:
    strip = viewer.controllers["sweep"].strip
    if strip.state() == "idle":
        strip.start()
    return strip.state() == "done"


def chosen(viewer: Viewer) -> bool:
    search = viewer.controllers["kernel_search"]
    idle = not search.runner.busy and not search.runner.pictures.busy
    return search.state.stage in ("done", "failed") and idle


def moving(path: Path, place: Path) -> None:
    """Draw the window while γ grows, there and back."""
    frames = []
    for number in range(FRAMES):
        gamma = LEAST * (MOST / LEAST) ** (number / (FRAMES - 1))
        frame = place / f"{number}.png"
        words = ["render", "--data", "circles", "--gamma", f"{gamma:.3g}", "--quiet"]
        if main([*words, "--size", "1100x700", "--out", str(frame)]):
            sys.exit("A frame was not drawn.")
        frames.append(Image.open(frame).convert("RGB"))
    # One palette for all, so that nothing flickers.
    palette = frames[-1].quantize(128)
    frames = [f.quantize(palette=palette, dither=Image.Dither.NONE) for f in frames]
    loop = [*frames[1:], *reversed(frames[:-1])]
    frames[0].save(path, save_all=True, append_images=loop, duration=160, loop=0)


if __name__ == "__main__":
    folder = Path(sys.argv[1] if sys.argv[1:] else "docs/pictures")
    with TemporaryDirectory() as home:
        for name in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
            os.environ[name] = home
        app = application()
        window(folder / "sweep.png", "circles", "workspace_sweep", swept)
        window(
            folder / "explain.png", "three_points", "page_derivation", lambda _: True
        )
        window(folder / "decide.png", "circles", "choose", chosen)
        moving(folder / "rings.gif", Path(home))
