"""Options in, exit codes out."""

import gc
import os
import subprocess
import sys
import warnings
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

# Before the first import of Qt: tests never open a window on somebody's screen.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QRect, QSettings
from PySide6.QtGui import QImage

from kpca_viewer import __version__
from kpca_viewer.cli import main as cli
from kpca_viewer.core.solvers import krylov
from kpca_viewer.resources import asset
from kpca_viewer.widgets.theme import DARK

ROOT = Path(__file__).parents[2]


@pytest.fixture
def opened(monkeypatch):
    """Catch the window that the command line would open."""
    calls = []

    def run_viewer(settings, opened=None, **how):
        calls.append(SimpleNamespace(settings=settings, opened=opened, **how))
        return 0

    monkeypatch.setattr("kpca_viewer.window.start.run_viewer", run_viewer)
    monkeypatch.setattr(cli, "has_screen", lambda: True)
    return calls


def test_without_options_the_window_opens_as_it_was_left(opened):
    assert cli.main([]) == 0
    assert opened[0].settings is None
    assert opened[0].started is None


def test_options_become_settings(opened):
    arguments = "--data moons --samples 50 --noise 0.1 --seed 3 --kernel poly"
    assert cli.main([*arguments.split(), "--gamma", "2", "--degree", "4"]) == 0
    settings = opened[0].settings
    assert settings.data.source == "moons"
    assert dict(settings.data.values) == {"samples": 50, "noise": 0.1}
    assert settings.data.seed == 3
    assert settings.kernel.family == "poly"
    assert dict(settings.kernel.values) == {"gamma": 2, "degree": 4}


def test_wine_comes_standardised_and_a_curve_in_space(opened):
    cli.main(["--data", "wine"])
    cli.main(["--data", "s_curve"])
    assert opened[0].settings.data.scaling == "standardise"
    assert opened[1].settings.view.data_3d


def test_a_theme_alone_leaves_the_session_alone(opened):
    cli.main(["--theme", "dark", "--timings"])
    assert opened[0].settings is None
    assert opened[0].theme == "dark"
    assert opened[0].started > 0


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ("--bogus", "--bogus"),
        ("--samples many", "many"),
        ("--theme pink", "pink"),
        ("--data nowhere", "nowhere"),
        ("--kernel none", "none"),
        ("--samples 1", "Samples is 1"),
        ("--noise 7", "Noise is 7"),
        ("--noise nan", "Noise is nan"),
        ("--seed -1", "seed -1"),
        ("--gamma -1", "−1"),
        ("--gamma nan", "nan"),
        ("--kernel linear --gamma 2", "gamma"),
        ("--degree 3", "degree"),
    ],
)
def test_what_cannot_be_shown_is_refused_in_one_line(opened, capsys, arguments, named):
    try:
        code = cli.main(arguments.split())
    except SystemExit as end:
        code = end.code
    assert code == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("kpca-viewer: ")
    assert named in err
    assert not opened


def test_version_and_help(capsys):
    for option, expected in (("--version", __version__), ("--help", "--picture")):
        with pytest.raises(SystemExit) as end:
            cli.main([option])
        assert end.value.code == 0
        assert expected in capsys.readouterr().out


def test_help_names_the_commands_first(capsys):
    with pytest.raises(SystemExit):
        cli.main(["--help"])
    said = capsys.readouterr().out
    options = said.index("options:")
    for name in cli.COMMANDS:
        assert 0 < said.index(f"\n  {name} ") < options


def test_the_manual_page_has_every_command_and_option(capsys):
    assert cli.main(["--print-man"]) == 0
    page = capsys.readouterr().out
    assert page.startswith(".TH KPCA\\-VIEWER 1")
    assert page.isascii()
    for word in ("gamma", "scheduler", "print-man", "column", "out-new"):
        assert f"--{word}".replace("-", "\\-") in page
    for name in cli.COMMANDS:
        assert f".SH {name.upper()}\n" in page
    requests = {line.split()[0] for line in page.splitlines() if line[:1] == "."}
    assert requests == {".TH", ".SH", ".TP", ".br", ".PP", ".nf", ".fi"}


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, False),
        ({"WAYLAND_DISPLAY": "wayland-0"}, True),
        ({"DISPLAY": ":4711"}, False),
        ({"DISPLAY": "far-away:0"}, True),
        ({"QT_QPA_PLATFORM": "offscreen", "WAYLAND_DISPLAY": "wayland-0"}, False),
        ({"QT_QPA_PLATFORM": "xcb"}, True),
    ],
)
def test_whether_there_is_a_screen(monkeypatch, environment, expected):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.platform", "linux")
    assert cli.has_screen() is expected


@pytest.fixture
def home(tmp_path, qapp):
    QSettings.setPath(
        QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(tmp_path / "home")
    )
    return tmp_path


