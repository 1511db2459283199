"""Scripts of the gallery, one for each data set of the program, and its lessons."""

import shutil
import tomllib
from collections.abc import Iterable
from pathlib import Path

from kpca_viewer.cli.main import main
from kpca_viewer.data.generators import GENERATORS
from kpca_viewer.resources import asset

INTRODUCTION = """Gallery
=======

Drawn by the program when the site is built, with the code. Every PNG carries its session:
save it and drop it onto the window. Every example has a page to zoom, hover and search.
"""

SCRIPT = '''"""
{title}
{line}

{help} Four kernels, and `a page to open <../pages/{key}.html>`__.
"""

from kpca_viewer.cli.main import main

DATA = ["render", "--data", "{key}", "--quiet", "--force"]
LOOKS = ["--what", "embedding", "--size", "420x340"]
LOOKS += ["--background", "white", "--caption"]

for number, kernel in enumerate(("rbf", "linear", "poly", "laplacian"), 1):
    main([*DATA, *LOOKS, "--kernel", kernel, "--out", f"{{number}}_{{kernel}}.png"])
main([*DATA, "--out", "page.html"])
'''

FILM = """
# %%
# A sweep as a short film, and all of its pictures: γ from {low:g} to {high:g}.
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

with TemporaryDirectory() as folder:
    film = Path(folder, "film")
    values = ["--kernel", "rbf", "--gamma", "{low}:{high}:16:log"]
    main(["sweep", "{key}", *values, "--out", str(film), "--quiet"])
    paths = sorted(film.glob("thumbnails/*.png"))
    frames = [Image.open(path).convert("P", palette=1) for path in paths]
    Path("6_all.png").write_bytes((film / "grid_rbf.png").read_bytes())
frames[0].save("5_film.gif", save_all=True, append_images=frames[1:], duration=200, loop=0)
"""

FILMS = {
    "circles": (0.1, 30),
    "moons": (0.1, 100),
    "spirals": (0.1, 100),
    "wine": (0.001, 1),
}


def write_gallery(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "README.txt").write_text(INTRODUCTION, encoding="utf-8")
    for key, row in GENERATORS.items():
        text = SCRIPT.format(
            title=row.title, line="=" * len(row.title), help=row.help, key=key
        )
        if key in FILMS:
            low, high = FILMS[key]
            text += FILM.format(key=key, low=low, high=high)
        (folder / f"plot_{key}.py").write_text(text, encoding="utf-8")


def lessons(folder: Path) -> Iterable[str]:
    """Yield the page of lessons; their hand-outs are drawn into the folder."""
    yield "# Lessons"
    yield ""
    yield "Each is begun by *Help ▸ Lessons*, or by its command. How to"
    yield "[teach one](../how_to/teach.md), and to [write one](../lessons.md)."
    for place in sorted(asset("lessons").iterdir()):
        told = tomllib.loads((place / "lesson.toml").read_text(encoding="utf-8"))
        name = f"{place.name}.pdf"
        if not (folder / name).exists():
            words = ["lesson", "render", place.name, "--out", str(folder / name)]
            if main([*words, "--quiet"]):
                raise RuntimeError(f"{name} was not drawn")
        yield f"\n## {told['title']}\n"
        yield f"{told['summary']}\n"
        yield f"`kpca-viewer --lesson {place.name}` · {{download}}`Hand-out <{name}>`"
