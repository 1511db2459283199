"""A way to compute points that kills its process now and then; see test_sweep.py."""

import os
from pathlib import Path

from kpca_viewer.engine.sweep.jobs import PointJobs
from kpca_viewer.engine.sweep.point import SweepPoint

FOLDER = "KPCA_TEST_DEATHS"
"""The variable that names a folder in which deaths are counted."""


class DyingPoints(PointJobs):
    """Dies once at point 1, and whenever point 2 comes."""

    def whole(self, job, _number=0):
        folder = Path(os.environ[FOLDER])
        (folder / f"{job.index}.{os.getpid()}.threads").write_text(
            os.environ["OPENBLAS_NUM_THREADS"]
        )
        once = folder / "died"
        if job.index == 2 or (job.index == 1 and not once.exists()):
            if job.index == 1:
                once.touch()
            os._exit(9)
        sweep = self._sweeps[job.sweep]
        return SweepPoint(
            job.index, sweep.settings.cells()[job.index], sweep.request.settings
        )

    def __reduce__(self):
        return DyingPoints, (self._sweeps,)