@pytest.mark.journey
def test_a_picture_is_saved_in_the_size_and_theme_asked_for(home, capsys):
    theme = DARK
    path = home / "small.png"
    arguments = ["--picture", str(path), "--size", "1000x640", "--theme", theme.name]
    assert cli.main(["--data", "three_points", *arguments]) == 0
    assert capsys.readouterr().out == f"Saved {path} (1000 × 640 pixels)\n"
    picture = QImage(str(path))
    assert (picture.width(), picture.height()) == (1000, 640)
    assert picture.pixelColor(2, 300).name() == theme.window.lower()
    assert not list(home.rglob("*.ini")), "a picture was taken for a session"


@pytest.mark.journey
def test_a_picture_takes_the_options_of_render(home, capsys):
    words = ["--data", "blobs", "--samples", "40", "--gamma", "3", "--size", "900x600"]
    assert cli.main([*words, "--picture", str(home / "a.png")]) == 0
    assert cli.main(["render", *words, "--out", str(home / "b.png")]) == 0
    ours, theirs = (QImage(str(home / name)) for name in ("a.png", "b.png"))
    # The status line says how long each took.
    seen = QRect(0, 0, 900, 560)
    assert ours.copy(seen) == theirs.copy(seen)
    assert cli.main([*words, "--picture", str(home / "a.svg")]) == 2
    assert "The window is saved as a PNG" in capsys.readouterr().err


@pytest.mark.journey
def test_without_a_screen_the_first_session_is_rendered(home, capsys, monkeypatch):
    monkeypatch.chdir(home)
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    (home / "kpca_viewer.png").write_bytes(b"mine")
    assert cli.main([]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "There is no screen here; rendering the session to kpca_viewer-2.png instead.",
        "Saved kpca_viewer-2.png (1366 × 768 pixels)",
    ]
    assert QImage(str(home / "kpca_viewer-2.png")).width() == 1366
    assert (home / "kpca_viewer.png").read_bytes() == b"mine"
    assert cli._free_name(Path("kpca_viewer.png"), force=True).stem == "kpca_viewer"


def test_a_file_is_opened_in_the_window(opened, tmp_path):
    assert cli.main([str(tmp_path / "some.csv")]) == 0
    assert opened[0].file == tmp_path / "some.csv"
    assert opened[0].settings is None


@pytest.mark.journey
def test_a_file_becomes_a_picture_where_there_is_no_screen(home, capsys):
    path = home / "leaves.png"
    assert cli.main([str(asset("data", "leaves.tsv")), "--picture", str(path)]) == 0
    assert QImage(str(path)).width() == 1366


def test_a_command_rarely_looks_for_garbage(monkeypatch):
    before, within = gc.get_threshold(), []
    monkeypatch.setattr(
        "kpca_viewer.cli.doctor.run", lambda _: within.append(gc.get_threshold()) or 0
    )
    assert cli.main(["doctor"]) == 0
    assert within[0][0] == 100 * before[0]
    assert gc.get_threshold() == before


@pytest.mark.journey
def test_a_command_ends_without_a_look_for_garbage():
    program = """
import gc
from kpca_viewer.cli.main import main

main()
print(gc.get_freeze_count() > 100_000)
"""
    command = [sys.executable, "-c", program, "doctor"]
    told = subprocess.run(command, capture_output=True, text=True, check=True)
    assert told.stdout.splitlines()[-1] == "True"


# As in a terminal, where a warning is no error.
@pytest.mark.journey
@pytest.mark.filterwarnings("default")
def test_a_warning_of_a_command_is_one_line(tmp_path, capsys, monkeypatch):
    solve = krylov.solve

    def warn(*given):
        warnings.warn("Few digits are known.", stacklevel=1)
        return solve(*given)

    monkeypatch.setattr(krylov, "solve", warn)
    words = "embed circles --samples 1000 --noise 0.3 --gamma 100 --components 2"
    path = str(tmp_path / "c.npy")
    how = ["--solver", "krylov", "--quiet", "--out", path]
    assert cli.main([*words.split(), *how]) == 0
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err == "kpca-viewer embed: Few digits are known.\n"


def test_an_example_opens_with_its_kernel_unless_another_is_asked_for(opened):
    own = (("coef0", 0.0), ("degree", 2.0), ("gamma", 1.0))
    for words, wanted in (
        ([], ("poly", own)),
        (["--gamma", "3"], ("poly", (*own[:2], ("gamma", 3.0)))),
        (["--kernel", "poly"], ("poly", ())),
        (["--kernel", "linear"], ("linear", ())),
    ):
        assert cli.main(["--data", "three_points", *words]) == 0
        kernel = opened[-1].settings.kernel
        assert (kernel.family, kernel.values) == wanted


