"""Work on jobs that kills its worker, waits, or is slow."""

import os
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep

PATIENCE = 120.0
"""Seconds after which work ends, whatever it waits for."""


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
        sleep(0.0 if number else 0.1)
        return job


@dataclass(frozen=True)
class Held:
    """Says by a file that a job has begun, and works on it until it is let go."""

    folder: Path

    def __call__(self, job, number):
        (self.folder / f"begun.{job}").touch()
        until = monotonic() + PATIENCE
        while not (self.folder / "go").exists() and monotonic() < until:
            sleep(0.01)
        return job

    def has_begun(self):
        return any(self.folder.glob("begun.*"))

    def let_go(self):
        (self.folder / "go").touch()
