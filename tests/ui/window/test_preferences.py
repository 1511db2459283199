"""What is remembered between two starts."""

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings

from kpca_viewer.widgets.theme import DARK, LIGHT, system_theme
from kpca_viewer.window.preferences import MOST_ANSWERS, Preferences


@pytest.fixture
def preferences(tmp_path, qapp):
    QSettings.setPath(
        QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(tmp_path)
    )
    return Preferences()


def again() -> Preferences:
    return Preferences()


def test_nothing_is_known_at_first(preferences):
    assert preferences.theme() is system_theme()
    assert preferences.wants_hint()


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_the_theme_comes_back(preferences, theme):
    preferences.set_theme(theme.name)
    assert again().theme() is theme
    preferences.set_theme(None)
    assert again().theme() is system_theme()


def test_the_hint_is_put_away_for_ever(preferences):
    preferences.put_hint_away()
    assert not again().wants_hint()
    preferences.reset()
    assert again().wants_hint()


def test_every_purpose_has_a_folder_of_its_own(preferences, tmp_path):
    assert preferences.folder("open") == Path()  # the working folder
    for purpose in ("open", "save", "export"):
        (tmp_path / purpose).mkdir()
        preferences.keep_folder(purpose, tmp_path / purpose / "a file.csv")
    assert [again().folder(p) for p in ("open", "save", "export")] == [
        tmp_path / "open",
        tmp_path / "save",
        tmp_path / "export",
    ]
    (tmp_path / "save").rmdir()
    assert again().folder("save") == Path()


@pytest.mark.parametrize("nonsense", ["\x00", ["a", "b"], "x" * 5000])
def test_a_folder_that_is_none(preferences, nonsense):
    preferences.store.setValue("open/folder", nonsense)
    assert preferences.folder("open") == Path()


def test_answers_to_files_are_kept_for_the_last_few(preferences):
    for k in range(MOST_ANSWERS + 5):
        preferences.keep_answers(f"columns {k}", f'{{"k": {k}}}')
    preferences.keep_answers("columns 20", "again")
    kept = again().answers()
    assert len(kept) == MOST_ANSWERS
    assert list(kept)[:2] == ["columns 20", f"columns {MOST_ANSWERS + 4}"]
    assert kept["columns 20"] == "again"
    preferences.keep_answers("columns 20", "")
    assert "columns 20" not in again().answers()
    preferences.store.setValue("answers", "no JSON")
    assert preferences.answers() == {}
