"""Files that are run as programs of their own, by an interpreter or by a bundle."""

import subprocess
import sys

from kpca_viewer.support import programs
from kpca_viewer.support.programs import BUNDLE_OPTION, command


def test_a_file_is_run_with_its_words(tmp_path):
    file = tmp_path / "child.py"
    file.write_text("import sys; print(sys.argv[1:], __name__)")
    # A module of a bundle is named by what its archive holds.
    words = command(file.with_suffix(".pyc"), 3, "a b")
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['3', 'a b'] __main__"


def test_a_bundle_runs_it_by_itself(tmp_path, monkeypatch, capsys):
    file = tmp_path / "child.py"
    file.write_text("import sys; print(sys.argv[1:], __name__)")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    words = command(file, "x")
    assert words[:2] == [sys.executable, BUNDLE_OPTION]
    monkeypatch.setattr(sys, "argv", words)
    assert programs.run_file()
    assert capsys.readouterr().out.strip() == "['x'] __main__"
    monkeypatch.setattr(sys, "argv", ["kpca-viewer", "--version"])
    assert not programs.run_file()
