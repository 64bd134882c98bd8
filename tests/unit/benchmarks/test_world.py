import json
from pathlib import Path

from benchmarks.world import World, write_sources

from veridic.domain.document import Document
from veridic.evidence.passages import split_passages


def test_the_same_seed_writes_the_same_files(tmp_path: Path) -> None:
    for name in ("one", "other"):
        assert list(write_sources(tmp_path / name, 6003, seed=7)) == [5000, 6003]
    one, other = (sorted((tmp_path / name).iterdir()) for name in ("one", "other"))
    assert [file.name for file in one] == [file.name for file in other]
    assert [file.read_bytes() for file in one] == [file.read_bytes() for file in other]


def test_another_seed_writes_other_text() -> None:
    assert World(1).prose(200) != World(2).prose(200)


def test_sources_make_as_many_passages_as_were_asked_for(tmp_path: Path) -> None:
    list(write_sources(tmp_path / "sources", 503))
    rows = [
        json.loads(line)
        for file in (tmp_path / "sources").iterdir()
        for line in file.read_text(encoding="utf-8").splitlines()
    ]
    documents = [Document(text=row["text"], source="row", title=row["title"]) for row in rows]
    assert sum(len(list(split_passages(document))) for document in documents) == 503


def test_claims_are_distinct_and_about_corpus_towns() -> None:
    claims = World().claims(100)
    assert claims == World().claims(100)
    assert len(set(claims)) == 100


def test_prose_has_the_length_asked_for() -> None:
    assert 500 <= len(World().prose(500).split()) < 600
