"""The routes under `/api/corpora`, over HTTP: who may send what, and what becomes of it."""

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from veridic.config.settings import Settings
from veridic.desk.accounts import Accounts
from veridic.domain.people import LOCAL_USER, Role
from veridic.engine import own_sources
from veridic.engine.own_sources import add_addresses, create_corpus
from veridic.evidence.corpus import Corpora
from veridic.providers.fetch.fake import FakeFetcher, Reply
from veridic.store.runs import RunStore
from veridic.web.app import create_web_app

FACT = b"The Tarn Bridge is 412 metres long. It was opened in 1932."


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    home = tmp_path_factory.mktemp("server") / "private-home"
    return Settings(home=home, max_document_bytes=20_000, api_max_request_bytes=60_000)


@pytest.fixture(scope="module")
def client(settings: Settings) -> Iterator[TestClient]:
    with TestClient(create_web_app(settings), base_url="http://127.0.0.1") as client:
        yield client


@pytest.fixture
def harbour(client: TestClient, settings: Settings) -> Iterator[str]:
    """Where documents are sent to a new corpus."""
    assert client.post("/api/corpora", json={"name": "harbour"}).status_code == 201
    yield "/api/corpora/harbour/documents"
    if Corpora(settings.corpora).exists("harbour"):
        Corpora(settings.corpora).remove("harbour")


def send(client: TestClient, path: str, *files: tuple[str, bytes]) -> list[dict[str, Any]]:
    response = client.post(path, files=[("file", file) for file in files])
    assert response.status_code == 200, response.text
    documents: list[dict[str, Any]] = response.json()["documents"]
    return documents


def names(client: TestClient, corpus: str = "harbour") -> list[str]:
    return [one["name"] for one in client.get(f"/api/corpora/{corpus}").json()["documents"]]


def zipped(name: str, content: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return buffer.getvalue()


def test_a_corpus_is_made_filled_checked_against_and_removed(client: TestClient, harbour: str) -> None:
    (sent,) = send(client, harbour, ("bridge.txt", FACT))
    assert sent == {"name": "bridge.txt", "outcome": "read", "passages": 1, "problem": None}
    body = {"text": "The Tarn Bridge is 300 metres long.", "against": ["harbour"], "engine": "embedded"}
    run = client.post("/api/checks", json=body).json()["id"]
    client.get(f"/api/checks/{run}/events")

    report = client.get(f"/api/checks/{run}/report").json()

    assert report["claims"][0]["verdict"] == "REFUTED"
    assert [(one["path"], one["found_in"]) for one in report["sources"]] == [("bridge.txt", "harbour")]
    assert client.delete("/api/corpora/harbour").status_code == 204
    assert client.get("/api/corpora/harbour").status_code == 404


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("empty.txt", b"", "empty.txt is empty"),
        ("picture.bin", bytes(range(256)) * 8, "picture.bin is binary"),
        ("bundle.zip", zipped("a.txt", FACT), "bundle.zip is an archive"),
        ("bomb.docx", zipped("word/document.xml", b"0" * 5_000_000), "bomb.docx"),
        ("torn.docx", b"PK\x03\x04 and no more", "torn.docx is a broken DOCX or ZIP file"),
        ("torn.pdf", b"%PDF-1.7 and no more", "torn.pdf"),
        ("old.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old.doc is an old or an encrypted Office file"),
        ("huge.txt", b"word " * 5_000, "huge.txt is larger than 20,000 bytes"),
        ("rows.jsonl", b"no json", "Line 1 of rows.jsonl is not valid JSON"),
    ],
)
def test_a_bad_file_costs_itself_and_says_why(
    client: TestClient, harbour: str, settings: Settings, name: str, content: bytes, problem: str
) -> None:
    bad, good = send(client, harbour, (name, content), ("bridge.txt", FACT))

    assert (bad["name"], bad["outcome"], bad["passages"]) == (name, "failed", 0)
    assert problem in bad["problem"]
    assert str(settings.home) not in bad["problem"]
    assert good["outcome"] == "read"
    kept = {one["name"]: one["failure"] for one in client.get("/api/corpora/harbour").json()["documents"]}
    assert kept == {"bridge.txt": None, name: bad["problem"]}


