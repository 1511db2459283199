"""The command says what Python says, digit by digit."""

import io
import json
import sys

import pytest

from kpca_viewer import choose, generate
from kpca_viewer.cli.main import main
from kpca_viewer.data.files import read_table
from kpca_viewer.data.importing import converted, guess_import
from kpca_viewer.engine.claims.choice import facts

WINE = "assets/data/wine.csv"


def told(capsys, *words):
    assert main(["choose", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_command_has_the_digits_of_python(capsys):
    found = told(capsys, WINE, "--kernel", "rbf", "--seed", "3", "--repeats", "1")
    assert found.pop("scaling") == "standardise"
    table = read_table(WINE)
    dataset = converted(table, guess_import(table))
    expected = choose(
        dataset, scaling="standardise", kernels=["rbf"], seed=3, repeats=1
    )
    assert found == json.loads(json.dumps(facts(expected)))


def test_a_person_is_told_what_to_use_and_why(capsys):
    assert main(["choose", "circles", "--samples", "120", "--kernel", "rbf"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Use RBF γ = ")
    assert lines[1].startswith("  1. RBF γ = ")
    assert "balanced accuracy held out, guessing " in lines[1]
    assert lines[2].startswith("  2. Linear: ")


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_terminal_shows_what_comes_first_so_far(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert main(["choose", WINE, "--kernel", "rbf", "--repeats", "1"]) == 0
    shown = terminal.getvalue().split("\r\x1b[K")[1:]
    of_settings = [line for line in shown if "setting" in line]
    assert of_settings[0].startswith("1 settings, so far Linear: 9")
    assert of_settings[0].endswith(" %")
    assert shown[-1] == ""


def test_classes_may_be_left_unused(capsys):
    found = told(
        capsys, "moons", "--samples", "80", "--kernel", "rbf", "--without-classes"
    )
    assert found["evidence"] == "structure"
    expected = choose(generate("moons", samples=80).points, kernels=["rbf"])
    assert found["ranked"][0]["score"] == expected.chosen.score


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["assets/data/kernel.csv"], "what is left is the number of components"),
        (["circles", "--kernel", "gauss"], "There is no kernel “gauss”"),
        (
            ["circles", "--folds", "1"],
            "folds is 1; it must be a whole number, 2 or more",
        ),
    ],
)
def test_what_is_wrong_is_one_line(capsys, words, text):
    assert main(["choose", *words]) == 2
    said = capsys.readouterr().err
    assert text in said
    assert said.count("\n") == 1
