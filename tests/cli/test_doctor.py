"""The doctor names what is there and tries every part."""

from kpca_viewer.cli import doctor
from kpca_viewer.cli.main import main


def test_every_part_works(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    for part in ("solvers", "reading .xlsx", "figure", "formulas"):
        assert f"{part:<20} works" in out
    assert "screen               none" in out
    assert str(tmp_path) in out
    assert "FAILS" not in out


def test_a_part_that_fails_is_said_and_the_others_are_tried(
    capsys, monkeypatch, tmp_path
):
    monkeypatch.setattr(doctor, "try_drawing", lambda *_: None)
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    monkeypatch.setenv("XDG_STATE_HOME", str(blocked))
    assert main(["doctor"]) == 1
    out = capsys.readouterr().out
    assert "state folder         FAILS" in out
    assert "solvers              works" in out
