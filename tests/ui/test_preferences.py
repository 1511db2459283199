"""What is remembered between two starts."""

import pytest
from PySide6.QtCore import QSettings

from kpca_viewer.session.settings import DataSettings, KernelSettings, SessionSettings
from kpca_viewer.ui.preferences import Preferences
from kpca_viewer.ui.theme import DARK, LIGHT, system_theme


@pytest.fixture
def preferences(tmp_path, qapp):
    QSettings.setPath(
        QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(tmp_path)
    )
    return Preferences()


def again() -> Preferences:
    return Preferences()


def test_nothing_is_known_at_first(preferences):
    assert preferences.settings() is None
    assert preferences.theme() is system_theme()
    assert preferences.wants_hint()


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_the_theme_comes_back(preferences, theme):
    preferences.set_theme(theme.name)
    assert again().theme() is theme
    preferences.set_theme(None)
    assert again().theme() is system_theme()


def test_the_settings_come_back(preferences):
    settings = SessionSettings(DataSettings("moons", (("noise", 0.2),), 4))
    preferences.set_settings(settings)
    assert again().settings() == settings


@pytest.mark.parametrize(
    "settings",
    [
        SessionSettings(data=DataSettings("a file that was opened")),
        SessionSettings(kernel=KernelSettings("a kernel of the future")),
    ],
)
def test_settings_that_cannot_be_shown_are_dropped(preferences, settings):
    preferences.set_settings(settings)
    assert again().settings() is None


@pytest.mark.parametrize("text", ["", "{", "[]", '{"data": 3}', "\x00"])
def test_nonsense_is_dropped(preferences, text):
    preferences.store.setValue("session", text)
    assert preferences.settings() is None


def test_the_hint_is_put_away_for_ever(preferences):
    preferences.put_hint_away()
    assert not again().wants_hint()
    preferences.reset()
    assert again().wants_hint()
