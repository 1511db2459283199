"""How far work on blocks is, how fast it goes, and how long it will take."""

from collections.abc import Iterator
from time import perf_counter

from kpca_viewer.console.terminal import Watch
from kpca_viewer.core.solvers.blocks import Blocks, Each, T, Work
from kpca_viewer.data.parts import PartBlock
from kpca_viewer.engine.forecast import spoken
from kpca_viewer.support.numerals import byte_size
from kpca_viewer.support.progress import ShouldStop, never


class Paced:
    """Works on blocks as another does, and tells how that goes on."""

    def __init__(self, each: Each, watch: Watch) -> None:
        self._each = each
        self._watch = watch
        self._stage = ""
        self._turn = 0

    def begin(self, stage: str) -> None:
        """Say what the blocks are worked on for."""
        self._stage, self._turn = stage, 0
        self._watch(stage)

    def __call__(
        self, work: Work[T], blocks: Blocks, should_stop: ShouldStop = never
    ) -> Iterator[T]:
        """Yield the answers in the order of the blocks."""
        self._turn += 1
        stage = self._stage if self._turn == 1 else f"{self._stage}, again"
        sizes = [b.piece.size if isinstance(b, PartBlock) else 1 for b in blocks]
        total, done, started = max(sum(sizes), 1), 0, perf_counter()
        answers = self._each(work, blocks, should_stop)
        for number, answer in enumerate(answers):
            done += sizes[number]
            seconds = max(perf_counter() - started, 1e-9)
            left = seconds * (total - done) / max(done, 1)
            when = f"in {spoken(seconds)}"
            if number + 1 < len(blocks):
                when = f"{spoken(left)} left"
            self._watch(
                f"{stage}: {number + 1:,} of {len(blocks):,} blocks, "
                f"{byte_size(round(done / seconds))} of files a second, {when}"
            )
            yield answer
