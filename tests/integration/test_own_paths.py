"""What the command line read on the server's machine has a name for readers elsewhere, and never its path."""

import re
from collections import defaultdict, deque
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from fastapi.testclient import TestClient
from tests.builders import make_document
from tests.command import run_veridic
from tests.desk_people import verdict

from veridic.config.settings import Settings
from veridic.desk.desk import Desk
from veridic.desk.lifecycle import CheckStatus
from veridic.domain.people import LOCAL_USER
from veridic.runtime.runner import Runner
from veridic.store.runs import RunStore
from veridic.web.app import create_web_app

_ARTICLE = "Sollen has 5,400 inhabitants. The harbour of Sollen was opened in 1932."
_FORMATS = ("html", "markdown", "text", "claimreview", "csv")


class Served(NamedTuple):
    client: TestClient
    desk: Desk
    folder: Path
    run_ids: tuple[str, str]
    """A check that has ended well, and one that has failed."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("secret-place")
    for name, text in (
        ("article.md", _ARTICLE),
        ("papers/a/notes.txt", "Sollen is a town with 5,200 inhabitants."),
        ("papers/b/notes.txt", "The harbour of Sollen was opened in 1931."),
        ("papers/b/broken.pdf", "%PDF-1.4 broken"),
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    settings = Settings(home=folder / "home")
    article, papers = str(folder / "article.md"), str(folder / "papers")
    run_veridic("check", article, "--against", papers, home=settings.home)
    with RunStore(settings.database) as store:
        order = {"order": {"against": [papers]}, "folder": str(folder)}
        failed = store.begin(
            make_document(_ARTICLE, source=article), mode="thorough", engine="embedded", order_data=order
        )
        store.fail(failed, f"Nothing in {papers} can be read as evidence.")
    app = create_web_app(settings, Runner(settings, works=False))
    with TestClient(app, base_url="http://localhost") as client:
        store = app.state.runner.store
        ended = next(run.id for run in store.recent() if run.id != failed)
        desk = Desk(store)
        check = desk.check(LOCAL_USER, ended)
        claim = desk.move(LOCAL_USER, ended, CheckStatus.IN_PROGRESS, check.version).claims[0]
        desk.verify_claim(LOCAL_USER, claim.id, verdict(), claim.version)
        yield Served(client, desk, folder, (ended, failed))


def _addresses_of_the_api(served: Served) -> Iterator[str]:
    """Every address that can be read of both checks and their claims, in each format."""
    app: Any = served.client.app
    readable = [path for path, methods in app.openapi()["paths"].items() if "get" in methods]
    for run_id in served.run_ids:
        claims = served.desk.check(LOCAL_USER, run_id).claims
        for path, claim_id in product(readable, [claim.id for claim in claims] or [1]):
            values = {"run_id": run_id, "check_id": run_id, "claim_id": claim_id}
            address = path.format_map(defaultdict(lambda: "none", values))
            yield address
            if address.endswith(("/report", "/export")):
                yield from (f"{address}?format={name}" for name in _FORMATS)


def test_nothing_that_the_server_answers_has_a_path(served: Served) -> None:
    waiting = deque(["/", "/checks", "/desk", "/published", *_addresses_of_the_api(served)])
    read: set[str] = set()
    answered = 0
    while waiting:
        address = waiting.popleft()
        if address in read or address.startswith(("/static", "/metrics")):
            continue
        read.add(address)
        answer = served.client.get(address, headers={"Accept": "text/html"})
        answered += answer.status_code == 200
        assert "secret-place" not in answer.text + str(answer.headers), address
        if answer.headers["content-type"].startswith("text/html"):
            waiting += re.findall(r'href="(/[^"#]*)', answer.text.replace("&amp;", "&"))
    assert answered > 60
    assert {f"/desk/checks/{run_id}" for run_id in served.run_ids} <= read


def test_files_of_one_name_stay_two_sources(served: Served) -> None:
    report = served.client.get(f"/api/checks/{served.run_ids[0]}").json()["report"]

    assert report["document"]["source"] == "article.md"
    assert [source["path"] for source in report["sources"] if source["path"]] == [
        "papers/a/notes.txt",
        "papers/b/notes.txt",
    ]
    assert report["errors"][0]["message"].startswith("papers/b/broken.pdf is a broken PDF")


def test_using_the_machine_s_source_takes_its_name(served: Served) -> None:
    claim = next(
        claim
        for claim in served.desk.check(LOCAL_USER, served.run_ids[0]).claims
        if claim.machine and claim.machine.sources
    )
    assert claim.machine is not None
    fields = {"version": claim.version, "action": f"use-{claim.machine.sources[0].id}"}

    page = served.client.post(f"/desk/claims/{claim.id}", data=fields).text

    assert re.search(r'name="source-url"[^>]* value="papers/[ab]/notes.txt"', page)


def test_the_command_line_still_says_where_files_are(served: Served) -> None:
    ended = run_veridic("runs", "show", served.run_ids[0], "--format", "json", home=served.folder / "home")

    assert f"{served.folder}/papers/a/notes.txt" in ended.stdout
