"""Pictures without a screen: the right size, the right plot, one line an error."""

import argparse
import os
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

# Before the first import of Qt: tests never open a window on somebody's screen.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["PYQTGRAPH_QT_LIB"] = "PySide6"

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage

from kpca_viewer.cli import render
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.files import read_table
from kpca_viewer.data.importing import guess_import, to_dataset
from kpca_viewer.engine.document.files import save
from kpca_viewer.engine.document.format import from_bytes
from kpca_viewer.engine.document.in_picture import document_of, read_metadata
from kpca_viewer.engine.document.model import Document, DocumentData, FileReference
from kpca_viewer.engine.notes import Notes, Selected, SweepNote
from kpca_viewer.engine.rows.row_set import RowAnchor
from kpca_viewer.engine.settings import (
    DataSettings,
    KernelSettings,
    SessionSettings,
    as_values,
)
from kpca_viewer.engine.sweep.settings import SweepSettings
from kpca_viewer.engine.views import Camera, Pose, Views
from kpca_viewer.resources import asset
from kpca_viewer.widgets.theme import DARK, LIGHT

SMALL = ("--data", "blobs", "--samples", "40", "--gamma", "3", "--components", "3")


@pytest.fixture
def run(run_render):
    return run_render


def colors(path):
    """Return the different colours of a picture."""
    image = QImage(str(path)).convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint32)
    return np.unique(pixels & 0xFFFFFF)


def corner(path):
    return QColor(QImage(str(path)).pixel(1, 1)).name()


@pytest.mark.parametrize("what", ["embedding", "data", "spectrum", "pca", "gram"])
def test_every_plot_can_be_drawn(run, tmp_path, what):
    code, out, err = run(*SMALL, "--what", what, "--size", "500x300", "--out", "a.png")
    assert (code, err) == (0, "")
    assert out == "Saved a.png (500 × 300 pixels)\n"
    image = QImage(str(tmp_path / "a.png"))
    assert (image.width(), image.height()) == (500, 300)
    assert len(colors(tmp_path / "a.png")) > 20
    assert corner(tmp_path / "a.png") == QColor(LIGHT.card).name()


def test_the_window(run, tmp_path):
    code, _, err = run(*SMALL, "--size", "1100x700", "--out", "w.png")
    assert (code, err) == (0, "")
    image = QImage(str(tmp_path / "w.png"))
    assert (image.width(), image.height()) == (1100, 700)
    assert len(colors(tmp_path / "w.png")) > 100


def test_millimetres_and_dpi_are_in_the_file(run, tmp_path):
    words = ("--what", "embedding", "--mm", "85x60", "--dpi", "300")
    code, out, _ = run(*SMALL, *words, "--out", "a.png")
    assert (code, out) == (0, "Saved a.png (85 × 60 mm)\n")
    image = QImage(str(tmp_path / "a.png"))
    assert (image.width(), image.height()) == (1004, 709)
    assert abs(image.dotsPerMeterX() * 0.0254 - 300) < 0.1


def test_themes_and_dimensions(run, tmp_path):
    words = ("--what", "embedding", "--size", "400x300", "--theme", "dark")
    assert run(*SMALL, *words, "--out", "flat.png")[0] == 0
    assert run(*SMALL, *words, "--3d", "--out", "space.png")[0] == 0
    assert corner(tmp_path / "flat.png") == QColor(DARK.card).name()
    assert QImage(str(tmp_path / "flat.png")) != QImage(str(tmp_path / "space.png"))
    words = ("--data", "torus", "--samples", 40, "--what", "data", "--3d")
    assert run(*words, "--out", "data.png")[0] == 0
    text = read_metadata(tmp_path / "data.png")
    assert from_bytes(text.encode()).settings.view.data_3d


def test_svg_and_pdf_are_vectors(run, tmp_path):
    words = ("--what", "embedding", "--mm", "85x60")
    assert run(*SMALL, *words, "--out", "a.svg")[0] == 0
    root = ElementTree.parse(tmp_path / "a.svg").getroot()
    assert root.get("width") == "85mm"
    assert b"<image" not in (tmp_path / "a.svg").read_bytes()
    assert run(*SMALL, *words, "--out", "a.pdf")[0] == 0
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")


