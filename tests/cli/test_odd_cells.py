"""Words among numbers: refused with their place, or gaps by an option."""

import csv

from kpca_viewer.cli.main import main


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
    said = capsys.readouterr().out
    assert (
        "“1,100” in “people” read as 1100 (thousands); --decimal , reads 1.100" in said
    )
    out.unlink()
    assert main([*words, "--decimal", ","]) == 0
    assert "read as" not in capsys.readouterr().out
    out.unlink()
    assert main([*words, "--decimal", "x"]) == 2
    assert "--decimal" in capsys.readouterr().err
