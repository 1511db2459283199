"""The list of what takes long names files that there are."""

from tests.journeys import HERE, LONG, QUICK


def test_every_file_of_the_list_is_there():
    assert not [name for name in sorted(LONG) if not (HERE / name).is_file()]
    assert not [stem for stem in QUICK if not (HERE / "e2e" / f"{stem}.py").is_file()]