def test_a_picture_carries_its_session(run, tmp_path):
    assert run(*SMALL, "--what", "spectrum", "--out", "a.png")[0] == 0
    document = from_bytes(read_metadata(tmp_path / "a.png").encode())
    assert document.settings.data.source == "blobs"
    assert document.settings.kernel == KernelSettings("rbf", (("gamma", 3.0),))


# Sessions and files


def test_a_session_is_drawn_as_it_was_saved(run, tmp_path):
    settings = SessionSettings(
        DataSettings("moons", as_values({"samples": 50}), seed=3),
        KernelSettings("laplacian", as_values({"gamma": 2})),
    )
    save(Document(settings), tmp_path / "a.kpca")
    code, _, err = run("a.kpca", "--what", "embedding", "--out", "a.png")
    assert (code, err) == (0, "")
    words = ("--data", "moons", "--samples", 50, "--seed", 3, "--gamma", 2)
    words = (*words, "--kernel", "laplacian", "--what", "embedding")
    assert run(*words, "--out", "b.png")[0] == 0
    drawn = [QImage(str(tmp_path / name)) for name in ("a.png", "b.png")]
    assert drawn[0] == drawn[1]


@pytest.mark.parametrize("what", ["window", "embedding"])
def test_embedded_data_are_drawn(run, tmp_path, what):
    points = np.random.default_rng(0).standard_normal((30, 3))
    document = Document(
        SessionSettings(DataSettings("mine")),
        data=DocumentData(embedded=Dataset(points, name="mine")),
    )
    save(document, tmp_path / "a.kpca")
    code, _, err = run("a.kpca", "--what", what, "--out", "a.png")
    assert (code, err) == (0, "")
    assert len(colors(tmp_path / "a.png")) > 20


def test_a_file_is_drawn_and_its_change_is_told(run, tmp_path):
    path = tmp_path / "tea.csv"
    rows = [f"{j},{j * j % 7},{'xy'[j % 2]}" for j in range(20)]
    path.write_text("a,b,kind\n" + "\n".join(rows))
    code, out, err = run("--data", "tea.csv", "--what", "data", "--out", "a.png")
    assert (code, err) == (0, "")
    assert "2 features, label “kind”" in out
    # As the first word, like the other commands.
    assert run("tea.csv", "--what", "data", "--out", "b.png") == (
        0,
        out.replace("a.png", "b.png"),
        "",
    )
    drawn = [QImage(str(tmp_path / name)) for name in ("a.png", "b.png")]
    assert drawn[0] == drawn[1]
    kept = from_bytes(read_metadata(tmp_path / "a.png").encode(), tmp_path)
    assert kept.data.file.path == path
    data = DocumentData(FileReference(path, "other"))
    document = Document(SessionSettings(DataSettings("tea")), data=data)
    save(document, tmp_path / "a.kpca")
    code, out, _ = run("a.kpca", "--what", "data", "--out", "b.png", "--force")
    assert code == 0
    assert out.startswith(
        "“tea.csv” has changed since the session was saved; it is shown as it is now.\n"
    )


def test_names_and_selection_follow_their_rows_in_a_file_that_has_changed(
    run, tmp_path
):
    path, rows = tmp_path / "tea.csv", [f"{j},{j * j % 7}" for j in range(20)]
    path.write_text("a,b\n" + "\n".join(rows))
    table = read_table(path)
    importing = guess_import(table)
    anchor = RowAnchor.of(to_dataset(table, importing), table.content_hash)
    document = Document(
        SessionSettings(DataSettings("tea", importing=importing)),
        Notes(
            row_names=((3, "third"), (7, "seventh")),
            selected=Selected.of(np.arange(20) >= 10),
            anchor=anchor,
        ),
        DocumentData(FileReference(path, table.content_hash)),
    )
    save(document, tmp_path / "a.kpca")
    words = ("a.kpca", "--what", "data", "--size", "300x200", "--force")
    assert run(*words, "--out", "as_saved.png")[1].count("\n") == 1
    path.write_text("a,b\n" + "\n".join(row for row in rows if row != rows[3]))
    code, out, err = run(*words, "--out", "later.png")
    assert (code, err) == (0, "")
    assert "Not in “tea” any more: the row named “third”." in out