def test_a_file_whose_columns_are_named_opens_as_they_say(opened, tmp_path):
    path = tmp_path / "two.csv"
    path.write_text("a,b,k\n1,2,0\n2,5,1\n3,1,1\n")
    assert cli.main([str(path), "--label", "k", "--gamma", "2"]) == 0
    settings = opened[0].settings
    assert opened[0].file is None
    assert settings.data.importing.columns("label") == ("k",)
    assert dict(settings.kernel.values) == {"gamma": 2}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("two.csv --data moons", "two sets of data"),
        ("old.kpca --gamma 2", "says itself what is analysed"),
    ],
)
def test_a_window_is_not_opened_on_two_things(opened, capsys, words, told):
    assert cli.main(words.split()) == 2
    assert told in capsys.readouterr().err
    assert not opened


@pytest.fixture
def parts(tmp_path):
    for part in (1, 2, 3):
        rng = np.random.default_rng(part)
        np.save(tmp_path / f"p{part}.npy", rng.normal(size=(20, 2)))
    return tmp_path


def test_several_files_are_one_table(opened, parts, capsys):
    words = [str(parts / "p1.npy"), str(parts / "p3.npy")]
    assert cli.main(words) == 0
    assert opened[0].file == parts
    assert opened[0].reading.parts == ("p1.npy", "p3.npy")
    assert cli.main(words[:1]) == 0
    assert (opened[1].file, opened[1].reading) == (parts / "p1.npy", None)
    assert cli.main([*words, "--label", "x1"]) == 2
    assert "give their folder, or a pattern" in capsys.readouterr().err
    assert len(opened) == 2


@pytest.mark.parametrize(("name", "rows"), [("", 60), ("p[12].npy", 40)])
def test_options_take_a_folder_or_a_pattern(opened, parts, name, rows):
    assert cli.main(["--data", str(parts / name), "--kernel", "rbf"]) == 0
    (table,) = opened[0].opened.values()
    assert table.n == rows
    assert cli.main([str(parts / name)]) == 0
    assert opened[1].file == parts / name


def test_a_folder_without_tables_is_one_sentence(opened, tmp_path, capsys):
    assert cli.main(["--data", str(tmp_path)]) == 2
    assert "holds no file that can be read" in capsys.readouterr().err
    assert not opened


LONG = "x" * 100_000


@pytest.mark.parametrize(
    "words",
    [
        ("embed", "circles", "--out", "a.csv", "--gamma", LONG),
        ("embed", "circles", "--out", "a.csv", "--kernel", LONG),
        ("embed", "circles", "--out", "a.csv", "--components", LONG),
        ("embed", "circles", "--out", "a.csv", f"--{LONG}"),
        ("embed", "{wine}", "--out", "a.csv", "--label", LONG),
        ("embed", "{wine}", "--out", "a.csv", "--decimal", LONG),
        ("embed", "odd.csv", "--out", "a.csv"),
        ("sweep", "circles", "--out", "folder", "--gamma", LONG),
        ("render", "--out", "a.png", "--size", LONG),
        ("embed", LONG, "--out", "a.csv"),
        ("embed", "{wine}", "--out", f"{LONG}.csv"),
        (LONG, "x"),
    ],
)
def test_no_sentence_repeats_a_value_of_any_length(
    words, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    Path("odd.csv").write_text(f"a,b\n1,2\n{LONG[:90_000]},3\n4,5\n6,7\n")
    wine = str(asset("data/wine.csv"))
    try:
        code = cli.main([word.replace("{wine}", wine) for word in words])
    except SystemExit as left:
        code = left.code
    said = capsys.readouterr().err
    assert code == 2
    assert "xxx…" in said
    assert len(said) < 400


def test_a_printed_minus_is_one_in_options(opened):
    arguments = "--data moons --kernel poly --gamma 2 --coef0 −1.5"
    assert cli.main(arguments.split()) == 0
    assert dict(opened[0].settings.kernel.values)["coef0"] == -1.5


def test_a_column_is_named_without_its_unit(opened, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("price,size,x\n$1.5,3 cm,1\n$2.5,4 cm,2\n$4,6 cm,5.5\n$9,7 cm,3\n")
    assert cli.main(["--data", str(path), "--metadata", "price"]) == 0
    importing = opened[0].settings.data.importing
    assert importing.role("price [$]") == "ignore"
    assert importing.role("size [cm]") == "feature"


def test_completion_knows_commands_and_options(capsys):
    import shtab

    for shell in shtab.SUPPORTED_SHELLS:
        assert cli.main(["--print-completion", shell]) == 0
        script = capsys.readouterr().out
        for word in (*cli.COMMANDS, "--kernel", "--data"):
            assert word.removeprefix("--") in script
    assert cli.main(["--print-completion", "cmd"]) != 0
    assert "no completion for “cmd”" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command", [("embed", "--out", "-"), ("sweep", "--out", "x"), ("choose",)]
)
def test_data_are_named_by_an_option_or_first_but_not_twice(command, capsys):
    for words in (["wine", "--data", "iris"], []):
        with pytest.raises(SystemExit):
            cli.main([*command, *words])
        said = capsys.readouterr().err
        assert ("twice" if words else "required: DATA") in said
