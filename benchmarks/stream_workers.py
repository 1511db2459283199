"""The same pass by one worker process of Dask and by two, and what they send back."""

from contextlib import ExitStack
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from distributed import Client, LocalCluster

from benchmarks.spread import paired_ratio, rounded, spread
from benchmarks.stream_methods import streamed
from benchmarks.stream_tables import STREAMED, parquet_blocks
from kpca_viewer.core.solvers.blocks import Blocks, Each
from kpca_viewer.engine.executors.dask_connection import Cluster, connected
from kpca_viewer.engine.executors.dask_executor import DaskExecutor


def compare(
    folder: Path, components: int, rounds: int, processes: tuple[int, int], apart: bool
) -> dict[str, Any]:
    """Fit by both in turn; workers that are not apart are threads of this process.

    Returns
    -------
    dict
        ``speed_up`` by the clock, round by round; ``speed_up_processor``, where the
        time of several is that of the busiest: what an idle machine would show;
        ``bytes_a_block``, which every block sends back in the pass.
    """
    blocks = parquet_blocks(folder)
    gamma = STREAMED[folder.name.split("-")[0]].gamma
    runs: list[list[dict[str, Any]]] = [[] for _ in processes]
    with ExitStack() as stack:
        clusters = [
            stack.enter_context(connected(_started(stack, count, apart)))
            for count in processes
        ]
        for cluster in clusters:
            # Imports of the workers are not measured.
            streamed(blocks[:1], gamma, components, each=DaskExecutor(cluster))
        for _ in range(rounds):
            for cluster, told in zip(clusters, runs, strict=True):
                told.append(_run(cluster, blocks, gamma, components))
    one, more = runs
    return {
        "processes": list(processes),
        "wall_s": [spread([run["wall"] for run in told]) for told in runs],
        "busiest_s": [spread([run["busiest"] for run in told]) for told in runs],
        "speed_up": _ratio(one, more, "wall"),
        "speed_up_processor": _ratio(one, more, "busiest"),
        "blocks": len(blocks),
        "bytes_a_block": rounded(more[-1]["bytes_a_block"], 6),
        "bytes": more[-1]["bytes"],
    }


def _started(stack: ExitStack, count: int, apart: bool) -> str:
    """Start workers on this machine; returns the address of their scheduler."""
    started = LocalCluster(
        n_workers=count,
        threads_per_worker=1,
        processes=apart,
        protocol="tcp",
        dashboard_address="localhost:0",
    )
    return str(stack.enter_context(started).scheduler_address)


def _ratio(one: Any, more: Any, name: str) -> dict[str, Any]:
    return paired_ratio([run[name] for run in one], [run[name] for run in more])


def _busy(cluster: Cluster) -> dict[str, float]:
    """Return the processor time of every worker so far."""
    # Not by the client of the program, which builds nothing of what workers say.
    with Client(cluster.client.scheduler.address, set_as_default=False) as believing:
        return dict(believing.run(process_time))


def _run(
    cluster: Cluster, blocks: Blocks, gamma: float, components: int
) -> dict[str, Any]:
    each = _Counting(cluster)
    before = _busy(cluster)
    started = perf_counter()
    streamed(blocks, gamma, components, each=each)
    wall = perf_counter() - started
    after = _busy(cluster)
    return {
        "wall": wall,
        "busiest": max(after[worker] - before[worker] for worker in after),
        "bytes_a_block": each.moved[-1] / len(blocks),
        "bytes": sum(each.moved),
    }


class _Counting(Each):
    """Counts what every walk over the blocks has moved."""

    def __init__(self, cluster: Cluster) -> None:
        self._each = DaskExecutor(cluster)
        self.moved: list[int] = []

    def __call__(self, work: Any, blocks: Blocks, *rest: Any) -> Any:
        before = self._each.bytes_moved
        yield from self._each(work, blocks, *rest)
        self.moved.append(self._each.bytes_moved - before)