# Errors


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--out", "a.gif"), "does not end in .png, .svg, .pdf or .html"),
        (("--out", "no/a.png"), "The folder of “a.png” does not exist"),
        (("--out", "a.svg"), "The window is saved as a PNG"),
        (("--out", "a.png", "--mm", "85x60"), "The window is saved as a PNG"),
        (("--out", "a.png", "--size", "wide"), "is not WIDTHxHEIGHT"),
        (("--out", "a.png", "--size", "0x5"), "is not WIDTHxHEIGHT"),
        (("--out", "a.png", "--size", "10.5x5"), "whole pixels"),
        (("--out", "a.png", "--size", "nanx5"), "is not WIDTHxHEIGHT"),
        (("--out", "a.png", "--dpi", "300"), "add --mm"),
        (("--out", "a.png", "--mm", "8x6", "--size", "8x6"), "give one of them"),
        (("--out", "a.png", "--what", "data", "--size", "2x2"), "show nothing"),
        (("--out", "a.png", "--data", "nowhere"), "no file and no data set"),
        (("gone.kpca", "--out", "a.png"), "“gone.kpca” does not exist;"),
        (("gone.csv", "--out", "a.png"), "“gone.csv” does not exist;"),
        (("a.csv", "--data", "moons", "--out", "a.png"), "two sets of data"),
        (("old.kpca", "--out", "a.png", "--gamma", "2"), "leave out the options"),
        (("odd.kpca", "--out", "a.png", "--what", "data"), "is not open"),
        (
            (*SMALL, "--out", "a.png", "--what", "data", "--solver", "odd"),
            "odd",
        ),
    ],
)
def test_a_mistake_is_one_line_and_code_2(run, tmp_path, words, says):
    save(Document(), tmp_path / "old.kpca")
    save(Document(SessionSettings(DataSettings("lost"))), tmp_path / "odd.kpca")
    code, out, err = run(*words)
    assert code == 2
    assert out == ""
    assert err.startswith("kpca-viewer render: ")
    assert err.count("\n") == 1
    assert says in err
    assert not (tmp_path / "a.png").exists()


def test_colour_shape_and_labels_mean_columns_of_the_file(run, tmp_path):
    planets = asset("data", "planets.csv")
    plain = ("--what", "embedding", "--size", "300x200")
    assert run(planets, *plain, "--out", "a.png")[0] == 0
    looks = ("--color", "period_days", "--shape", "kind", "--labels")
    code, _, err = run(planets, *plain, *looks, "--out", "b.png")
    assert (code, err) == (0, "")
    assert QImage(str(tmp_path / "a.png")) != QImage(str(tmp_path / "b.png"))
    document = document_of(read_metadata(tmp_path / "b.png"), tmp_path, "b.png")
    view = document.settings.view
    assert (view.color_by, view.shape_by) == ("feature:3", "label")
    assert (view.labels, view.label_by) == (True, "row")
    code, _, err = run(planets, *plain, "--color", "gone", "--out", "c.png")
    assert code == 2
    assert "There is no column “gone” to tell points by" in err
    code, _, err = run(planets, *plain, "--shape", "radius_km", "--out", "c.png")
    assert "“radius_km” has too many values, or numbers, for shapes" in err


def test_a_page_is_coloured_by_a_column_and_refuses_what_it_has_not(run, tmp_path):
    out = tmp_path / "wine.html"
    code, said, _ = run("--data", "wine", "--color", "alcohol", "--out", str(out))
    assert (code, "classes, “alcohol”. Not in it: 12 columns." in said) == (0, True)
    assert '"color": "alcohol"' in out.read_text(encoding="utf-8")
    for words, says in (
        (["--color", "cos2"], "not by cos2"),
        (["--mm", "85x60"], "--mm is for a picture"),
        (["--labels"], "--labels is for a picture"),
    ):
        code, _, said = run("--data", "wine", *words, "--out", str(tmp_path / "x.html"))
        assert (code, says in said) == (2, True)


