"""What is refused in a browser is a page in the app's own look; what a role may not do is not offered."""

from collections.abc import Iterator

import pytest
from pydantic import SecretStr
from tests.builders import make_document, sample_report
from tests.desk_site import DeskSite, desk_site

from veridic.store.runs import RunStore


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeskSite]:
    with desk_site(tmp_path_factory.mktemp("desk"), api_token=SecretStr("the-shared-secret")) as opened:
        yield opened


@pytest.fixture
def run_id(site: DeskSite) -> str:
    store: RunStore = site.client.app.state.runner.store  # type: ignore[attr-defined]
    begun = store.begin(make_document(), mode="thorough", engine="embedded")
    store.complete(begun, sample_report())
    return begun


REFUSED = [
    ("vic", "/", "A viewer may not do that."),
    ("vic", "/checks/{run_id}/again", "A viewer may not do that."),
    ("fay", "/checks/{run_id}/delete", "A fact checker may not do that."),
]


@pytest.mark.parametrize(("name", "path", "sentence"), REFUSED)
def test_a_refusal_is_a_page_with_a_way_back(
    site: DeskSite, run_id: str, name: str, path: str, sentence: str
) -> None:
    answer = site.post(name, path.format(run_id=run_id), {"given": "text", "text": "Canberra is a city."})

    assert (answer.status_code, answer.headers["content-type"]) == (403, "text/html; charset=utf-8")
    assert f">{sentence}</p>" in answer.text
    assert ('href="/account"' in answer.text) and name in answer.text
    back = f'href="/checks/{run_id}"' if "run_id" in path else 'href="/checks"'
    assert back in answer.text.partition("</header>")[2]


def test_programs_and_the_api_get_refusals_as_json(site: DeskSite, run_id: str) -> None:
    page = site.client.post("/", headers={**site.headers("vic"), "Accept": "application/json"})
    api = site.client.delete(f"/api/checks/{run_id}", headers={**site.headers("fay"), "Accept": "text/html"})

    assert (page.status_code, page.json()) == (403, {"error": "A viewer may not do that."})
    assert (api.status_code, api.json()) == (403, {"error": "A fact checker may not do that."})


def test_an_unexpected_error_is_a_page_too(site: DeskSite, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(RunStore, "search", fail)

    answer = site.get("vic", "/checks")

    assert (answer.status_code, answer.headers["content-type"]) == (500, "text/html; charset=utf-8")
    assert "Something went wrong on the server" in answer.text
    assert "a bug" not in answer.text


def test_a_viewer_is_not_offered_to_start_a_check(site: DeskSite, run_id: str) -> None:
    start = site.get("vic", "/").text
    check = site.get("vic", f"/checks/{run_id}").text

    assert '<button class="main" type="submit" disabled aria-describedby="no-right">' in start
    assert "Run again" not in check


@pytest.mark.parametrize(("name", "may"), [("vic", False), ("fay", False), ("eve", True)])
def test_deleting_is_offered_to_editors(site: DeskSite, run_id: str, name: str, may: bool) -> None:
    assert (f"/checks/{run_id}/delete" in site.get(name, f"/checks/{run_id}").text) is may
    assert site.get(name, f"/checks/{run_id}/delete").status_code == (200 if may else 403)
