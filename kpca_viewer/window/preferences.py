"""What is remembered between two starts."""

import json
import os
from glob import has_magic
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QSettings

from kpca_viewer.features.large_tables.sheet import ClusterAddress
from kpca_viewer.widgets.theme import THEMES, Theme, system_theme

MOST_RECENT = 10
MOST_ANSWERS = 30

LEAST_STEPS, MOST_STEPS = -2, 8
"""How much smaller and larger than usual all type can be made."""

Purpose = Literal["open", "save", "export"]
"""Why a file is asked for; each has a folder of its own."""


class Preferences:
    """A thin, typed layer over QSettings."""

    def __init__(self) -> None:
        self.store = QSettings(
            QSettings.Format.IniFormat,
            QSettings.Scope.UserScope,
            "kpca_viewer",
            "kpca_viewer",
        )

    def theme(self) -> Theme:
        """Return the chosen theme, or the one of the system."""
        return THEMES.get(str(self.store.value("theme", "")), system_theme())

    def set_theme(self, name: str | None) -> None:
        self.store.setValue("theme", name or "")

    def type_steps(self) -> int:
        """Return by how many steps the type is larger than usual."""
        text = str(self.store.value("type", "0"))
        steps = int(text) if text.lstrip("-").isdigit() else 0
        return min(max(steps, LEAST_STEPS), MOST_STEPS)

    def set_type_steps(self, steps: int) -> int:
        """Choose a size of the type; returns the nearest there is."""
        steps = min(max(steps, LEAST_STEPS), MOST_STEPS)
        self.store.setValue("type", str(steps))
        return steps

    def letter_keys(self) -> bool:
        return str(self.store.value("letter_keys", "true")) == "true"

    def set_letter_keys(self, on: bool) -> None:
        """Choose whether letters and digits act without Ctrl."""
        self.store.setValue("letter_keys", "true" if on else "false")

    def folder(self, purpose: Purpose) -> Path:
        """Return where a dialog begins: where it was used last, or where one works."""
        text = self.store.value(f"{purpose}/folder", "")
        # An empty path is the working folder, and stays it when a name is added.
        folder = Path(text) if isinstance(text, str) else Path()
        try:
            return folder if folder.is_dir() else Path()
        except (OSError, ValueError):
            return Path()

    def keep_folder(self, purpose: Purpose, file: Path) -> None:
        self.store.setValue(f"{purpose}/folder", str(file.absolute().parent))

    def recent(self) -> list[Path]:
        """Return the files that were opened last and are still there."""
        names = self.store.value("recent")
        # A list of one comes back as a plain text.
        texts = [names] if isinstance(names, str) else names
        paths = [Path(str(text)) for text in texts] if isinstance(texts, list) else []
        # A pattern is no file; who opens it sees which there are.
        return [path for path in paths if os.path.exists(path) or has_magic(path.name)]

    def add_recent(self, path: Path) -> None:
        """Remember a file as the last one that was opened."""
        path = path.absolute()
        others = [other for other in self.recent() if other != path]
        kept = [path, *others][:MOST_RECENT]
        self.store.setValue("recent", [str(each) for each in kept])

    def answers(self) -> dict[str, str]:
        """Return what was said about files, by their columns, the last one first."""
        try:
            kept = json.loads(str(self.store.value("answers", "{}")))
        except ValueError:
            return {}
        return kept if isinstance(kept, dict) else {}

    def keep_answers(self, key: str, text: str) -> None:
        """Remember what was said about a file; nothing forgets it."""
        others = {k: str(v) for k, v in self.answers().items() if k != key}
        kept = [*([(key, text)] if text else []), *others.items()][:MOST_ANSWERS]
        self.store.setValue("answers", json.dumps(dict(kept)))

    def cluster(self) -> ClusterAddress:
        """Return the cluster that was connected to last."""
        scheduler = str(self.store.value("cluster/scheduler", ""))
        names = self.store.value("cluster/files")
        # A list of one comes back as a plain text.
        texts = [names] if isinstance(names, str) else names
        paths = [Path(str(text)) for text in texts] if isinstance(texts, list) else []
        return ClusterAddress(scheduler, tuple(paths))

    def keep_cluster(self, address: ClusterAddress) -> None:
        self.store.setValue("cluster/scheduler", address.scheduler)
        self.store.setValue("cluster/files", [str(path) for path in address.files])

    def lesson(self, path: Path) -> str:
        """Return how far a lesson has come, as it was kept; empty for never begun."""
        return str(self.store.value(_lesson_key(path), ""))

    def keep_lesson(self, path: Path, progress: str) -> None:
        self.store.setValue(_lesson_key(path), progress)

    def lesson_language(self) -> str | None:
        """Return the language that was chosen for lessons, if one was."""
        return str(self.store.value("lesson_language", "")) or None

    def set_lesson_language(self, language: str) -> None:
        self.store.setValue("lesson_language", language)

    def wants_hint(self) -> bool:
        """Whether the first-minute hint has not been put away yet."""
        return str(self.store.value("hint", "")) != "done"

    def put_hint_away(self) -> None:
        self.store.setValue("hint", "done")

    def reset(self) -> None:
        self.store.clear()


def _lesson_key(path: Path) -> str:
    # A slash would be a group of its own.
    return f"lessons/{str(path.absolute()).replace(os.sep, '|')}"
