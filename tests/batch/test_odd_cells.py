"""Words among numbers: refused with their place, or gaps by an option."""

import csv

from kpca_viewer.cli import main


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
