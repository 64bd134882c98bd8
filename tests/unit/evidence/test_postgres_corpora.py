"""What corpora in a PostgreSQL database do besides what all corpora do."""

from collections.abc import Iterable
from itertools import islice
from pathlib import Path

import psycopg
import pytest
from tests.postgres_server import PASSWORD, PostgresServer

from veridic.domain.document import Document
from veridic.domain.errors import StorageError, UsageError
from veridic.domain.evidence import Passage
from veridic.evidence.build import CorpusItem
from veridic.evidence.corpus import Corpora, Corpus
from veridic.evidence.index import QueryTerm
from veridic.evidence.postgres import close_connections
from veridic.evidence.query import make_questions
from veridic.evidence.reference import factbook_passages
from veridic.store import maintenance

FACT = [QueryTerm("fact")]
TWO_DAYS_AGO = "now() - interval '2 days'"


def item(key: str, text: str) -> CorpusItem:
    return CorpusItem(key, text, lambda: [Document(text=text, source=key)])


def texts(corpus: Corpus) -> list[str]:
    return sorted(found.text for found in corpus.search(FACT, 100))


def run(database: str, statement: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(statement.encode())


def count(database: str, table: str) -> int:
    with psycopg.connect(database) as connection:
        row = connection.execute(f"SELECT count(*) FROM {table}".encode()).fetchone()
    assert row is not None
    return int(row[0])


def test_passages_are_ranked_as_in_files(database: str, tmp_path: Path) -> None:
    passages = list(islice(factbook_passages(), 0, 12_000, 40))

    def ranked(place: Path | str) -> list[list[tuple[str, float]]]:
        corpora = Corpora(place)
        corpora.add_passages("desk", "1", lambda: passages)
        corpus = corpora.open("desk")
        questions = [terms for one in passages[::20] for terms in make_questions(one.text)]
        return [rounded(corpus.search(terms, 10)) for terms in questions]

    def rounded(found: Iterable[Passage]) -> list[tuple[str, float]]:
        # Among equals, either index may have either first.
        return sorted((one.id, round(one.score, 2)) for one in found)

    in_files, in_database = ranked(tmp_path), ranked(database)

    alike = [one for one, other in zip(in_files, in_database, strict=True) if one == other]
    assert len(alike) >= 0.95 * len(in_files)


def test_what_was_replaced_is_deleted_after_a_day(database: str) -> None:
    corpora = Corpora(database)
    corpora.add("desk", [item("/a", "Fact one."), item("/b", "Fact two.")])
    opened = corpora.open("desk")
    corpora.add("desk", [item("/a", "Fact 1.")])
    assert texts(opened) == ["Fact one.", "Fact two."]
    assert count(database, "corpus_passages") == 3

    run(database, f"UPDATE corpus_passages SET ended = {TWO_DAYS_AGO} WHERE ended IS NOT NULL")
    corpora.add("desk", [item("/c", "Fact three.")])

    assert texts(corpora.open("desk")) == ["Fact 1.", "Fact three.", "Fact two."]
    assert count(database, "corpus_passages") == 3
    with pytest.raises(StorageError, match="more than a day ago"):
        texts(opened)


def test_a_removed_corpus_is_deleted_after_a_day(database: str) -> None:
    corpora = Corpora(database)
    corpora.add("desk", [item("/a", "Fact one.")])
    opened = corpora.open("desk")
    corpora.remove("desk")
    assert texts(opened) == ["Fact one."]

    run(database, f"UPDATE corpora SET removed = {TWO_DAYS_AGO}")
    corpora.add("other", [item("/a", "Fact two.")])

    assert (count(database, "corpora"), count(database, "corpus_passages")) == (1, 1)
    with pytest.raises(StorageError, match="more than a day ago"):
        texts(opened)


def test_a_schema_of_its_own(database: str) -> None:
    run(database, "CREATE SCHEMA desk")
    url = f"{database}?options=-csearch_path%3Ddesk"
    Corpora(url).add("desk", [item("/a", "Fact one.")])

    assert count(database, "desk.corpora") == 1
    assert Corpora(database).names() == []
    close_connections(url)


def test_checks_and_corpora_share_a_database(database: str) -> None:
    Corpora(database).add("desk", [item("/a", "Fact one.")])

    maintenance.upgrade(database)

    maintenance.read_state(database)
    assert Corpora(database).names() == ["desk"]


def test_a_corpus_of_another_version_can_be_removed(database: str) -> None:
    corpora = Corpora(database)
    corpora.add("desk", [item("/a", "Fact one.")])
    run(database, "UPDATE corpora SET format = 0")

    with pytest.raises(StorageError, match=r"another version of Veridic.*veridic corpus remove desk"):
        corpora.open("desk")
    assert corpora.list()[0].problem
    corpora.remove("desk")
    corpora.add("desk", [item("/a", "Fact two.")])

    assert texts(corpora.open("desk")) == ["Fact two."]


@pytest.mark.parametrize(
    "url", ["mysql://db.example/x", "postgresql://db.example", "nonsense", "postgresql://:s3cret@["]
)
def test_an_address_that_names_no_postgresql_database_is_refused(url: str) -> None:
    with pytest.raises(UsageError, match="VERIDIC_CORPORA_URL should look like postgresql") as error:
        Corpora(url)
    assert "s3cret" not in str(error.value)


def test_unreachable_server_error_hides_the_password() -> None:
    with pytest.raises(StorageError, match=r"postgresql://me:\*\*\*@.*check the server") as error:
        Corpora("postgresql://me:s3cret@127.0.0.1:1/desk").names()
    assert "s3cret" not in str(error.value)
    assert "\n" not in str(error.value)


def test_a_database_of_another_encoding_is_refused(postgres: PostgresServer) -> None:
    url = postgres.create(encoding="LATIN1")
    with pytest.raises(StorageError, match=r"LATIN1.*must be UTF8") as error:
        Corpora(url).names()
    assert PASSWORD not in str(error.value)
    close_connections(url)
