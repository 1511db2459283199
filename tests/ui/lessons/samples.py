"""A small lesson in files, with every kind of question in it."""

from pathlib import Path

from kpca_viewer.data.drawn import Drawn
from kpca_viewer.engine.document.model import Document
from kpca_viewer.engine.notes import Notes, SweepNote
from kpca_viewer.engine.settings import DataSettings, KernelSettings, SessionSettings
from kpca_viewer.engine.sweep.settings import SweepSettings
from kpca_viewer.engine.views import Views
from kpca_viewer.features.lessons.states import state_text

RINGS = SessionSettings(
    data=DataSettings(values=(("samples", 40.0),)),
    kernel=KernelSettings("rbf", (("gamma", 4.0),)),
)
THREE = SessionSettings(
    data=DataSettings(
        source="drawn",
        drawn=Drawn().added([(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)], 0),
    ),
    kernel=KernelSettings("poly", (("coef0", 0.0), ("degree", 2.0), ("gamma", 1.0))),
).with_center(False)
STATES = {
    "rings": Document(RINGS, views=Views(workspace="explore", page="pca")),
    "film": Document(
        RINGS,
        notes=Notes(sweep=SweepNote(SweepSettings(low=1.0, high=4.0, steps=3), RINGS)),
        views=Views(workspace="sweep"),
    ),
    "three": Document(THREE, views=Views(workspace="explain", page="derivation")),
}

LESSON = r'''
format = 1
title = "Rings & more"
author = "Tests"
minutes = 7
summary = "All kinds of questions."

[[steps]]
key = "choice"
title = "Which component?"
text = """
There are {n} points and $\\mu_1$ = {mu[1]:.3f}.
"""
state = "rings"
cover = ["panel:embedding", "panel:linear", "verdict"]
highlight = "panel:data"

[steps.question]
kind = "choice"
text = "Which component separates?"
options = ["PC 1", "PC 2", "all {n}"]
answer = "1"
decided_by = "step:eigen"
hint = "Look at the *colours*."
replies = [{ answer = "2", text = "PC 2 has a share of {share[2]:.2f} only." }]

[[steps]]
key = "number"
title = "A number"
text = "No state of its own."
highlight = "step:eigen"

[steps.question]
kind = "number"
text = "The largest eigenvalue:"
answer = "mu[1]"
tolerance = 0.01
decided_by = "page:rebuild"

[[steps]]
key = "matrix"
title = "Fill it in"
text = "Three points."
state = "three"
cover = ["step:kernel", "entry:centred:1:1", "panel:explanation"]

[steps.question]
kind = "matrix"
text = "K ="
answer = "K"
tolerance = 0.001
decided_by = "step:kernel"

[[steps]]
key = "row"
title = "Click a point"
text = "Only points."
state = "three"

[steps.question]
kind = "click"
text = "Click the second point."
answer = "row 2"

[[steps]]
key = "bar"
title = "Click a bar"
text = "The spectrum."
state = "rings"

[steps.question]
kind = "click"
text = "Click the second bar."
answer = "component 2"

[[steps]]
key = "frame"
title = "Click a picture"
text = "The film."
state = "film"

[steps.question]
kind = "click"
text = "Click the last picture."
answer = "frame 3"

[[steps]]
key = "place"
title = "Click a place"
text = "The embedding."
state = "rings"

[steps.question]
kind = "place"
text = "Where is the first point?"
answer = "score[1,1], score[1,2]"
tolerance = 0.05

[[steps]]
key = "state"
title = "Set the kernel"
text = "Anything goes."
state = "rings"

[steps.question]
kind = "state"
text = "Make the kernel linear."
check = ['kernel == "linear"']
replies = [{ answer = "gamma < 100", text = "This is still RBF." }]

[[steps]]
key = "end"
title = "The end"
text = "That was all."
'''

GERMAN = r"""
title = "Ringe und mehr"
summary = "Alle Arten von Fragen."

[steps.choice]
title = "Welche Komponente?"
text = "Es sind {n} Punkte."
question = "Welche trennt?"
options = ["HK 1", "HK 2", "alle {n}"]
hint = "Die Farben."
replies = ["HK 2 hat einen Anteil von nur {share[2]:.2f}."]

[steps.number]
title = "Eine Zahl"
text = "Ohne Zustand."
question = "Der größte Eigenwert:"

[steps.matrix]
title = "Füllen"
text = "Drei Punkte."
question = "K ="

[steps.row]
title = "Ein Punkt"
text = "Nur Punkte."
question = "Der zweite Punkt."

[steps.bar]
title = "Ein Balken"
text = "Das Spektrum."
question = "Der zweite Balken."

[steps.frame]
title = "Ein Bild"
text = "Der Film."
question = "Das letzte Bild."

[steps.place]
title = "Ein Ort"
text = "Die Einbettung."
question = "Wo ist der erste Punkt?"

[steps.state]
title = "Der Kern"
text = "Alles geht."
question = "Mach den Kern linear."
replies = ["Noch immer RBF."]

[steps.end]
title = "Ende"
text = "Das war alles."
"""


def write(folder: Path, lesson: str = LESSON) -> Path:
    """Write the lesson into a folder of this name, and return that."""
    (folder / "states").mkdir(parents=True)
    (folder / "lesson.toml").write_text(lesson, encoding="utf-8")
    (folder / "lesson.de.toml").write_text(GERMAN, encoding="utf-8")
    for name, document in STATES.items():
        (folder / "states" / f"{name}.kpca").write_bytes(state_text(document))
    return folder


def without_translation(folder: Path, lesson: str) -> Path:
    written = write(folder, lesson)
    (written / "lesson.de.toml").unlink()
    return written
