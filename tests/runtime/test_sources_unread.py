"""PySide looks into the sources of those modules only that may have chosen switches."""

import json
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

import kpca_viewer
from kpca_viewer.engine import event_loop

LEAVE_UNREAD = event_loop.leave_sources_unread.__wrapped__


@pytest.mark.parametrize(
    "feature",
    [
        SimpleNamespace(),
        SimpleNamespace(_mod_uses_pyside=None),
        SimpleNamespace(_mod_uses_pyside=frozenset({"numpy"})),
    ],
)
def test_where_pyside_does_not_look_nothing_is_changed(feature, monkeypatch):
    before = dict(vars(feature))
    monkeypatch.setattr(event_loop, "import_module", lambda _: feature)
    LEAVE_UNREAD()
    assert vars(feature) == before


def test_where_pyside_has_no_such_module_nothing_is_changed(monkeypatch):
    monkeypatch.setitem(sys.modules, "shibokensupport.feature", None)
    LEAVE_UNREAD()


def test_what_is_not_asked_about_one_module_is_answered_by_pyside(monkeypatch):
    asked = []

    def look(*words):
        asked.append(words)
        return "looked"

    feature = SimpleNamespace(_mod_uses_pyside=look)
    monkeypatch.setattr(event_loop, "import_module", lambda _: feature)
    LEAVE_UNREAD()
    uses = feature._mod_uses_pyside
    assert uses(kpca_viewer) is True
    assert uses(np) is False
    assert asked == []
    assert uses(pytest) == uses("numpy") == uses(np, "source") == "looked"
    assert asked == [(pytest,), ("numpy",), (np, "source")]


PLUGIN = """
from PySide6.QtCore import QObject
from __feature__ import snake_case

def names():
    known = QObject()
    known.set_object_name("plugin")
    return [known.object_name(), hasattr(known, "objectName")]
"""
PROGRAM = """
import json
import kpca_viewer.widgets
import other_plugin
from kpca_viewer.engine.runner import Pacer, Runner
from PySide6.QtCore import QCoreApplication, QObject

app = QCoreApplication([])
runner = Runner(lambda *_: None)
pacer = Pacer(runner)
runner.close()
plain = QObject()
plain.setObjectName("plain")
print(json.dumps([other_plugin.names(), plain.objectName()]))
"""


@pytest.mark.journey
def test_a_plugin_has_the_names_that_it_has_chosen(tmp_path):
    (tmp_path / "other_plugin.py").write_text(PLUGIN)
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    run = subprocess.run(
        [sys.executable, program], capture_output=True, text=True, check=True
    )
    assert json.loads(run.stdout) == [["plugin", False], "plain"]
