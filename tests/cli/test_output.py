"""No command costs anybody their data, and scripts can read what is said."""

import io
import json
import os
import sys
from pathlib import Path

import pytest

from kpca_viewer.cli import main as cli

TABLE = "a,b,kind\n" + "\n".join(
    f"{j % 7},{j * j % 11 + 0.5},{'xy'[j % 2]}" for j in range(40)
)


@pytest.fixture
def program(tmp_path, monkeypatch, capsys, qapp):
    """Run the program in a folder with a table; returns code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    Path("a.csv").write_text(TABLE)

    def program(*words):
        code = cli.main([str(word) for word in words])
        done = capsys.readouterr()
        return code, done.out, done.err

    return program


@pytest.mark.parametrize(
    "words",
    [
        "embed a.csv --out a.csv",
        "embed a.csv --out a.csv --force",
        "embed a.csv --out ./link.csv --force",
        "embed a.csv --out hard.csv --force",
        "embed circles --out c.csv --new a.csv --out-new a.csv --force",
        "embed a.csv --out c.csv --model a.csv --force",
        "sweep measures.csv --gamma 1:2:2 --out . --force",
    ],
)
def test_no_output_is_an_input(program, words):
    os.symlink("a.csv", "link.csv")
    os.link("a.csv", "hard.csv")
    Path("measures.csv").write_text(TABLE)
    code, out, err = program(*words.split())
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "is what is read" in err
    assert Path("a.csv").read_text() == Path("measures.csv").read_text() == TABLE


@pytest.mark.journey
@pytest.mark.parametrize(
    ("words", "there"),
    [
        ("embed a.csv --out there.csv", "there.csv"),
        ("embed a.csv --out c.csv --model there.npz", "there.npz"),
        ("embed a.csv --out c.csv --new a.csv --out-new there.csv", "there.csv"),
        ("render a.csv --what data --size 200x100 --out there.png", "there.png"),
        ("report a.csv --out there.html", "there.html"),
        ("a.csv --picture there.png --size 400x300", "there.png"),
        ("sweep a.csv --gamma 1:2:2 --no-pictures --out .", "measures.csv"),
    ],
)
def test_what_is_there_is_replaced_by_force_alone(program, words, there):
    Path(there).write_text("mine")
    code, out, err = program(*words.split())
    assert (code, out) == (2, "")
    assert f"{there}” exists" in err
    assert "--force" in err
    assert Path(there).read_text() == "mine"
    assert program(*words.split(), "--force")[0] == 0
    assert Path(there).read_bytes() != b"mine"


def test_another_sweep_is_replaced_by_force(program):
    words = ("sweep", "a.csv", "--no-pictures", "--out", "out", "--gamma")
    assert program(*words, "1:2:2")[0] == 0
    assert "holds another sweep" in program(*words, "1:2:3")[2]
    assert program(*words, "1:2:3", "--force")[0] == 0
    assert len(Path("out/measures.csv").read_text().splitlines()) == 4


@pytest.mark.journey
def test_json_says_what_was_done(program):
    words = "embed a.csv --components 2 --gamma 1 --out c.csv --json"
    code, out, err = program(*words.split())
    assert (code, err) == (0, "")
    said = json.loads(out)
    assert (said["rows"], said["features"], said["kernel"]) == (40, 2, "rbf")
    assert said["parameters"] == {"gamma": 1.0}
    assert said["saved"] == ["c.csv"]
    for value, (low, high) in zip(
        said["eigenvalues"], said["eigenvalue_bounds"], strict=True
    ):
        assert low <= value <= high
    words = "sweep a.csv --gamma 1:2:2 --no-pictures --out s --json"
    said = json.loads(program(*words.split())[1])
    assert said["sweeps"][0]["values"] == 2
    words = "render a.csv --what data --size 200x100 --out d.png --json"
    said = json.loads(program(*words.split())[1])
    assert (said["width"], said["height"], said["saved"]) == (200, 100, ["d.png"])
    said = json.loads(program(*["report", "a.csv", "--out", "r.html", "--json"])[1])
    assert said["saved"] == ["r.html"]


def test_quiet_says_nothing_but_trouble(program):
    words = ["embed", "a.csv", "--components", "2", "--out", "c.csv", "--quiet"]
    assert program(*words) == (0, "", "")
    code, out, err = program(*words)
    assert (code, out) == (2, "")
    assert "exists" in err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("emebd a.csv --out c.csv", "“emebd”; did you mean embed?"),
        ("rnder --data moons --out m.png", "“rnder”; did you mean render?"),
        ("project a.csv --out c.csv", "“project”; there are the commands"),
    ],
)
def test_a_command_that_there_is_not_is_named(program, capsys, words, says):
    with pytest.raises(SystemExit) as ended:
        program(*words.split())
    assert ended.value.code == 2
    err = capsys.readouterr().err
    assert says in err
    assert err.count("\n") == 1


@pytest.fixture
def piped(program, monkeypatch):
    """Run the program between two streams; returns code and what came out of them."""

    def piped(*words):
        streams = {"stdin": TABLE.encode(), "stdout": b"", "stderr": b""}
        with monkeypatch.context() as patch:
            for name, content in streams.items():
                streams[name] = io.TextIOWrapper(io.BytesIO(content))
                patch.setattr(sys, name, streams[name])
            code = cli.main(list(words))
        for name in ("stdout", "stderr"):
            streams[name].flush()
        said = (streams[name].buffer.getvalue() for name in ("stdout", "stderr"))
        return code, *said

    return piped


def test_pipes(program, programs, piped):
    """Through real pipes: the table goes in and the coordinates come out."""
    words = ["embed", "a.csv", "--components", "2", "--out", "c.csv", "--quiet"]
    assert program(*words)[0] == 0
    words = ["embed", "-", "--components", "2", "--out", "-"]
    done = programs(*words, folder=Path.cwd(), given=TABLE.encode())
    assert done.code == 0, done.err
    assert done.out == Path("c.csv").read_bytes()
    assert "rows" in done.err, "the words do not mix with the numbers"
    words = ["sweep", "-", "--gamma", "1:2:3", "--out", "-", "--quiet"]
    code, out, err = piped(*words)
    assert (code, err) == (0, b"")
    assert len(out.splitlines()) == 4
    code, _, err = program(*["embed", "a.csv", "--out", "-", "--json"])
    assert code == 2
    assert "standard output" in err


@pytest.mark.journey
def test_a_picture_through_a_pipe(piped):
    words = ["render", "-", "--what", "data", "--size", "200x100", "--out", "-"]
    code, out, err = piped(*words)
    assert code == 0, err
    assert out.startswith(b"\x89PNG")
