"""A session that names any file of the computer is asked about, and the last is not."""

import shutil

from PySide6.QtWidgets import QFileDialog

from kpca_viewer.cli.main import main
from kpca_viewer.engine.document.files import save
from kpca_viewer.engine.document.in_picture import read_metadata
from kpca_viewer.engine.document.model import Document, DocumentData, FileReference
from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.resources import asset
from tests.e2e.files import accept
from tests.e2e.program import Program


def sent(folder, data):
    """Write a session that came by mail, and names a file."""
    folder.mkdir()
    settings = SessionSettings(data=DataSettings(str(data)))
    save(
        Document(settings, data=DocumentData(FileReference(data))),
        folder / "sent.kpca",
    )
    return folder / "sent.kpca"


def open_file(program: Program, path) -> None:
    program.viewer.controllers["import_sheet"].open_path(path)
    program.until(lambda: not program.viewer.controllers["import_sheet"].runner.busy)
    program.settle()


def test_data_elsewhere_are_read_only_when_that_is_wanted(start, restart, tmp_path):
    data = tmp_path / "mine.csv"
    shutil.copy(asset("data", "wine.csv"), data)
    session = sent(tmp_path / "mail", data)
    program = start()
    open_file(program, session)
    assert f"wants to read {data}" in program.message()
    assert program.result.dataset.name == "Circles"
    program.click(program.buttons()["Read it"])
    program.until(lambda: program.result.dataset.n == 178)
    program.settle()
    # It is the last session then, which is the person's own.
    program.viewer.preferences.store.remove("recent")
    again = restart(program)
    assert again.result.dataset.n == 178
    assert again.message() == ""


def test_a_picture_finds_data_among_recent_files(start, tmp_path, monkeypatch):
    data = tmp_path / "here" / "mine.csv"
    data.parent.mkdir()
    shutil.copy(asset("data", "wine.csv"), data)
    program = start()
    open_file(program, data)
    accept(program)
    panel = program.viewer.controllers["export_panel"].panel()
    picture = tmp_path / "there" / "figure.png"
    picture.parent.mkdir()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(picture), ""))
    panel.show_page("image")
    panel.save()
    program.until(picture.exists)
    program.until(lambda: not panel.saving)
    assert str(tmp_path) not in read_metadata(picture)
    program.action("undo").trigger()
    program.settle()
    assert program.result.dataset.name == "Circles"
    open_file(program, picture)
    assert program.result.dataset.n == 178


def test_the_command_line_refuses_without_being_told(tmp_path, capsys):
    data = tmp_path / "mine.csv"
    shutil.copy(asset("data", "wine.csv"), data)
    session = sent(tmp_path / "mail", data)
    out = tmp_path / "a.png"
    order = ["render", str(session), "--what", "embedding", "--out", str(out)]
    assert main(order) == 2
    assert "--allow-outside" in capsys.readouterr().err
    assert not out.exists()
    assert main([*order, "--allow-outside"]) == 0
    assert out.exists()
