"""The command `embed` in a folder of its own, and a table for it."""

import argparse

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QSettings
from PySide6.QtWidgets import QApplication

from kpca_viewer.cli import embed, render
from tests.cli.processes import Programs

HEADER = "site,height,width,kind\n"


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run the command in an empty folder; returns exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)

    def run(*words):
        parser = argparse.ArgumentParser(prog="kpca-viewer")
        embed.add_parser(parser.add_subparsers())
        options = parser.parse_args(["embed", *map(str, words)])
        code = options.run(options)
        done = capsys.readouterr()
        return code, done.out, done.err

    return run


@pytest.fixture
def run_render(tmp_path, monkeypatch, capsys, qapp):
    """Run `render` in an empty folder; returns exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    QSettings.setPath(
        QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(tmp_path / "home")
    )

    def run(*words):
        parser = argparse.ArgumentParser(prog="kpca-viewer")
        render.add_parser(parser.add_subparsers())
        options = parser.parse_args(["render", *map(str, words)])
        code = options.run(options)
        done = capsys.readouterr()
        return code, done.out, done.err

    yield run
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert not [w for w in QApplication.topLevelWidgets() if w.isVisible()]


@pytest.fixture(scope="session")
def programs(tmp_path_factory):
    """What starts the program in processes of its own."""
    started = Programs(tmp_path_factory.mktemp("programs"))
    yield started
    started.close()


@pytest.fixture
def table(tmp_path):
    """Two files of the same columns, the second in another order."""
    random = np.random.default_rng(4)
    points = random.standard_normal((40, 2)) * [1, 500]
    rows = [
        f"s{j},{float(x)!r},{float(y)!r},{'ab'[j % 2]}"
        for j, (x, y) in enumerate(points)
    ]
    (tmp_path / "old.csv").write_text(HEADER + "\n".join(rows[:30]))
    turned = [",".join(reversed(row.split(","))) for row in rows[30:]]
    (tmp_path / "new.csv").write_text("kind,width,height,site\n" + "\n".join(turned))
    return points
