"""The routes of the web pages, without a browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from tests.builders import make_document, sample_report

from veridic.config.settings import Settings
from veridic.consensus.stages import extract_stage
from veridic.domain.claim import ClaimType
from veridic.domain.consensus import ExtractedClaim
from veridic.domain.verdicts import Verdict
from veridic.reporting.wording import score_line
from veridic.runtime.runner import Runner
from veridic.store.progress import RunUpdate
from veridic.web.app import create_web_app
from veridic.web.sign_in import local_path

_PAGE = {"accept": "text/html"}


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    return Runner(Settings(home=tmp_path))


@pytest.fixture
def client(tmp_path: Path, runner: Runner) -> Iterator[TestClient]:
    app = create_web_app(Settings(home=tmp_path, api_starts_per_minute=1), runner)
    with TestClient(app, base_url="http://127.0.0.1", headers=_PAGE, follow_redirects=False) as client:
        yield client


def _saved(runner: Runner, title: str = "Notes") -> str:
    run_id = runner.store.begin(make_document(title=title), mode="thorough", engine="embedded")
    runner.store.complete(run_id, sample_report())
    return run_id


def test_runs_of_the_command_line_have_a_page(client: TestClient, runner: Runner) -> None:
    page = client.get(f"/checks/{_saved(runner)}")

    assert page.status_code == 200
    assert 'data-state="completed"' in page.text
    assert "Notes on Australia" in page.text
    assert "26.8 million" in page.text
    assert "<noscript>" not in page.text


def test_a_corrected_copy_has_what_was_chosen(client: TestClient, runner: Runner) -> None:
    run_id = _saved(runner)

    page = client.get(f"/checks/{run_id}/corrected?apply=2").text
    assert "26.8 million" in page
    file = client.get(f"/checks/{run_id}/corrected.txt?apply=2")
    assert file.headers["content-disposition"].startswith(f'attachment; filename="{run_id}-corrected.')
    assert "26.8 million" in file.text
    assert "26.8 million" not in client.get(f"/checks/{run_id}/corrected.txt?apply=1").text
    assert client.get("/checks/FC-2026-999999/corrected").status_code == 404


def test_without_a_score_it_says_how_many_claims_were_decided(client: TestClient, runner: Runner) -> None:
    report = sample_report().model_copy(update={"credibility_score": None})
    run_id = runner.store.begin(report.document, mode="thorough", engine="embedded")
    runner.store.complete(run_id, report)
    line = score_line(report)
    assert line == "5 of 7 claims decided, too few for a score"

    page, listed = client.get(f"/checks/{run_id}").text, client.get("/checks").text

    assert f'aria-label="{line}"' in page
    assert line in listed
    assert "eliability" not in page


def test_a_score_is_called_as_in_the_other_formats(client: TestClient, runner: Runner) -> None:
    name = f'aria-label="{score_line(sample_report()).capitalize()}"'
    assert "Credibility" in name

    assert name in client.get(f"/checks/{_saved(runner)}").text
    assert name in client.get("/checks").text


def test_filters_that_do_not_exist_are_ignored(client: TestClient, runner: Runner) -> None:
    run_id = _saved(runner)

    assert 'data-show="look"' in client.get(f"/checks/{run_id}?show=look").text
    assert 'data-show=""' in client.get(f"/checks/{run_id}?show=%22%3E%3Cscript%3E").text


def test_runs_of_one_text_are_compared(client: TestClient, runner: Runner) -> None:
    first, second = _saved(runner), _saved(runner)

    assert f"/checks/{second}/compare/{first}" in client.get(f"/checks/{second}/compare").text
    chosen = client.get(f"/checks/{second}/compare?with=%20{first.lower()}")
    assert chosen.headers["location"] == f"/checks/{second}/compare/{first}"
    assert "0 claims have another verdict" in client.get(chosen.headers["location"]).text
    away = client.get(f"/checks/{second}/compare?with=//evil.example/").headers["location"]
    assert away.startswith(f"/checks/{second}/compare/%2F%2F")


def test_a_claim_that_was_judged_otherwise_shows_both_verdicts(client: TestClient, runner: Runner) -> None:
    first, second = _saved(runner), runner.store.begin(make_document(), mode="thorough", engine="embedded")
    report = sample_report()
    changed = report.decisions[0].model_copy(update={"verdict": Verdict.REFUTED})
    runner.store.complete(
        second, report.model_copy(update={"decisions": (changed, *report.decisions[1:])})
    )

    page = client.get(f"/checks/{first}/compare/{second}")

    assert page.status_code == 200
    assert "1 claim has another verdict" in page.text
    assert '<use href="#icon-arrow"/>' in page.text


def test_a_run_without_an_order_can_not_be_made_again(client: TestClient, runner: Runner) -> None:
    answer = client.post(f"/checks/{_saved(runner)}/again")

    assert answer.status_code == 400
    assert "kept no order" in answer.text


def test_undecided_claims_of_a_failed_run_show_no_spinner(client: TestClient, runner: Runner) -> None:
    text = "The capital of Australia is Canberra."
    run = runner.store.begin_consensus("Is it so?", make_document(text), engine="llm")
    claim = ExtractedClaim(id="claim_1", claim=text, context=text, type=ClaimType.TECHNICAL)
    runner.store.add(run.run_id, RunUpdate(stages=[extract_stage("openai/o3", "CLAIM 1", [claim], 5)]))
    runner.store.fail(run.run_id, "All verification checkers failed.")

    page = client.get(f"/checks/{run.run_id}").text

    assert "being checked" not in page
    assert "spinner" not in page
    assert 'aria-label="Claim 1: not decided"' in page
    assert "The run ended before it was decided." in page


def test_404_is_a_page_or_json(client: TestClient) -> None:
    page = client.get("/checks/FC-2026-999999")

    assert page.status_code == 404
    assert "There is no run FC-2026-999999" in page.text
    assert page.headers["content-type"].startswith("text/html")
    assert client.get("/nowhere").status_code == 404
    assert client.get("/api/checks/FC-2026-999999").json()["error"].startswith("There is no run")
    assert client.get("/nowhere", headers={"accept": "*/*"}).json() == {
        "error": "There is nothing at /nowhere."
    }


def test_unknown_filters_are_ignored(client: TestClient, runner: Runner) -> None:
    run_id = _saved(runner)

    for query in ("state=x", "mode=%3Cscript%3E", "verdict=MAYBE", "state=completed&verdict=MISLEADING"):
        assert run_id in client.get(f"/checks?{query}").text
    assert run_id not in client.get("/checks?verdict=TRUE").text
    assert client.get("/checks?before=FC-2026-999999").status_code == 404


def test_older_runs_are_on_the_next_page(client: TestClient, runner: Runner) -> None:
    ids = [_saved(runner, f"Number {number}") for number in range(21)]

    first = client.get("/checks?mode=thorough")
    assert ids[0] not in first.text
    assert f"/checks?mode=thorough&amp;before={ids[1]}" in first.text

    second = client.get(f"/checks?mode=thorough&before={ids[1]}")
    assert ids[0] in second.text
    assert "Newest" in second.text


def test_deleting_asks_for_confirmation(client: TestClient, runner: Runner) -> None:
    run_id = _saved(runner)

    assert "Delete this check?" in client.get(f"/checks/{run_id}/delete").text
    assert client.post(f"/checks/{run_id}/delete").headers["location"] == "/checks"
    assert client.get(f"/checks/{run_id}").status_code == 404


def test_an_invalid_form_starts_nothing(client: TestClient) -> None:
    page = client.post("/", data={"given": "url", "url": "ftp://a.example/", "mode": "consensus"})

    assert page.status_code == 400
    assert 'id="url-mistake"' in page.text
    assert 'value="ftp://a.example/"' in page.text
    assert "Nothing has been checked yet" in client.get("/checks").text


def test_an_unreadable_file_is_reported_at_its_field(client: TestClient) -> None:
    page = client.post("/", data={"given": "file"}, files={"file": ("a.bin", b"\x00\x01\x02\xff" * 50)})

    assert page.status_code == 415
    assert 'id="file-mistake"' in page.text


@pytest.mark.parametrize("with_length", [True, False])
def test_a_large_request_gets_an_error_page(tmp_path: Path, with_length: bool) -> None:
    app = create_web_app(Settings(home=tmp_path, api_max_request_bytes=1000))
    body = b"given=text&text=" + b"x" * 1000
    with TestClient(app, base_url="http://127.0.0.1", headers=_PAGE) as client:
        page = client.post(
            "/",
            content=body if with_length else iter([body]),
            headers={"Content-Type": "application/x-www-form-urlencoded"},
        )

    assert page.status_code == 413
    assert page.headers["content-type"].startswith("text/html")
    assert "1,000 bytes" in page.text


def test_an_unknown_corpus_is_reported_at_its_field(client: TestClient) -> None:
    page = client.post("/", data={"given": "text", "text": "A text.", "against": "/etc"})

    assert page.status_code == 400
    assert 'id="against-mistake"' in page.text


def test_a_rate_limited_form_keeps_what_was_typed(client: TestClient) -> None:
    client.post("/", data={"given": "text", "text": "A text.", "against": "no-such"})

    page = client.post("/", data={"given": "text", "text": "Another <text>.", "against": "no-such"})

    assert page.status_code == 429
    assert int(page.headers["retry-after"]) > 0
    assert "Another &lt;text&gt;." in page.text


def test_pages_of_other_origins_can_not_start_checks(client: TestClient) -> None:
    other_origin = {"origin": "https://evil.example", "sec-fetch-site": "cross-site"}

    assert client.post("/", data={"given": "text", "text": "x"}, headers=other_origin).status_code == 403


def test_pages_have_a_strict_content_security_policy(client: TestClient) -> None:
    policy = client.get("/").headers["content-security-policy"]

    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert client.get("/static/veridic.css").headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    ("target", "path"),
    [
        ("/checks?q=1", "/checks?q=1"),
        ("//evil.example/", "/"),
        ("/\\evil.example", "/"),
        ("https://evil.example", "/"),
        ("/\n/evil", "/"),
        ("", "/"),
    ],
)
def test_sign_in_redirects_only_to_local_paths(target: str, path: str) -> None:
    assert local_path(target) == path


def test_sign_in_attempts_are_rate_limited(tmp_path: Path) -> None:
    app = create_web_app(Settings(home=tmp_path, api_token="secret"))
    with TestClient(app, base_url="http://127.0.0.1", headers=_PAGE, follow_redirects=False) as client:
        assert client.get("/checks").headers["location"] == "/sign-in?next=/checks"
        statuses = [client.post("/sign-in", data={"token": "x"}).status_code for _ in range(11)]
        assert statuses == [403] * 10 + [429]
        assert client.get("/static/veridic.css").status_code == 200
        assert client.post("/", data={"text": "x"}).status_code == 401


def test_an_expired_session_shows_the_sign_in_form(tmp_path: Path) -> None:
    app = create_web_app(Settings(home=tmp_path, api_token="secret"))
    with TestClient(app, base_url="http://127.0.0.1", headers=_PAGE, follow_redirects=False) as client:
        page = client.post("/", data={"given": "text", "text": "A long text."})
        api_response = client.post("/api/checks", json={"text": "A text."})

    assert page.status_code == 401
    assert page.headers["content-type"].startswith("text/html")
    assert "Your session has ended" in page.text
    assert 'action="/sign-in" target="_blank"' in page.text
    assert (api_response.status_code, list(api_response.json())) == (401, ["error"])


def test_white_space_around_the_token_is_ignored(tmp_path: Path) -> None:
    app = create_web_app(Settings(home=tmp_path, api_token=" secret\n"))
    with TestClient(app, base_url="http://127.0.0.1", follow_redirects=False) as client:
        assert client.post("/sign-in", data={"token": "secret"}).status_code == 303
        client.cookies.clear()
        response = client.get("/api/checks", headers={"Authorization": "Bearer secret"})

    assert response.status_code == 200


def test_static_files_come_from_both_packages(client: TestClient) -> None:
    page = client.get("/").text

    for name in ("palette.css", "veridic.css", "table.js"):
        assert client.get(f"/static/{name}").status_code == 200
    assert page.index("/static/palette.css") < page.index("/static/veridic.css")
