"""Sweeps on a cluster of two processes: the digits, the journal, workers that die."""

import argparse
import json
import os
import signal

import pytest

from kpca_viewer.engine.executors.dask_executor import DaskExecutor
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.engine.sweep.jobs import (
    MOST_DEATHS,
    Job,
    PointJobs,
    Sweep,
    compute_points,
)
from kpca_viewer.engine.sweep.settings import SweepSettings
from kpca_viewer.features.sweep import command
from tests.cluster.deadly import Deadly
from tests.cluster.processes import process_ids

pytestmark = pytest.mark.cluster

CIRCLES = SessionSettings(data=DataSettings(values=(("samples", 120.0),)))
SWEEPS = [
    Sweep(AnalysisRequest(CIRCLES), SweepSettings("gamma", 0.1, 100.0, 8, "log")),
    Sweep(AnalysisRequest(CIRCLES), SweepSettings("components", 2, 5, 2, "linear")),
]
JOBS = [Job(0, index) for index in range(8)] + [Job(1, index) for index in range(2)]


def numbers(point):
    return (
        point.eigenvalues.tolist(),
        point.bounds.tolist(),
        point.thumbnail.tolist(),
        point.measures,
        point.yardstick,
    )


@pytest.fixture(scope="module")
def here():
    """The same points, computed in this process."""
    points = PointJobs(SWEEPS)
    return {job: numbers(points.whole(job)) for job in JOBS}


def test_a_cluster_finds_every_digit_of_a_sweep(two_workers, here):
    found = dict(compute_points(DaskExecutor(two_workers), PointJobs(SWEEPS), JOBS))
    assert {job: numbers(point) for job, point in found.items()} == here


def test_a_worker_that_is_killed_during_a_sweep_changes_no_digit(two_workers, here):
    found = {}
    for job, point in compute_points(
        DaskExecutor(two_workers), PointJobs(SWEEPS), JOBS
    ):
        found[job] = numbers(point)
        if len(found) == 2:
            killed = process_ids(two_workers)[0]
            os.kill(killed, signal.SIGKILL)
    assert killed not in process_ids(two_workers)
    assert found == here


def test_a_job_that_kills_its_workers_is_given_up_alone(two_workers, tmp_path):
    jobs = range(6)
    answers = dict(DaskExecutor(two_workers).completed(Deadly(tmp_path), jobs))
    assert answers == {0: 0, 1: 10, 2: None, 3: 30, 4: 40, 5: 50}
    assert len(list(tmp_path.glob("2.*"))) == MOST_DEATHS
    assert len(list(tmp_path.glob("1.*"))) == 2


def test_a_point_that_is_given_up_has_a_sentence():
    point = PointJobs(SWEEPS).given_up(Job(0, 3))
    assert point.failed
    assert point.error.startswith(f"{MOST_DEATHS} processes died at this value")
    assert point.values == SWEEPS[0].settings.cells()[3]


@pytest.fixture
def swept(tmp_path, capsys):
    """Run the command; returns its code and what it says on stderr."""

    def run(*words, out="out"):
        parser = argparse.ArgumentParser()
        command.add_parser(parser.add_subparsers())
        words = ("circles", "--samples", "90", "--no-pictures", *words)
        options = parser.parse_args(["sweep", *words, "--out", str(tmp_path / out)])
        code = options.run(options)
        return code, capsys.readouterr().err

    return run


def journal(folder):
    text = (folder / "points.jsonl").read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    for line in lines:
        del line["seconds"]
    return {line["index"]: line for line in lines}


def test_a_sweep_that_was_begun_on_a_cluster_goes_on_here(two_workers, swept, tmp_path):
    address = two_workers.client.scheduler.address
    gamma = ("--gamma", "0.1:100:6:log")
    assert swept(*gamma, out="here")[0] == 0
    code, _ = swept(*gamma, "--scheduler", address, out="there")
    assert code == 0
    whole = journal(tmp_path / "here")
    assert journal(tmp_path / "there") == whole
    path = tmp_path / "there" / "points.jsonl"
    first, *_ = path.read_text().splitlines(keepends=True)
    path.write_text(first)
    code, said = swept(*gamma, out="there")
    assert code == 0
    assert "1 of 6 values are there already" in said
    assert journal(tmp_path / "there") == whole


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--scheduler", "tcp://localhost:1", "--workers", "2"), "give one of them"),
        (("--tls-ca", "ca.pem"), "--scheduler tls://"),
        (("--scheduler", "localhost"), "is not the address of a scheduler"),
    ],
)
def test_what_is_no_cluster_is_one_sentence(swept, words, told):
    code, said = swept(*words)
    assert code == 2
    assert told in said
    assert said.count("\n") == 1
