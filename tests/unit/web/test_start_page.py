"""The start page over HTTP: what is offered, what will be asked, own sources for one check."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from veridic.config.settings import Settings
from veridic.engine.own_sources import add_text, create_corpus
from veridic.evidence.corpus import Corpora
from veridic.web.app import create_web_app
from veridic.web.forms import MOST_PASTED

_PAGE = {"accept": "text/html"}
_TEXT = "The Tarn Bridge is 300 metres long. It was opened in 1932."


def _client(settings: Settings) -> TestClient:
    return TestClient(
        create_web_app(settings), base_url="http://127.0.0.1", headers=_PAGE, follow_redirects=False
    )


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path / "private-home")


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    with _client(settings) as client:
        yield client


def _line(page: str) -> str:
    return " ".join(page.split('id="asked"')[1].split("<p>")[1].split("</p>", maxsplit=1)[0].split())


@pytest.mark.parametrize(
    ("known", "said", "unsaid"),
    [
        ({}, "No web search and no language model are set up", "Estimate the cost"),
        ({"search": "wikipedia"}, "No language model is set up", "No web search"),
        ({"openrouter_api_key": "k"}, "No web search is set up", "No language model"),
        ({"openrouter_api_key": "k", "search": "wikipedia"}, "Estimate the cost", "set-up"),
    ],
)
def test_the_page_says_what_is_not_set_up(
    tmp_path: Path, known: dict[str, Any], said: str, unsaid: str
) -> None:
    with _client(Settings(home=tmp_path, **known)) as client:
        page = client.get("/").text

    assert said in page
    assert unsaid not in page
    assert ('<textarea class="short" id="question"' in page) is ("openrouter_api_key" in known)


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"against": "reference"}, "Thorough check by the embedded engine, against the built-in library. Free, and nothing leaves this server."),
        ({"against": "harbour", "mode": "summary"}, "Summary check by the embedded engine, against harbour. Free, and nothing leaves this server."),
        ({"against": "harbour", "text": _TEXT}, "Thorough check by the embedded engine, against harbour. 2 claims: free, and nothing leaves this server."),
        ({"mode": "consensus"}, "Consensus check by the embedded engine, with no sources, from what the checkers know. Free, and nothing leaves this server."),
    ],
)  # fmt: skip
def test_what_will_be_asked_is_one_line(
    client: TestClient, settings: Settings, fields: dict[str, str], line: str
) -> None:
    create_corpus("harbour", settings)

    page = client.post("/estimate", data=fields)

    assert page.status_code == 200
    assert _line(page.text) == line
    assert client.get("/api/checks").json()["checks"] == []


def test_models_and_searches_are_named_with_the_likely_cost(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, openrouter_api_key="k", exa_api_key="k", validator_model="openai/o3")
    with _client(settings) as client:
        before = _line(client.get("/").text)
        after = _line(client.post("/estimate", data={"text": _TEXT}).text)

    assert before.endswith(
        "against the web (exa) and the built-in library. What it costs depends on the text."
    )
    assert "openai/o3" in before
    assert "Likely $0." in after
    assert "2 claims" in after
    assert "8 searches" in after


def test_a_text_of_megabytes_is_stopped_and_not_sent_back(client: TestClient) -> None:
    page = client.post("/", data={"text": "w" * (MOST_PASTED + 1)})

    assert page.status_code == 400
    assert "The text has 1,000,001 characters, and at most 1,000,000 can be pasted" in page.text
    assert len(page.text) < 50_000


def test_a_set_is_made_with_the_check_and_ticked_afterwards(client: TestClient, settings: Settings) -> None:
    files = [
        ("sources", ("bridge.txt", b"The Tarn Bridge is 412 metres long.")),
        ("sources", ("scan.bin", b"\0\1" * 99)),
    ]
    fields = {"text": _TEXT, "engine": "embedded", "new_set": "Harbour story"}

    started = client.post("/", data=fields, files=files)

    assert started.status_code == 303
    assert [one.name for one in Corpora(settings.corpora).documents("harbour-story")] == [
        "bridge.txt",
        "scan.bin",
    ]
    taken = client.post("/", data=fields, files=files)
    assert (taken.status_code, 'id="new_set-mistake"' in taken.text) == (409, True)
    other = client.post("/", data={**fields, "new_set": "other", "as_of": "never"}, files=files)
    assert (other.status_code, Corpora(settings.corpora).exists("other")) == (400, False)


def test_files_of_which_none_can_be_read_start_nothing(client: TestClient, settings: Settings) -> None:
    page = client.post("/", data={"text": _TEXT}, files=[("sources", ("scan.bin", b"\0\1" * 99))])

    assert page.status_code == 400
    assert "None of the files to check against can be read: scan.bin is binary" in page.text
    assert Corpora(settings.corpora).names() == []


def test_a_set_can_be_ticked_by_the_address(client: TestClient, settings: Settings) -> None:
    create_corpus("harbour", settings)
    add_text("harbour", _TEXT, "notes", settings)

    page = client.get("/?against=harbour").text

    assert 'value="harbour" checked' in page
    assert 'value="reference" checked' not in page


def test_settings_are_open_only_where_something_is_wrong_in_them(client: TestClient) -> None:
    assert '<details class="settings">' in client.get("/").text
    assert '<details class="settings">' in client.post("/", data={"given": "url", "url": "x"}).text
    assert '<details class="settings" open>' in client.post("/", data={"text": "A", "as_of": "never"}).text
