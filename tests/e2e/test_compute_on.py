"""*Data ▸ Compute on…*: a window that lets a cluster compute, and loses it."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton

from kpca_viewer.data.parts import sampling
from kpca_viewer.engine.executors.dask_connection import connected
from kpca_viewer.engine.settings import (
    DataSettings,
    KernelSettings,
    SessionSettings,
)
from kpca_viewer.features.large_tables.sheet import ComputeSheet
from tests.e2e.files import accept, drop, write_rings
from tests.e2e.program import SMALL
from tests.e2e.sweeps import sweep

pytestmark = pytest.mark.cluster

MANY = SessionSettings(
    data=DataSettings(values=(("samples", 50_000.0),)),
    kernel=KernelSettings("rbf", (("gamma", 1.0),)),
)

A_CLUSTER = """
import sys
from distributed import LocalCluster

how = {"processes": False, "protocol": "tcp", "dashboard_address": "127.0.0.1:0"}
with LocalCluster(n_workers=2, threads_per_worker=1, **how) as cluster:
    print(cluster.scheduler_address, flush=True)
    sys.stdin.read()
"""


@pytest.fixture(scope="module", autouse=True)
def threads_of_dask(started_cluster):
    """Let Dask start the threads that it keeps as long as the process lives."""
    with connected(started_cluster.client.scheduler.address) as cluster:
        cluster.send_to_all(np.zeros(3_000_000))


@pytest.fixture
def another():
    """A cluster in a process that can be killed."""
    process = subprocess.Popen(
        [sys.executable, "-c", A_CLUSTER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    yield process
    process.kill()
    process.communicate()


def state(program):
    return program.viewer.controllers["large_tables"].state


def connect(program, address):
    """Open the sheet, type an address, and press the button."""
    program.action("compute_on").trigger()
    sheet = program.find(ComputeSheet, "compute_sheet")
    field = sheet.findChild(QLineEdit, "scheduler_field")
    field.selectAll()
    QTest.keyClicks(field, address)
    press(program)
    program.until(lambda: state(program).phase != "connecting")
    return sheet


def press(program):
    program.click(program.find(QPushButton, "cluster_button"))


def text_of(sheet, name):
    return sheet.findChild(QLabel, name).text()


def gamma(value):
    return replace(MANY, kernel=KernelSettings("rbf", (("gamma", value),)))


def show(program, settings):
    program.viewer.store.update(settings)
    program.settle()


def test_a_window_computes_on_a_cluster_until_it_leaves_it(two_workers, start):
    program = start(SMALL)
    sheet = connect(program, two_workers.client.scheduler.address)
    assert state(program).phase == "on"
    assert text_of(sheet, "cluster_state").startswith("Connected: 2 workers, ")
    show(program, MANY)
    assert "on 2 workers" in program.window.status_text()
    assert program.result.dataset.n == 50_000
    show(program, SMALL)
    assert "worker" not in program.window.status_text()
    stages, said = [], []
    label = program.strip.progress

    def look(stage, _share):
        stages.append(stage)
        said.append(label.text())

    program.viewer.controllers["sweep"].runner.progressed.connect(look)
    sweep(program, 4)
    assert stages[0] == "value 1 of 4 on 2 workers"
    assert said[0].startswith("0 of 4 on 2 workers")
    points = program.strip.result().points
    assert len(points) == 4
    assert all(point.is_measured and not point.error for point in points)
    press(program)
    assert state(program).phase == "off"
    show(program, gamma(2.0))
    assert "worker" not in program.window.status_text()


def test_the_address_is_there_at_the_next_start(start, restart):
    program = start(SMALL)
    sheet = connect(program, "tls://host:8786")
    assert state(program).phase == "lost"
    assert "is not there" in text_of(sheet, "cluster_state")
    again = restart(program)
    assert state(again).phase == "off"
    again.action("compute_on").trigger()
    assert again.find(QLineEdit, "scheduler_field").text() == "tls://host:8786"


def test_a_cluster_that_goes_away_is_told_once_and_all_goes_on_here(another, start):
    program = start(SMALL)
    connect(program, another.stdout.readline().strip())
    show(program, MANY)
    assert "on 2 workers" in program.window.status_text()
    another.kill()
    program.until(lambda: state(program).phase == "lost")
    assert "was lost" in program.message()
    assert "this machine computes" in program.message()
    assert program.result.dataset.n == 50_000
    show(program, gamma(2.0))
    assert "worker" not in program.window.status_text()


def test_a_cluster_that_goes_away_in_the_middle_loses_nothing(another, start):
    program = start(SMALL)
    connect(program, another.stdout.readline().strip())

    def kill(stage, _fraction):
        if stage.startswith("all rows"):
            another.kill()

    program.viewer.runner.progressed.connect(kill)
    show(program, MANY)
    assert another.wait()
    program.until(lambda: state(program).phase == "lost")
    assert program.result.settings == MANY
    assert program.result.comparison is not None
    assert "worker" not in program.window.status_text()


def test_a_lost_cluster_is_connected_again_from_the_message(another, start):
    program = start(SMALL)
    sign = program.window.backend_button
    assert not sign.isVisible()
    sheet = connect(program, another.stdout.readline().strip())
    assert sign.isVisible()
    assert sign.text() == "⇄ 2 workers"
    sheet.close()
    another.kill()
    program.until(lambda: "Connect again" in program.buttons())
    assert not sign.isVisible()
    program.click(program.buttons()["Connect again"])
    assert sheet.isVisible()
    assert state(program).phase == "connecting"
    program.until(lambda: state(program).phase == "lost")
    sheet.close()


def test_what_is_said_of_a_lost_cluster_is_over_with_the_next(
    another, two_workers, start
):
    program = start(SMALL)
    connect(program, another.stdout.readline().strip()).close()
    another.kill()
    program.until(lambda: "was lost" in program.message())
    sheet = connect(program, two_workers.client.scheduler.address)
    assert "was lost" not in program.message()
    sheet.close()
    program.click(program.window.backend_button)
    assert sheet.isVisible()
    press(program)
    assert not program.window.backend_button.isVisible()


@pytest.fixture
def rings(tmp_path, monkeypatch):
    """A table in parts, of which some rows are drawn."""
    monkeypatch.setattr(sampling, "SAMPLE", 200)
    return write_rings(tmp_path / "rings", 4, 300)


def test_all_rows_of_a_folder_are_computed_on_a_cluster(two_workers, start, rings):
    program = start(SMALL)
    connect(program, two_workers.client.scheduler.address)
    drop(program, rings)
    accept(program)
    assert "worker" not in program.window.status_text()
    program.action("fit_all_rows").trigger()
    program.settle()
    assert "all 1,200 rows × 2" in program.window.status_text()
    assert " worker" in program.window.status_text()
    assert program.result.full_fit.density.rows == 1200


def test_a_cluster_that_goes_away_between_all_rows_loses_none(another, start, rings):
    program = start(SMALL)
    connect(program, another.stdout.readline().strip())
    drop(program, rings)
    accept(program)

    def kill(stage, _fraction):
        if stage.startswith("all rows"):
            another.kill()

    program.viewer.runner.progressed.connect(kill)
    program.action("fit_all_rows").trigger()
    program.settle()
    assert another.wait()
    assert program.result.full_fit.n == 1200
    assert program.result.full_fit.density.rows == 1200
    program.until(lambda: state(program).phase == "lost")


def test_a_sweep_that_loses_its_cluster_is_made_here_to_its_end(another, start):
    program = start(SMALL)
    connect(program, another.stdout.readline().strip())
    program.viewer.controllers["sweep"].runner.result_ready.connect(
        lambda _: another.kill()
    )
    sweep(program, 12)
    points = program.strip.result().points
    assert len(points) == 12
    assert all(point.is_measured and not point.error for point in points)


def test_without_the_extra_the_menu_says_what_to_install(start, monkeypatch):
    program = start(SMALL)
    monkeypatch.setitem(sys.modules, "distributed", None)
    program.action("compute_on").trigger()
    assert "pip install 'kpca-viewer[cluster]'" in program.message()