def test_the_rows_that_can_be_read_are_kept(client: TestClient, harbour: str) -> None:
    (sent,) = send(client, harbour, ("rows.jsonl", b'{"text": "The bridge is long."}\n{torn\n'))

    assert (sent["outcome"], sent["passages"]) == ("partly_read", 1)
    assert sent["problem"] == "Line 2 of rows.jsonl is not valid JSON in UTF-8."


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("../../../etc/passwd", "etc/passwd"),
        ("/etc/passwd", "etc/passwd"),
        ("C:\\Users\\me\\notes.txt", "C:/Users/me/notes.txt"),
        ("folder/notes.txt", "folder/notes.txt"),
        ("./.././.", "file 1"),
        ("a\x07\u202eb.txt", "ab.txt"),
        ("n" * 300 + ".txt", "n" * 196 + ".txt"),
        ("<img src=x onerror=alert(1)>.txt", "<img src=x onerror=alert(1)>.txt"),
    ],
)
def test_a_name_leads_nowhere(
    client: TestClient, harbour: str, settings: Settings, given: str, kept: str
) -> None:
    (sent,) = own_sources.add_files("harbour", [own_sources.SentFile(given, FACT)], settings)

    assert sent.name == kept
    assert names(client) == [kept]
    assert [path.name for path in settings.home.parent.iterdir()] == ["private-home"]


def test_same_name_files_are_kept_and_duplicates_once(client: TestClient, harbour: str) -> None:
    first = send(client, harbour, ("notes.txt", b"The first."), ("notes.txt", b"The second."))
    again = send(client, harbour, ("notes.txt", b"The second."), ("notes.txt", b"The third."))

    assert [(one["name"], one["outcome"]) for one in (*first, *again)] == [
        ("notes.txt", "read"),
        ("notes (2).txt", "read"),
        ("notes (2).txt", "unchanged"),
        ("notes (3).txt", "read"),
    ]
    assert client.delete(f"{harbour}/notes (2).txt").status_code == 204
    assert client.delete(f"{harbour}/notes (2).txt").status_code == 404
    assert names(client) == ["notes (3).txt", "notes.txt"]


def test_a_pasted_text_has_its_title_for_a_name(client: TestClient, harbour: str) -> None:
    titled = client.post(harbour, json={"text": "The board met.", "title": "Minutes of May"})
    client.post(harbour, json={"text": "The board parted."})

    assert titled.json()["documents"][0]["name"] == "Minutes of May"
    assert names(client)[0] == "Minutes of May"
    assert names(client)[1].startswith("Pasted text of 20")


def test_page_is_refreshed_or_kept(settings: Settings) -> None:
    create_corpus("pages", settings)
    page, missing = "https://example.org/a", "https://example.org/gone"
    replies = {page: Reply(b"The bridge is 412 metres long.", "text/plain")}
    web = FakeFetcher(replies, settings)
    first = add_addresses("pages", [page, missing], settings, web)
    replies[page] = Reply(b"The bridge is 415 metres long.", "text/plain")
    second = add_addresses("pages", [page], settings, web)
    replies.clear()
    third = add_addresses("pages", [page], settings, web)

    assert [(one.name, one.outcome) for one in first] == [(page, "read"), (missing, "failed")]
    assert [one.outcome for one in (*second, *third)] == ["read", "failed"]
    (passage,) = Corpora(settings.corpora).text_of("pages", page)
    assert "415 metres" in passage.text
    assert (passage.source.url, passage.source.path) == (page, None)


