"""Own files have names on a page, and never their paths."""

import pytest
from tests.builders import make_source

from veridic.domain.own_names import own_name
from veridic.web.own_names import source_name, source_place, with_own_names


@pytest.mark.parametrize(
    ("reference", "name"),
    [
        ("/srv/desk/sources/minutes.pdf", "minutes.pdf"),
        ("C:\\desk\\minutes.pdf", "minutes.pdf"),
        ("sources/", "sources"),
        ("reference", "reference"),
        ("https://news.example/a/b", "https://news.example/a/b"),
        ("/", "/"),
    ],
)
def test_a_path_becomes_its_last_part(reference: str, name: str) -> None:
    assert own_name(reference) == name


def test_a_source_without_a_title_has_its_file_s_name() -> None:
    source = make_source("a").model_copy(update={"title": "", "url": None, "path": "/srv/a/b.txt"})

    assert (source_name(source), source_place(source)) == ("b.txt", "")


def test_paths_in_problems_are_names() -> None:
    sentence = "/srv/a/b was left out: no file in /srv/a/b can be read."

    assert with_own_names(sentence, ["/srv/a", "/srv/a/b"]) == "b was left out: no file in b can be read."
