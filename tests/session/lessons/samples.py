"""A small lesson in two languages, written into a folder or a zip."""

import zipfile
from pathlib import Path

from kpca_viewer.engine.document.model import Document
from kpca_viewer.engine.settings import (
    DataSettings,
    KernelSettings,
    SessionSettings,
    as_values,
)
from kpca_viewer.engine.views import Views
from kpca_viewer.features.lessons.states import state_text

LESSON = r'''
format = 1
title = "Three points"
author = "A teacher"
minutes = 5
summary = "One sentence."

[[steps]]
key = "matrix"
title = "Fill in K"
text = """
The kernel is $k(x, y) = (x^\\top y)^{n}$ of {n:d} points.
"""
state = "square"
cover = ["panel:embedding", "entry:kernel:2:3"]
highlight = "step:kernel"

[steps.question]
kind = "matrix"
text = "K ="
answer = "K"
replies = [
  { answer = "1 0 -1; 0 1 0; -1 0 1", text = "The square is missing." },
  { answer = "[1,1] = 2", text = "One and no more." },
]

[[steps]]
key = "eigenvalue"
title = "The first eigenvalue"
text = "Of the centred matrix there is one eigenvalue that is not 0."

[steps.question]
kind = "number"
text = "It is"
answer = "mu[1]"
tolerance = 0.005
decided_by = "step:eigen"
hint = "The trace is {mu[1]:.3f}."
replies = [{ answer = "2 * mu[1] / mu[1]", text = "That is without centring." }]

[[steps]]
key = "same"
title = "Which points are the same?"
text = "Two points have the same score, {score[1,1]:.3f}."
[steps.question]
kind = "click"
text = "Click both"
answer = "rows 1 3"
replies = [{ answer = "rows 1 2", text = "Not these." }]

[[steps]]
key = "where"
title = "Where is the second point?"
text = "Click its place."
[steps.question]
kind = "place"
text = "Here:"
answer = "score[2,1], score[2,2]"
tolerance = 0.1

[[steps]]
key = "rank"
title = "The rank"
text = "Count."
[steps.question]
kind = "choice"
text = "The rank of the centred matrix is"
options = ["1", "2", "3"]
answer = "1"
replies = [{ answer = "2", text = "a and c are the same point." }]

[[steps]]
key = "rings"
title = "Separate the rings"
text = "Linear PCA is right for {linear_accuracy:.0%} of the rows."
state = "rings"
[steps.question]
kind = "state"
text = "Find a γ."
check = ["accuracy >= 0.95", "kernel == 'rbf'", "axis.x == 1"]
solution = "separated"
replies = [{ answer = "gamma < 0.1", text = "That is almost linear." }]
'''

GERMAN = r"""
title = "Drei Punkte"
summary = "Ein Satz."

[steps.matrix]
title = "Fülle K aus"
text = "Der Kern ist $k(x, y) = (x^\\top y)^2$ von {n:d} Punkten."
question = "K ="
replies = ["Das Quadrat fehlt.", "Eins und nicht mehr."]

[steps.eigenvalue]
title = "Der erste Eigenwert"
text = "Ein Eigenwert ist nicht 0."
question = "Er ist"
hint = "Die Spur ist {mu[1]:.3f}."
replies = ["Das ist ohne Zentrieren."]

[steps.same]
title = "Welche Punkte sind gleich?"
text = "Zwei Punkte liegen bei {score[1,1]:.3f}."
question = "Klicke beide an"
replies = ["Nicht diese."]

[steps.where]
title = "Wo ist der zweite Punkt?"
text = "Klicke den Ort an."
question = "Hier:"

[steps.rank]
title = "Der Rang"
text = "Zähle."
question = "Der Rang der zentrierten Matrix ist"
options = ["1", "2", "3"]
replies = ["a und c sind derselbe Punkt."]

[steps.rings]
title = "Trenne die Ringe"
text = "Lineare PCA hat bei {linear_accuracy:.0%} der Zeilen recht."
question = "Finde ein γ."
replies = ["Das ist fast linear."]
"""


def kernel(family: str, **values: float) -> KernelSettings:
    return KernelSettings(family, as_values(values))


def document(
    source: str, kernel: KernelSettings, views: Views | None = None
) -> Document:
    settings = SessionSettings(DataSettings.of_source(source), kernel)
    return Document(settings, views=views or Views())


SQUARE = document(
    "three_points", kernel("poly", gamma=1, degree=2, coef0=0), Views(page="derivation")
)
RINGS = document("circles", kernel("rbf", gamma=0.05))
SEPARATED = document("circles", kernel("rbf", gamma=2))
STATES = {"square": SQUARE, "rings": RINGS, "separated": SEPARATED}


def files(lesson: str = LESSON, german: str = GERMAN) -> dict[str, bytes]:
    """Return the files of the lesson by their names."""
    found = {"lesson.toml": lesson.encode(), "lesson.de.toml": german.encode()}
    for name, state in STATES.items():
        found[f"states/{name}.kpca"] = state_text(state)
    return found


def write_folder(folder: Path, contents: dict[str, bytes] | None = None) -> Path:
    for name, content in (contents or files()).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def write_zip(
    path: Path, contents: dict[str, bytes] | None = None, top: str = ""
) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in (contents or files()).items():
            archive.writestr(top + name, content)
    return path
