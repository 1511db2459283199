"""A short storm of random actions; `tools/storm.py` is the long one."""

from kpca_viewer.support.errors import KpcaError
from tests.e2e.program import SMALL
from tests.storm import Storm
from tests.storm_rules import broken, restless

ACTIONS, SEED = 40, 1


def test_nothing_breaks_whatever_is_done(start, home):
    # Exceptions in slots and warnings of Qt fail a test by themselves.
    program = start(SMALL)
    viewer, first, failures = program.viewer, program.settings, []
    for runner in (viewer.runner, viewer.controllers["import_sheet"].runner):
        runner.failed.connect(failures.append)

    def at_rest():
        assert restless(viewer) == [], done

    storm = Storm(viewer, home, SEED, most=120)
    done = []
    with storm.dialogs():
        for _ in range(ACTIONS):
            storm.act(lambda: program.qtbot.wait(1))
            done.append(storm.told)
            assert program.window.isVisible(), done
        for window in storm.windows():
            window.close()
        if program.strip.playing:
            program.action("play").trigger()
        program.until(at_rest)
    assert broken(viewer) == [], done
    assert not [e for e in failures if not isinstance(e, KpcaError | MemoryError)]
    # All of it can be taken back.
    while viewer.store.undo_text is not None:
        viewer.store.undo()
    assert program.settings.data == first.data, done
    assert program.settings.kernel == first.kernel, done
    program.until(at_rest)
    assert broken(viewer) == [], done
