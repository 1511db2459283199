import subprocess
import sys

ALL_OF_RUNTIME = """
import importlib, pkgutil, sys
import kpca_viewer.runtime as runtime

for module in pkgutil.walk_packages(runtime.__path__, "kpca_viewer.runtime."):
    importlib.import_module(module.name)
known = {name for name in sys.modules if name.startswith("PySide6.Qt")}
drawing = {"ziamath"} & set(sys.modules)
print(*sorted(known | drawing))
"""


def test_the_runtime_knows_qtcore_and_nothing_else_of_qt() -> None:
    run = subprocess.run(
        [sys.executable, "-c", ALL_OF_RUNTIME],
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.split() == ["PySide6.QtCore"]
