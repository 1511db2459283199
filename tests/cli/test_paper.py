"""Pictures for print: one type size, a legend of all classes, a ground of choice."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtGui import QImage

from tests.cli.test_render import SMALL


@pytest.fixture
def run(run_render):
    return run_render


def texts_of(path):
    """Return the words of an SVG, each with its height on paper in points.

    Heights follow the transformations around a text, and the size of the page.
    """
    root = ElementTree.parse(path).getroot()
    millimetres = float(root.get("width").removesuffix("mm"))
    unit = millimetres / float(root.get("viewBox").split()[2]) / 25.4 * 72
    found = []

    def walk(node, scale):
        for numbers in re.findall(r"matrix\(([^)]*)\)", node.get("transform", "")):
            a, b, *_ = map(float, numbers.split(","))
            scale *= np.hypot(a, b)
        if node.tag.endswith("text") and (node.text or "").strip():
            found.append(
                (node.text.strip(), float(node.get("font-size")) * scale * unit)
            )
        for child in node:
            walk(child, scale)

    walk(root, 1.0)
    return found


@pytest.mark.parametrize(
    ("what", "size"),
    [
        ("embedding", "85x60"),
        ("embedding", "180x110"),
        ("spectrum", "180x110"),
        ("columns", "85x60"),
    ],
)
def test_every_text_has_the_chosen_size(run, tmp_path, what, size):
    words = (*SMALL, "--what", what, "--mm", size, "--font-size", "7", "--title")
    code, _, err = run(*words, "--caption", "--out", "a.svg")
    assert (code, err) == (0, "")
    texts = texts_of(tmp_path / "a.svg")
    assert len(texts) > 5
    assert {round(height, 1) for _, height in texts} == {7.0}


def test_print_has_a_legend_in_eight_points_without_asking(run, tmp_path):
    words = (*SMALL, "--what", "embedding", "--mm", "85x60")
    for name, *options in (("plain",), ("bare", "--legend", "none")):
        assert run(*words, *options, "--out", f"{name}.svg")[0] == 0
    plain, bare = (dict(texts_of(tmp_path / f"{n}.svg")) for n in ("plain", "bare"))
    assert {round(height, 1) for height in plain.values()} == {8.0}
    assert len(plain.keys() - bare.keys()) >= 2


def test_a_font_can_be_chosen(run, tmp_path):
    words = (*SMALL, "--what", "embedding", "--mm", "85x60", "--font", "monospace")
    assert run(*words, "--out", "a.svg")[0] == 0
    families = set(
        re.findall(r"font-family=\"'([^']*)'", (tmp_path / "a.svg").read_text())
    )
    assert len(families) == 1
    assert "Mono" in families.pop()


@pytest.mark.parametrize("what", ["embedding", "columns"])
def test_no_ground_is_none_at_all(run, tmp_path, what):
    words = (*SMALL, "--what", what, "--mm", "85x60", "--background", "transparent")
    assert run(*words, "--out", "a.png")[0] == 0
    image = QImage(str(tmp_path / "a.png")).convertToFormat(QImage.Format.Format_ARGB32)
    pixels = np.frombuffer(image.constBits(), np.uint32)
    assert (pixels >> 24 == 0).mean() > 0.4
    assert run(*words, "--out", "a.svg")[0] == 0
    # Nothing of the size of the page is painted.
    boxes = re.findall(r'<rect[^>]*width="([\d.]+)"', (tmp_path / "a.svg").read_text())
    assert max(map(float, boxes), default=0) < 250


@pytest.mark.parametrize(("size", "explained"), [("180x110", True), ("85x60", False)])
def test_columns_explain_colours_where_they_have_points(
    run,
    tmp_path,
    size,
    explained,
):
    words = ("--data", "circles", "--samples", "40", "--what", "columns", "--mm", size)
    assert run(*words, "--out", "a.svg")[0] == 0
    texts = {text for text, _ in texts_of(tmp_path / "a.svg")}
    assert ("inner ring" in texts) is explained