@pytest.mark.parametrize(
    ("look", "keys"), [("--color", ("cos2", "t2", "spe")), ("--size-by", ("t2", "spe"))]
)
def test_looks_say_how_odd_rows_are(run, tmp_path, look, keys):
    plain = (*SMALL, "--what", "embedding", "--size", "300x200")
    pictures = []
    for key in keys:
        assert run(*plain, look, key, "--out", f"{key}.png")[0] == 0
        pictures.append(QImage(str(tmp_path / f"{key}.png")))
    assert all(one != other for one, other in pairwise(pictures))


def test_odd_rows_are_a_picture(run, tmp_path):
    what = (*SMALL, "--what", "odd", "--size", "300x200", "--out", "odd.svg")
    assert run(*what)[0] == 0
    assert "shuffled" in (tmp_path / "odd.svg").read_text()


def test_a_place_or_a_walk_is_a_picture(run, tmp_path):
    plain = (*SMALL, "--what", "preimage", "--size", "500x300")
    assert run(*plain, "--out", "walk.svg")[0] == 0
    walk = (tmp_path / "walk.svg").read_text()
    assert "PC 1 from" in walk
    assert "PC 1<" in walk
    assert run(*plain, "--at", "-0.1", "0.2", "--out", "place.svg")[0] == 0
    place = (tmp_path / "place.svg").read_text()
    assert "the nearest row, row" in place
    assert ">x1<" in place
    assert "PC 1 from" not in place
    code, _, err = run(*SMALL, "--what", "data", "--at", "0", "0", "--out", "no.png")
    assert code == 2
    assert "--at is a place for --what preimage" in err


def test_help_teaches(capsys):
    parser = argparse.ArgumentParser(prog="kpca-viewer")
    render.add_parser(parser.add_subparsers())
    with pytest.raises(SystemExit) as caught:
        parser.parse_args(["render", "--help"])
    assert caught.value.code == 0
    text = capsys.readouterr().out
    assert "examples:" in text
    assert "--mm 85x60" in text