@pytest.mark.parametrize(
    ("path", "body", "status", "sentence"),
    [
        ("", {"name": "../up"}, 400, "can't name a corpus"),
        ("", {"name": "Harbour Story"}, 400, "can't name a corpus"),
        ("", {"name": "reference"}, 400, "built-in reference library"),
        ("", {"name": "harbour"}, 409, "already"),
        ("", {}, 400, "name is required"),
        ("/nowhere/documents", {"text": "A text."}, 404, "no corpus named 'nowhere'"),
        ("/reference/documents", {"text": "A text."}, 400, "built-in reference library"),
        ("/..%2Fup/documents", {"text": "A text."}, 404, ""),
        ("/harbour/documents", {}, 400, "either text or urls"),
        ("/harbour/documents", {"text": "A", "urls": ["https://example.org"]}, 400, "either text or urls"),
        ("/harbour/documents", {"text": "w" * 20_001}, 413, "larger than 20,000 bytes"),
        ("/harbour/documents", {"urls": ["/etc/passwd"]}, 400, "begins with http:// or https://"),
        ("/harbour/documents", {"urls": ["https://e.org"] * 101}, 400, "urls"),
        ("/harbour/documents", {"text": "w" * 70_000}, 413, "larger than 60,000 bytes"),
    ],
)
def test_errors_are_one_sentence(
    client: TestClient, harbour: str, path: str, body: dict[str, Any], status: int, sentence: str
) -> None:
    response = client.post(f"/api/corpora{path}", json=body)

    assert response.status_code == status, response.text
    assert sentence in response.json()["error"]


def test_a_page_of_this_machine_is_not_fetched(client: TestClient, harbour: str) -> None:
    (sent,) = client.post(harbour, json={"urls": ["http://127.0.0.1:9/admin"]}).json()["documents"]

    assert sent["outcome"] == "failed"
    assert "127.0.0.1" in sent["problem"]


def test_a_set_and_a_request_hold_only_so_much(
    client: TestClient, harbour: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = client.post(harbour, files=[("file", (f"{n}.txt", FACT)) for n in range(101)])
    assert (many.status_code, "100" in many.json()["error"]) == (400, True)
    monkeypatch.setattr(own_sources, "MOST_DOCUMENTS", 2)
    send(client, harbour, ("a.txt", b"One."), ("b.txt", b"Two."))
    full = client.post(harbour, files=[("file", ("c.txt", b"Three."))])
    assert full.json() == {"error": "A set holds at most 2 documents, and 'harbour' has 2; make another set."}
    monkeypatch.setattr(own_sources, "MOST_PASSAGES", 1)
    monkeypatch.setattr(own_sources, "MOST_DOCUMENTS", 9)
    assert "as much text" in client.post(harbour, files=[("file", ("c.txt", b"Three."))]).json()["error"]


def test_the_built_in_library_stays(client: TestClient) -> None:
    assert client.delete("/api/corpora/reference").status_code == 400
    assert client.get("/api/corpora/reference").status_code == 404


@pytest.mark.parametrize(
    ("role", "makes", "sends", "drops", "removes"),
    [
        (Role.VIEWER, 403, 403, 403, 403),
        (Role.FACT_CHECKER, 201, 200, 403, 403),
        (Role.EDITOR, 201, 200, 204, 204),
        (Role.ADMIN, 201, 200, 204, 204),
    ],
)
def test_each_role_may_do_what_it_should(
    tmp_path: Path, role: Role, makes: int, sends: int, drops: int, removes: int
) -> None:
    settings = Settings(home=tmp_path)
    with RunStore(settings.database) as store:
        accounts = Accounts(store)
        accounts.add(LOCAL_USER, "chief", "correct horse battery", Role.ADMIN)
        accounts.add(LOCAL_USER, "someone", "correct horse battery", role)
        token = accounts.create_token(LOCAL_USER, "someone", "test")
    create_corpus("old", settings)
    own_sources.add_text("old", "The board met.", "minutes", settings)
    app = create_web_app(settings)
    with TestClient(app, headers={"Authorization": f"Bearer {token}"}) as client:
        assert client.get("/api/corpora/old").status_code == 200
        assert client.get("/sources/old/minutes").status_code == 200
        assert ("New set" in client.get("/sources").text) is (makes == 201)
        assert ("Remove" in client.get("/sources/old").text) is (removes == 204)
        assert ("not start any" in client.get("/").text) is (makes == 403)
        assert client.post("/api/corpora", json={"name": "new"}).status_code == makes
        assert client.post("/api/corpora/old/documents", json={"text": "More."}).status_code == sends
        assert client.delete("/api/corpora/old/documents/minutes").status_code == drops
        assert client.delete("/api/corpora/old").status_code == removes
