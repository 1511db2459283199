"""What the program and a walker are to the tests of lessons."""

import pytest

from tests.e2e.program import Program
from tests.ui.lessons.samples import write
from tests.ui.lessons.walking import Walker


@pytest.fixture
def program(qtbot, viewer, settled) -> Program:
    program = Program(qtbot, viewer)
    program.settle()
    yield program
    lessons = program.viewer.controllers["lessons"]
    lessons.leave()
    if "authoring" in vars(lessons):
        lessons.authoring.sheet.close()
    program.viewer.preferences.reset()
    program.viewer.presenter.messages.forget()
    program.settle()


@pytest.fixture
def walker(program, tmp_path) -> Walker:
    walker = Walker(program)
    walker.begin(write(tmp_path / "rings"))
    return walker