def test_it_needs_no_screen(tmp_path):
    """A process of its own, with nothing in its environment that speaks of a screen."""
    lines = (
        "import argparse, sys",
        "from kpca_viewer.cli import render",
        "parser = argparse.ArgumentParser()",
        "render.add_parser(parser.add_subparsers())",
        "assert 'PySide6' not in sys.modules",
        "for what in ('embedding', 'board'):",
        "    words = [*sys.argv[1:], '--what', what, '--out', f'{what}.png']",
        "    options = parser.parse_args(words)",
        "    assert options.run(options) == 0",
    )
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "XDG_RUNTIME_DIR")
    environment = {k: v for k, v in os.environ.items() if k not in hidden}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", "\n".join(lines), "render", *SMALL],
        cwd=tmp_path,
        env=environment | {"XDG_CONFIG_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "embedding.png").exists()
    assert (tmp_path / "board.png").exists()


def words_of(path) -> list[str]:
    """Return the texts of an SVG."""
    root = ElementTree.parse(path).getroot()
    return [
        (text.text or "").strip() for text in root.iter() if text.tag[-4:] == "text"
    ]


def test_title_legend_and_caption_are_asked_for(run, tmp_path):
    words = (*SMALL, "--what", "embedding", "--size", "500x400")
    assert run(*words, "--out", "plain.svg")[0] == 0
    code, _, err = run(*words, "--title", "--legend", "--caption", "--out", "full.svg")
    assert (code, err) == (0, "")
    plain, full = (words_of(tmp_path / f"{name}.svg") for name in ("plain", "full"))
    assert "Blobs: embedding" in full
    assert any("γ = 3" in text for text in full)
    assert len(full) > len(plain) + 2
    assert "Blobs: embedding" not in plain


def test_the_paper_can_be_white_or_none(run, tmp_path):
    words = (*SMALL, "--what", "spectrum", "--theme", "dark", "--size", "300x200")
    assert run(*words, "--background", "white", "--out", "white.png")[0] == 0
    assert corner(tmp_path / "white.png") == "#ffffff"
    assert run(*words, "--background", "transparent", "--out", "none.png")[0] == 0
    assert QImage(str(tmp_path / "none.png")).pixelColor(1, 1).alpha() == 0


def test_the_whole_board(run, tmp_path):
    code, _, err = run(*SMALL, "--what", "board", "--mm", "170x110", "--out", "b.pdf")
    assert (code, err) == (0, "")
    assert (tmp_path / "b.pdf").read_bytes().startswith(b"%PDF")


def test_selection_camera_and_hidden_classes_of_a_session_are_drawn(run, tmp_path):
    settings = SessionSettings(DataSettings("blobs", as_values({"samples": 60})))
    camera = Camera(azimuth=30.0, elevation=70.0, zoom=1.4)
    mask = np.arange(60) < 10
    deep = replace(settings, view=replace(settings.view, embedding_3d=True))
    drawn = []
    for name, document in (
        ("plain", Document(deep)),
        ("seen", Document(deep, views=Views(embedding=Pose(camera)))),
        ("selected", Document(deep, Notes(selected=Selected.of(mask)))),
        ("hidden", Document(deep, views=Views(hidden=(0,)))),
    ):
        save(document, tmp_path / f"{name}.kpca")
        words = ("--what", "embedding", "--size", "300x200", "--out", f"{name}.png")
        assert run(f"{name}.kpca", *words)[0] == 0
        drawn.append(QImage(str(tmp_path / f"{name}.png")))
    for image in drawn[1:]:
        assert image != drawn[0]


def test_the_lift_of_a_session_is_drawn_in_every_format(run, tmp_path):
    flat = SessionSettings(
        data=DataSettings("circles", as_values({"samples": 40})),
        kernel=KernelSettings("paraboloid"),
    )
    pair = ((0.5, 0.5), (-0.3, 0.1))
    view = replace(flat.view, lift="paraboloid", raised=0.5, pair=pair)
    save(Document(flat), tmp_path / "flat.kpca")
    save(Document(replace(flat, view=view)), tmp_path / "lifted.kpca")
    words = ("--what", "data", "--size", "500x400")
    pictures = []
    for name in ("flat", "lifted"):
        assert run(f"{name}.kpca", *words, "--out", f"{name}.png")[0] == 0
        pictures.append(QImage(str(tmp_path / f"{name}.png")))
    assert pictures[0] != pictures[1]
    document = from_bytes(read_metadata(tmp_path / "lifted.png").encode())
    assert document.settings.view == view
    assert run("lifted.kpca", *words, "--out", "a.pdf")[0] == 0
    assert run("lifted.kpca", *words, "--out", "a.svg")[0] == 0
    text = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "<image" not in text
    # Rows, mesh, patch and arrows are shapes.
    assert text.count("<path") + text.count("<poly") > 40


def test_the_window_waits_for_the_sweep_of_a_session(run, tmp_path):
    settings = SessionSettings(DataSettings("blobs", as_values({"samples": 40})))
    note = SweepNote(SweepSettings(steps=4), settings)
    for name, notes in (("without", Notes()), ("with", Notes(sweep=note))):
        document = Document(settings, notes, views=Views(workspace="sweep"))
        save(document, tmp_path / f"{name}.kpca")
        assert run(f"{name}.kpca", "--out", f"{name}.png")[0] == 0
    images = [QImage(str(tmp_path / f"{n}.png")) for n in ("without", "with")]
    without, swept = (np.frombuffer(image.constBits(), np.uint32) for image in images)
    # Curve and pictures, more than the time in the status line.
    assert (swept != without).mean() > 0.01


def test_the_window_needs_no_furniture(run):
    code, _, err = run(*SMALL, "--out", "w.png", "--legend")
    assert code == 2
    assert "its own title, legend, font and background" in err
