import threading
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest

from veridic.domain.dates import PartialDate
from veridic.domain.document import Block, BlockKind, Document
from veridic.domain.errors import InputError, NotFoundError, StorageError, UsageError
from veridic.domain.evidence import Passage, Source
from veridic.evidence.build import CorpusItem
from veridic.evidence.corpus import Corpora
from veridic.evidence.index import QueryTerm, Within
from veridic.evidence.storage import DamagedIndexError

FACT = [QueryTerm("fact")]


class Reader:
    """Creates items and records which were read."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def item(self, key: str, text: str) -> CorpusItem:
        def load() -> list[Document]:
            self.read.append(key)
            return [Document(text=text, source=key)]

        return CorpusItem(key, text, load)


@pytest.fixture
def corpora(place: Path | str) -> Corpora:
    return Corpora(place, wait=0.2)


@pytest.fixture
def own_corpora(tmp_path: Path) -> Corpora:
    return Corpora(tmp_path, wait=0.2)


def texts(corpora: Corpora, name: str = "desk") -> list[str]:
    return sorted(found.text for found in corpora.open(name).search(FACT, 100))


def test_only_new_or_changed_items_are_read(corpora: Corpora) -> None:
    reader = Reader()
    corpora.add("desk", [reader.item("/a/1", "Fact one."), reader.item("/a/2", "Fact two.")])
    reader.read.clear()
    added = corpora.add("desk", [reader.item("/a/1", "Fact one."), reader.item("/a/2", "Fact 2 is new.")])
    assert reader.read == ["/a/2"]
    assert (added.read, added.unchanged, added.dropped, added.passages) == (1, 1, 0, 2)
    assert texts(corpora) == ["Fact 2 is new.", "Fact one."]


def test_unchanged_corpus_is_not_written(corpora: Corpora) -> None:
    items = [Reader().item("/a/1", "Fact one.")]
    corpora.add("desk", items)
    before = corpora.list()
    assert corpora.add("desk", items).unchanged == 1
    assert corpora.list() == before


def test_deleted_files_are_dropped_other_folders_kept(corpora: Corpora) -> None:
    reader = Reader()
    corpora.add(
        "desk", [reader.item("/a/1", "Fact one."), reader.item("/a/2", "Fact two.")], within=[Path("/a")]
    )
    corpora.add("desk", [reader.item("/b/1", "Fact three.")], within=[Path("/b")])
    assert texts(corpora) == ["Fact one.", "Fact three.", "Fact two."]
    added = corpora.add("desk", [reader.item("/a/2", "Fact two.")], within=[Path("/a")])
    assert added.dropped == 1
    assert texts(corpora) == ["Fact three.", "Fact two."]


def test_unreadable_item_is_reported_and_rest_read(corpora: Corpora) -> None:
    def fail() -> list[Document]:
        raise InputError("It is broken.")

    items = [CorpusItem("/a/bad", "1", fail), Reader().item("/a/1", "Fact one.")]
    added = corpora.add("desk", items)
    assert added.failures == {"/a/bad": "It is broken."}
    assert texts(corpora) == ["Fact one."]
    again = corpora.add("desk", items)
    assert again.failures == added.failures, "said again, without reading it again"


def test_item_failing_halfway_leaves_nothing(corpora: Corpora) -> None:
    def break_halfway() -> Iterator[Document]:
        yield Document(text="Fact half.", source="/a/bad")
        raise InputError("It ends early.")

    corpora.add("desk", [CorpusItem("/a/bad", "1", break_halfway), Reader().item("/a/1", "Fact one.")])
    assert texts(corpora) == ["Fact one."]


def test_changed_unreadable_item_loses_old_passages(corpora: Corpora) -> None:
    def fail() -> list[Document]:
        raise InputError("It is broken.")

    corpora.add("desk", [Reader().item("/a/1", "Fact one."), Reader().item("/a/2", "Fact two.")])
    corpora.add("desk", [CorpusItem("/a/1", "new", fail)])
    assert texts(corpora) == ["Fact two."]


def test_unreadable_files_alone_create_no_corpus(corpora: Corpora) -> None:
    def fail() -> list[Document]:
        raise InputError("It is broken.")

    assert corpora.add("desk", [CorpusItem("/a", "1", fail)]).passages == 0
    assert corpora.names() == []


def test_passages_have_source_and_heading(corpora: Corpora) -> None:
    text = "Economy\n\nA fact of 2020."
    blocks = (
        Block(kind=BlockKind.HEADING, runs=((0, 7),)),
        Block(kind=BlockKind.PARAGRAPH, runs=((9, len(text)),)),
    )
    document = Document(
        text=text,
        source="/a/page.html",
        blocks=blocks,
        title="Report",
        author="A. Writer",
        published=PartialDate(2021),
        url="https://example.com/r",
        domain="example.com",
    )
    corpora.add("desk", [CorpusItem("/a/page.html", "1", lambda: [document])])
    (found,) = corpora.open("desk").search(FACT, 5)
    assert (found.text, found.start, found.end) == ("A fact of 2020.", 9, len(text))
    source = found.source
    assert (source.title, source.author, source.url) == (
        "Report › Economy",
        "A. Writer",
        "https://example.com/r",
    )
    assert (source.domain, str(source.date), source.found_in) == ("example.com", "2021", "desk")
    assert corpora.open("desk").search(FACT, 5, Within(until=date(2020, 12, 31))) == []


@pytest.mark.parametrize(
    "name", ["", "../up", "a/b", ".hidden", "UPPER", "a b", "-x", "x" * 65, "a\0b", "å", "a\n"]
)
def test_invalid_names_are_refused(corpora: Corpora, name: str) -> None:
    with pytest.raises(UsageError, match="can't name a corpus"):
        corpora.add(name, [])
    assert not corpora.exists(name)
    with pytest.raises(NotFoundError):
        corpora.open(name)


def test_unknown_name_lists_known_ones(corpora: Corpora) -> None:
    corpora.add("desk", [Reader().item("/a", "Fact.")])
    corpora.add("archive", [Reader().item("/a", "Fact.")])
    for call in (corpora.open, corpora.remove):
        with pytest.raises(NotFoundError, match="archive, desk"):
            call("dekk")


def test_list_and_remove(corpora: Corpora) -> None:
    corpora.add("desk", [Reader().item("/a", "Fact one. \n\nFact two.")])
    (info,) = corpora.list()
    assert (info.name, info.items, info.documents, info.passages, info.problem) == ("desk", 1, 1, 2, None)
    corpora.remove("desk")
    assert corpora.list() == []
    assert not corpora.exists("desk")
    corpora.add("desk", [Reader().item("/a", "Fact again.")])
    assert texts(corpora) == ["Fact again."]


def test_open_corpus_survives_change_and_removal(corpora: Corpora) -> None:
    corpora.add("desk", [Reader().item("/a", "Fact one.")])
    opened = corpora.open("desk")
    corpora.add("desk", [Reader().item("/a", "Fact two.")])
    assert [found.text for found in opened.search(FACT, 5)] == ["Fact one."]
    corpora.remove("desk")
    assert [found.text for found in opened.search(FACT, 5)] == ["Fact one."]


def passages(*words: str) -> Callable[[], list[Passage]]:
    source = Source(title="Library", channel="reference", url="https://example.com")
    return lambda: [Passage(id=w, source=source, text=f"Fact {w}.", start=0, end=1) for w in words]


def test_passages_are_rewritten_if_fingerprint_changes(corpora: Corpora) -> None:
    def never() -> list[Passage]:
        raise AssertionError("not asked for")

    corpora.add_passages("reference", "v1", passages("one", "two"))
    corpora.add_passages("reference", "v1", never)
    assert texts(corpora, "reference") == ["Fact one.", "Fact two."]
    corpora.add_passages("reference", "v2", passages("three"))
    assert texts(corpora, "reference") == ["Fact three."]


DAMAGE: list[Callable[[Path], object]] = [
    lambda folder: (folder / "current").write_bytes(b"{"),
    lambda folder: (folder / "current").write_bytes(b'{"generation": "../../x", "manifest": "0"}'),
    lambda folder: next(folder.glob("0*/manifest.json")).write_bytes(b"{}"),
    lambda folder: next(folder.glob("0*/index/meta.json")).write_bytes(b"{}"),
    lambda folder: next(folder.glob("0*/index/*.store")).unlink(),
    lambda folder: next(folder.glob("0*/index/*.term")).write_bytes(b""),
    lambda folder: next(folder.glob("0*/items.json")).write_bytes(b"[]"),
]


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_is_reported_and_corpus_removable(
    own_corpora: Corpora, tmp_path: Path, damage: Callable[[Path], object]
) -> None:
    corpora = own_corpora
    corpora.add("desk", [Reader().item("/a", "Fact one.")])
    damage(tmp_path / "desk")
    with pytest.raises(DamagedIndexError, match="veridic corpus remove desk"):
        corpora.open("desk")
    with pytest.raises(DamagedIndexError):
        corpora.add("desk", [Reader().item("/b", "Fact two.")])
    assert corpora.list()[0].problem
    corpora.remove("desk")
    corpora.add("desk", [Reader().item("/b", "Fact two.")])
    assert texts(corpora) == ["Fact two."]


def test_damaged_library_is_rewritten(own_corpora: Corpora, tmp_path: Path) -> None:
    corpora = own_corpora
    corpora.add_passages("reference", "v1", passages("one"))
    next((tmp_path / "reference").glob("0*/index/*.store")).unlink()
    corpora.add_passages("reference", "v1", passages("one"))
    assert texts(corpora, "reference") == ["Fact one."]


def test_second_writer_is_refused_first_unaffected(corpora: Corpora) -> None:
    said: list[str] = []

    def load() -> list[Document]:
        def second() -> None:
            with pytest.raises(StorageError) as error:
                corpora.add("desk", [Reader().item("/b", "Fact two.")])
            said.append(str(error.value))

        thread = threading.Thread(target=second)
        thread.start()
        thread.join()
        return [Document(text="Fact one.", source="/a")]

    corpora.add("desk", [CorpusItem("/a", "1", load)])
    assert texts(corpora) == ["Fact one."]
    assert len(said) == 1 and "Another process is writing" in said[0] and "try again" in said[0]


def test_home_that_is_a_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    with pytest.raises(StorageError, match="VERIDIC_HOME"):
        Corpora(tmp_path / "home" / "corpora").add("desk", [Reader().item("/a", "Fact.")])


def test_reader_bug_leaves_corpus_unchanged(corpora: Corpora) -> None:
    def bug() -> list[Document]:
        raise RuntimeError("a bug")

    corpora.add("desk", [Reader().item("/a", "Fact one.")])
    with pytest.raises(RuntimeError):
        corpora.add("desk", [CorpusItem("/b", "1", bug)])
    assert texts(corpora) == ["Fact one."]
    corpora.add("desk", [Reader().item("/b", "Fact two.")])
    assert texts(corpora) == ["Fact one.", "Fact two."]


def named(key: str, name: str, text: str) -> CorpusItem:
    return CorpusItem(key, text, lambda: [Document(text=text, source=name)], name)


def test_no_two_documents_of_a_corpus_share_a_name(corpora: Corpora) -> None:
    corpora.add("desk", [named("/a", "notes.txt", "Fact one."), named("/b", "notes.txt", "Fact two.")])
    corpora.add("desk", [named("/c", "notes.txt", "Fact three."), named("/a", "notes.txt", "Fact 1.")])

    assert [one.name for one in corpora.documents("desk")] == ["notes (2).txt", "notes (3).txt", "notes.txt"]
    texts_of = {one.name: corpora.text_of("desk", one.name)[0] for one in corpora.documents("desk")}
    assert {name: (one.text, one.source.path) for name, one in texts_of.items()} == {
        "notes.txt": ("Fact 1.", "notes.txt"),
        "notes (2).txt": ("Fact two.", "notes (2).txt"),
        "notes (3).txt": ("Fact three.", "notes (3).txt"),
    }


def test_same_name_in_two_corpora_is_two_sources(corpora: Corpora) -> None:
    for corpus in ("desk", "archive"):
        corpora.add(corpus, [named("/a", "notes.txt", f"A fact of the {corpus}.")])

    places = {corpora.text_of(corpus, "notes.txt")[0].source.location for corpus in ("desk", "archive")}

    assert len(places) == 2


def test_files_indexed_before_they_had_names_get_one(corpora: Corpora) -> None:
    corpora.add("desk", [CorpusItem("/home/me/a.txt", "Fact.", lambda: [Document(text="Fact.", source="/home/me/a.txt")])])  # fmt: skip
    assert [one.name for one in corpora.documents("desk")] == ["a.txt"]

    added = corpora.add("desk", [named("/home/me/a.txt", "a.txt", "Fact.")])

    assert added.read == 1
    assert [passage.source.path for passage in corpora.text_of("desk", "a.txt")] == ["a.txt"]


def test_documents_sent_at_the_same_time_are_all_kept(place: Path | str) -> None:
    corpora = Corpora(place, wait=60)
    corpora.create("desk")
    senders = [
        threading.Thread(target=corpora.add, args=("desk", [named(f"/{n}", "notes.txt", f"Fact {n}.")]))
        for n in range(8)
    ]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()

    assert len({one.name for one in corpora.documents("desk")}) == 8
    assert len(texts(corpora)) == 8


def test_a_document_is_taken_out_and_others_stay(corpora: Corpora) -> None:
    corpora.add("desk", [named("/a", "a.txt", "Fact one."), named("/b", "b.txt", "Fact two.")])

    assert corpora.drop("desk", ["a.txt", "never there"]) == 1

    assert texts(corpora) == ["Fact two."]
    with pytest.raises(NotFoundError, match="no document named"):
        corpora.text_of("desk", "a.txt")
