"""What `embed` says: mistakes, progress, help; and that it needs no Qt."""

import argparse
import io
import os
import subprocess
import sys

import numpy as np
import pytest

from kpca_viewer.cli import embed
from kpca_viewer.console import options as common
from kpca_viewer.console.terminal import Watch, say
from kpca_viewer.core.solvers.blocks import array_blocks, each_block
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.features.large_tables.command import Paced

# Errors


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("nowhere", "--out", "c.csv"), "no file and no data set “nowhere”"),
        (("gone.csv", "--out", "c.csv"), "“gone.csv” does not exist"),
        (("circles", "--out", "c.doc"), "does not end in one of .csv"),
        (("circles", "--out", "no/c.csv"), "The folder of “c.csv” does not exist"),
        (("circles", "--out", "c.csv", "--kernel", "rbq"), "no kernel “rbq”"),
        (("circles", "--out", "c.csv", "--gamma", "-1"), "γ"),
        (("circles", "--out", "c.csv", "--degree", "2"), "no parameter 'degree'"),
        (("circles", "--out", "c.csv", "--turns", "2"), "no parameter “turns”"),
        (("circles", "--out", "c.csv", "--samples", "1"), "Samples is 1"),
        (("circles", "--out", "c.csv", "--seed", "-1"), "negative"),
        (("circles", "--out", "c.csv", "--components", "0"), "ask for 1 or more"),
        (("circles", "--out", "c.csv", "--scaling", "odd"), "not a value of --scaling"),
        (("circles", "--out", "c.csv", "--solver", "odd"), "odd"),
        (("circles", "--out", "c.csv", "--label", "x1"), "“circles” is not a file"),
        (("circles", "--out", "c.csv", "--new", "a.csv"), "belong together"),
        (("circles", "--out", "c.csv", "--model", "c.csv"), "the same name"),
        (("circles", "--out", "c.csv", "--new", "a", "--out-new", "b.x"), ".parquet"),
        (("old.csv", "--out", "c.csv", "--noise", "0.1"), "is not a generator"),
        (("old.csv", "--out", "c.csv", "--label", "colour"), "no column “colour”"),
        (("old.csv", "--out", "c.csv", "--missing", "odd"), "not a value of --missing"),
        (("old.csv", "--out", "c.csv", "--matrix", "odd"), "not a value of --matrix"),
        (("old.csv", "--out", "c.csv", "--matrix", "kernel"), "square"),
        (
            ("old.csv", "--out", "c.csv", "--new", "bad.csv", "--out-new", "n.csv"),
            "lacks the column",
        ),
    ],
)
@pytest.mark.usefixtures("table")
def test_a_mistake_is_one_line_and_code_2(run, tmp_path, words, says):
    (tmp_path / "bad.csv").write_text("height,depth\n1,2\n3,4\n")
    before = set(tmp_path.iterdir())
    code, out, err = run(*words)
    assert code == 2
    assert out == ""
    assert err.startswith("kpca-viewer embed: ")
    assert err.count("\n") == 1
    assert says in err
    assert set(tmp_path.iterdir()) == before


def test_an_old_file_survives_a_failure(run, tmp_path):
    (tmp_path / "c.csv").write_text("mine")
    assert run("circles", "--out", "c.csv", "--gamma", "-1")[0] == 2
    assert (tmp_path / "c.csv").read_text() == "mine"


@pytest.mark.parametrize(
    ("error", "code", "says"),
    [
        (KeyboardInterrupt(), 130, "stopped"),
        (MemoryError(), 2, "not enough memory"),
    ],
)
def test_being_stopped_is_one_line_too(run, monkeypatch, error, code, says):
    def fail(*_):
        raise error

    monkeypatch.setattr(embed, "chosen", fail)
    found, _, err = run("circles", "--out", "c.csv")
    assert found == code
    assert says in err
    assert err.count("\n") == 1


# The terminal


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_is_for_terminals_only(run, monkeypatch):
    _, _, err = run("circles", "--out", "c.csv")
    assert err == ""
    terminal = Terminal()
    monkeypatch.setattr(common.sys, "stderr", terminal)
    run("circles", "--out", "d.csv")
    assert "decomposing 400 rows …" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_progress_shows_shares_and_repeats_nothing():
    terminal = Terminal()
    watch = Watch(terminal)
    watch.clear()
    watch("reading", 0.5)
    watch("reading", 0.501)
    assert terminal.getvalue() == "\r\x1b[Kreading …  50 %"


def test_progress_is_never_wider_than_the_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "20")
    terminal = Terminal()
    Watch(terminal)("reading a file with a long name", 0.5)
    assert terminal.getvalue() == "\r\x1b[Kreading a f …  50 %"
    assert len(terminal.getvalue().removeprefix("\r\x1b[K")) < 20


def test_blocks_say_how_long_they_will_take_and_at_the_end_how_long_they_took():
    terminal = Terminal()
    each = Paced(each_block, Watch(terminal))
    each.begin("fit")
    assert list(each(lambda block, number: number, array_blocks(np.eye(6), 2)))
    first, second, last = terminal.getvalue().split("\r\x1b[K")[-3:]
    assert first.startswith("fit: 1 of 3 blocks, ")
    assert first.endswith(" of files a second, 1 s left …")
    assert second.endswith("left …")
    assert last.startswith("fit: 3 of 3 blocks, ")
    assert last.endswith(", in 1 s …")


def test_a_poor_terminal_gets_what_it_can_show(monkeypatch):
    buffer = io.BytesIO()
    poor = io.TextIOWrapper(buffer, encoding="ascii")
    say("γ = 2", poor)
    poor.flush()
    assert buffer.getvalue() == b"? = 2\n"


def test_help_teaches(capsys):
    parser = argparse.ArgumentParser(prog="kpca-viewer")
    embed.add_parser(parser.add_subparsers())
    with pytest.raises(SystemExit) as caught:
        parser.parse_args(["embed", "--help"])
    assert caught.value.code == 0
    text = capsys.readouterr().out
    assert "examples:" in text
    assert "--new test.csv" in text
    assert "exit code" in text
    assert "Not for a table in parts: --new, --out-new, --model, --onto," in text


def test_options_that_ask_for_nothing():
    parser = argparse.ArgumentParser()
    common.add_data_options(parser)
    common.add_kernel_options(parser)
    nothing = parser.parse_args([])
    assert not common.asks_for_anything(nothing)
    assert common.chosen(nothing).settings == SessionSettings()
    for words in (["--seed", "0"], ["--no-center"], ["--length-scale", "1"]):
        assert common.asks_for_anything(parser.parse_args(words))


# Without Qt

PROGRAM = """
import argparse, sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("PySide6", "shiboken6", "pyqtgraph", "ziamath"):
            raise ImportError(f"{name} is not here")

sys.meta_path.insert(0, Blocker())
from kpca_viewer.cli import embed
parser = argparse.ArgumentParser(prog="kpca-viewer")
embed.add_parser(parser.add_subparsers())
options = parser.parse_args(sys.argv[1:])
sys.exit(options.run(options))
"""


def program(tmp_path, *words, **how):
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM, *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=240,
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
        check=False,
        **how,
    )


@pytest.mark.usefixtures("table")
def test_it_runs_where_there_is_no_qt(tmp_path):
    words = ("--new", "new.csv", "--out-new", "n.csv", "--model", "m.npz")
    done = program(tmp_path, "embed", "old.csv", "--out", "c.csv", *words)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Saved n.csv: 10 new rows" in done.stdout
    lines = (tmp_path / "c.csv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 31, "a header and thirty rows"
