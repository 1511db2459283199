import subprocess
import sys

import pytest

ALL_OF_ENGINE = """
import importlib, pkgutil, sys
import kpca_viewer.engine as engine

for module in pkgutil.walk_packages(engine.__path__, "kpca_viewer.engine."):
    importlib.import_module(module.name)
known = {name for name in sys.modules if name.startswith("PySide6.Qt")}
drawing = {"pyqtgraph", "ziamath"} & set(sys.modules)
print(*sorted(known | drawing))
"""


def test_the_engine_knows_qtcore_and_nothing_else_of_qt() -> None:
    run = subprocess.run(
        [sys.executable, "-c", ALL_OF_ENGINE],
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.split() == ["PySide6.QtCore"]


# What takes long to load, and is of no use to a window that opens.
LATER = """
later = {
    "dask", "distributed", "matplotlib", "openpyxl", "pandas", "PIL", "psutil",
    "pyarrow", "scipy", "sklearn", "urllib.request", "ziamath",
    "kpca_viewer.data.files.read",
}
"""
THE_WINDOW = f"""
import sys
import kpca_viewer.window.start
{LATER}
print(*sorted(later & set(sys.modules)))
"""
A_FIRST_PICTURE = f"""
import sys
from kpca_viewer.engine.analysis import run
from kpca_viewer.engine.initial_session import first_session
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.support.progress import never, silent
{LATER}
found = []

def publish(result):
    found.append(later & set(sys.modules) - {{"psutil"}})

run(AnalysisRequest(first_session()), StageCache(), never, silent, publish)
print(*sorted(found[0]))
"""


@pytest.mark.parametrize("program", [THE_WINDOW, A_FIRST_PICTURE])
def test_a_start_waits_for_no_library_that_is_needed_later(program) -> None:
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == []
