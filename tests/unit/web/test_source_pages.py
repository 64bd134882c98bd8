"""The pages of own sources over HTTP, and the links that lead to them."""

import re
from collections.abc import Iterator
from html import unescape

import pytest
from fastapi.testclient import TestClient

from veridic.config.settings import Settings
from veridic.domain.evidence import Passage, Source
from veridic.engine.own_sources import SentFile, add_files, add_text, create_corpus
from veridic.evidence.corpus import Corpora
from veridic.web.app import create_web_app
from veridic.web.source_links import document_link, passage_link
from veridic.web.source_views import set_name

_PAGE = {"accept": "text/html"}
_ROWS = b'{"text": "The first row.", "title": "One"}\n{"text": "The second row.", "title": "Two", "url": "https://www.reuters.com/x"}\n'


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Settings, TestClient]]:
    settings = Settings(home=tmp_path_factory.mktemp("server") / "private-home", max_document_bytes=1000)
    app = create_web_app(settings)
    with TestClient(app, base_url="http://127.0.0.1", headers=_PAGE, follow_redirects=False) as client:
        yield settings, client


@pytest.fixture
def settings(server: tuple[Settings, TestClient]) -> Iterator[Settings]:
    """The settings of a server with one set, which is empty."""
    settings, _ = server
    create_corpus("harbour", settings)
    yield settings
    if Corpora(settings.corpora).exists("harbour"):
        Corpora(settings.corpora).remove("harbour")


@pytest.fixture
def client(server: tuple[Settings, TestClient]) -> TestClient:
    return server[1]


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Harbour story", "harbour-story"),
        ("  Café & Möwe 2026!  ", "cafe-mowe-2026"),
        ("../../etc/passwd", "etc-passwd"),
        ("_private-", "private"),
        ("x" * 100, "x" * 64),
        ("Гавань", ""),
        ("", ""),
    ],
)
def test_a_name_is_made_of_what_was_typed(typed: str, name: str) -> None:
    assert set_name(typed) == name


@pytest.mark.parametrize(
    ("source", "link"),
    [
        (Source(title="N", path="a b/no#tes?.txt", kept_in="harbour"), "/sources/harbour/a%20b%2Fno%23tes%3F.txt"),
        (Source(title="N", url="https://e.org/a?b=c", kept_in="harbour"), "/sources/harbour/https%3A%2F%2Fe.org%2Fa%3Fb%3Dc"),
        (Source(title="N", url="https://e.org/a", found_in="exa"), None),
        (Source(title="N", path="/home/me/notes.txt", found_in="notes"), None),
        (Source(title="The World Factbook", found_in="reference"), None),
    ],
)  # fmt: skip
def test_only_what_a_set_keeps_has_a_link(source: Source, link: str | None) -> None:
    passage = Passage(id="1a2b-1-12", source=source, text="T", start=0, end=1)

    assert document_link(source) == link
    assert passage_link(passage) == (f"{link}?at=1-12#passage" if link else None)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("notes.txt", b"The bridge is long. It is old.\n\nAnother paragraph.", "Another paragraph."),
        ("folder/a note #1?.txt", b"Words with a strange name.", "Words with a strange name."),
        ("rows.jsonl", _ROWS, "The second row."),
        ("paper.md", b"# Paper\n\n## Part one\n\nText one.\n\n## Part two\n\nText two.", "Text two."),
        (
            "<script>alert(1)</script>",
            b"<i>Hostile</i> &amp; more.",
            "&lt;i&gt;Hostile&lt;/i&gt; &amp;amp; more.",
        ),
    ],
)
def test_each_passage_is_marked_where_its_link_leads(
    client: TestClient, settings: Settings, name: str, content: bytes, words: str
) -> None:
    (added,) = add_files("harbour", [SentFile(name, content)], settings)
    passages = Corpora(settings.corpora).text_of("harbour", added.name)
    link = passage_link(passages[-1])
    assert link is not None

    page = client.get(link)

    assert page.status_code == 200
    assert f'<mark id="passage">{words}</mark>' in page.text
    assert page.text.count("<mark") == 1
    assert "private-home" not in page.text
    assert "<script>alert" not in page.text


def test_headings_stand_above_their_text_once(client: TestClient, settings: Settings) -> None:
    text = b"# Paper\n\nBefore.\n\n## Part one\n\nText one.\n\nMore of one.\n\n## Part two\n\nText two."
    add_files("harbour", [SentFile("paper.md", text)], settings)

    page = client.get("/sources/harbour/paper.md").text

    assert '<h1 dir="auto">Paper</h1>' in page
    assert page.count("Part one") == 1
    assert page.index("Before.") < page.index("Part one") < page.index("Text one.") < page.index("Part two")


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/sources/nowhere", 404),
        ("/sources/nowhere/notes.txt", 404),
        ("/sources/harbour/nothing.txt", 404),
        ("/sources/..%2f..%2fetc/passwd", 404),
        ("/sources/harbour/..%2f..%2fveridic.db", 404),
        ("/sources/harbour/%2Fetc%2Fpasswd", 404),
        ("/sources/reference", 404),
        ("/sources/reference/anything", 404),
        ("/sources/harbour/notes?part=0", 400),
        ("/sources/harbour/notes?part=999&at=%00%3Cscript%3E", 200),
        ("/sources/harbour?page=99", 200),
        ("/sources/harbour?remove=1", 200),
        ("/sources/nowhere?remove=1", 404),
    ],
)
def test_every_address_has_an_answer(client: TestClient, settings: Settings, path: str, status: int) -> None:
    add_text("harbour", "The board met.", "notes", settings)

    page = client.get(path)

    assert page.status_code == status
    assert "private-home" not in page.text


@pytest.mark.parametrize(
    ("path", "fields", "sentence"),
    [
        ("/sources", {"name": "!!"}, "Give the set a name with letters"),
        ("/sources", {"name": "Harbour"}, "There is a set named harbour already"),
        ("/sources", {"name": "reference"}, "built-in reference library"),
        ("/sources/harbour", {}, "Choose files, paste a text or give addresses"),
        ("/sources/harbour", {"urls": "ftp://e.org/x"}, "begins with http:// or https://"),
        ("/sources/harbour", {"text": "x" * 1001}, "larger than 1,000 bytes"),
    ],
)
def test_a_mistake_is_said_and_what_was_typed_is_kept(
    client: TestClient, settings: Settings, path: str, fields: dict[str, str], sentence: str
) -> None:
    page = client.post(path, data=fields)

    assert page.status_code in (400, 409, 413)
    assert sentence in page.text
    assert fields.get("urls", "") in page.text
    assert fields.get("text", "") in page.text


def test_a_damaged_set_is_listed_with_its_problem_and_can_be_removed(
    client: TestClient, settings: Settings
) -> None:
    (settings.own_corpora / "harbour" / "current").write_text("garbage")

    page = client.get("/sources")

    assert page.status_code == 200
    assert "unreadable" in page.text
    assert str(settings.home) not in page.text
    assert client.get("/sources/harbour").status_code == 503
    assert client.post("/sources/harbour/delete").status_code == 303
    assert Corpora(settings.corpora).names() == []


def test_the_page_of_a_check_leads_to_the_cited_passage(client: TestClient, settings: Settings) -> None:
    add_text("harbour", "The harbour bridge was opened in 1932.", "Notes", settings)
    started = client.post(
        "/api/checks", json={"text": "The harbour bridge was opened in 1942.", "against": ["harbour"]}
    )
    run_id = started.json()["id"]
    client.get(f"/api/checks/{run_id}/events")  # ends with the run

    page = client.get(f"/checks/{run_id}").text

    links = set(re.findall(r'href="(/sources/harbour/[^"]+#passage)"', page))
    assert len(links) == 1
    opened = client.get(unescape(links.pop())).text
    assert re.search(r'id="passage"[^>]*>\s*The harbour bridge was opened in 1932', opened)
