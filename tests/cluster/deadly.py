"""Work on jobs that kills its worker now and then; see test_sweeping.py."""

import os
from dataclasses import dataclass
from pathlib import Path
from time import sleep


@dataclass(frozen=True)
class Deadly:
    """Dies once of job 1, and whenever job 2 comes; leaves a file for every try."""

    folder: Path

    def __call__(self, job, number):
        tries = len(list(self.folder.glob(f"{job}.*")))
        (self.folder / f"{job}.{tries}").touch()
        if job == 2 or (job == 1 and tries == 0):
            os._exit(9)
        return 10 * job


@dataclass(frozen=True)
class FirstLast:
    """Takes longer over the first job than over the others."""

    def __call__(self, job, number):
        sleep(0.0 if number else 0.3)
        return job
