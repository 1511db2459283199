"""Words among numbers: refused with their place, or gaps by an option."""

import csv
import json

import pytest

from kpca_viewer.cli.main import main
from kpca_viewer.data.files import ReadOptions, read_table


def test_words_count_as_gaps_where_that_is_asked_for(tmp_path, capsys):
    rows = [f"{j},{j * j % 7}" for j in range(60)]
    rows[40] = "odd,3"
    path, out = tmp_path / "my.csv", tmp_path / "out.csv"
    path.write_text("a,b\n" + "\n".join(rows))
    words = ["embed", str(path), "--out", str(out), "--missing", "drop"]
    assert main(words) == 2
    assert "odd" in capsys.readouterr().err
    assert main([*words, "--text-missing"]) == 0
    assert "  1 of 60 rows left out: gaps\n" in capsys.readouterr().out
    with open(out, encoding="utf-8", newline="") as file:
        assert len(list(csv.DictReader(file))) == 59


def test_numbers_that_can_be_read_in_two_ways_are_named(tmp_path, capsys):
    rows = [f"{j + 1},{j * 37 % 900 + 100}\t{j % 7}" for j in range(30)]
    path, out = tmp_path / "my.tsv", tmp_path / "out.csv"
    path.write_text("people\tarea\n" + "\n".join(rows))
    words = ["embed", str(path), "--out", str(out)]
    assert main(words) == 0
    said = capsys.readouterr().err
    assert (
        "“1,100” in “people” read as 1100 (thousands); --decimal , reads 1.100" in said
    )
    out.unlink()
    assert main([*words, "--decimal", ","]) == 0
    assert "read as" not in capsys.readouterr().err
    out.unlink()
    assert main([*words, "--decimal", "x"]) == 2
    assert "--decimal" in capsys.readouterr().err


@pytest.mark.journey
def test_a_decimal_mark_decides_what_cells_leave_open_and_nothing_else(
    tmp_path, capsys
):
    rows = [f"1.{j:03d};{j},5;{j % 9 + 1},234;a{j % 2}" for j in range(40, 70)]
    path = tmp_path / "my.csv"
    path.write_text("Zählung;x;y;class\n" + "\n".join(rows), encoding="utf-8")
    words = [str(path), "--label", "class"]
    assert main(["choose", *words, "--kernel", "linear", "--repeats", "1"]) == 0
    offer = "“1.040” in “Zählung” read as 1040 (thousands); --decimal . reads 1.040"
    said = capsys.readouterr()
    assert offer in said.err
    assert "read as" not in said.out
    quick = ["--kernel", "linear", "--repeats", "1", "--json"]
    assert main(["choose", *words, *quick]) == 0
    assert offer in json.loads(capsys.readouterr().out)["notes"]
    out = tmp_path / "out.csv"
    assert main(["embed", *words, "--out", str(out), "--decimal", "."]) == 0
    said = capsys.readouterr()
    assert "commas stay decimals where no other reading is possible" in said.out
    assert "3 features, label “class”" in said.out
    assert "read as" not in said.err
    table = read_table(path, options=ReadOptions(decimal="."))
    assert [float(c.values[0]) for c in table.columns[:3]] == [1.04, 40.5, 5.234]


def test_words_over_all_numbers_name_the_option_to_transpose(tmp_path, capsys):
    path, out = tmp_path / "genes.csv", tmp_path / "out.csv"
    lines = [f"g{k},{k},{k * k % 7},{k % 5}.5" for k in range(20)]
    header = "gene,N_00,N_01,T_00\ngroup,normal,normal,tumour\n"
    path.write_text(header + "\n".join(lines))
    assert main(["embed", str(path), "--out", str(out)]) == 2
    assert capsys.readouterr().err == (
        "kpca-viewer embed: Row 1 holds words in every column; give --transpose if "
        "the columns are the samples, or --text-missing to take words as missing.\n"
    )
    assert main(["embed", str(path), "--out", str(out), "--transpose"]) == 0
    assert "label “group”" in capsys.readouterr().out
