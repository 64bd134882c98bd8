"""Places of a run become names that are told apart, and nothing else of its data changes."""

from veridic.domain.own_names import OwnNames


def test_a_file_in_a_folder_keeps_its_place_in_it() -> None:
    names = OwnNames(["/srv/desk/papers"])

    assert names.text("/srv/desk/papers/a/x.pdf is broken.") == "papers/a/x.pdf is broken."


def test_folders_of_one_name_are_told_apart() -> None:
    names = OwnNames(["/srv/a/papers", "/srv/b/papers"])

    assert names.text("/srv/a/papers and /srv/b/papers/x") == "papers and papers (2)/x"


def test_a_relative_path_is_known_as_a_whole_too() -> None:
    names = OwnNames(["../papers"], folder="/srv/desk")

    assert names.text("../papers/x, /srv/papers/y, /srv/desk/z") == "papers/x, papers/y, desk/z"


def test_a_longer_path_is_not_cut_in_its_middle() -> None:
    names = OwnNames(["/srv/a"])

    assert names.text("/srv/abc and /x/srv/a") == "/srv/abc and /x/srv/a"


def test_texts_and_quotes_stay_as_they_were_read() -> None:
    names = OwnNames(["/srv/a"])
    data = {
        "text": "See /srv/a.",
        "quote": "/srv/a",
        "source": {"path": "/srv/a/x", "url": "https://e.org/srv/a"},
    }

    shown = names.data(data)

    assert shown == data | {"source": {"path": "a/x", "url": "https://e.org/srv/a"}}


def test_an_absolute_path_of_an_unknown_place_is_a_name() -> None:
    assert OwnNames().data({"source": "/srv/a/x.md", "found_in": "C:\\a\\b"}) == {
        "source": "x.md",
        "found_in": "b",
    }
