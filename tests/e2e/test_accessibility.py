"""axe finds nothing on any page, on a desk by day and on a phone by night."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from tests.axe import LOOKS, violations
from tests.builders import make_document, sample_report
from tests.desk_people import new_check, person, published_check
from tests.llm_server import ScriptedServer
from tests.llm_texts import CONTENT
from tests.unit.reporting.article import article_report
from tests.web_site import Site, Visitor, finished_page

from veridic.config.settings import Settings
from veridic.desk.accounts import Accounts
from veridic.desk.desk import Desk
from veridic.domain.people import LOCAL_USER, Role
from veridic.domain.verdicts import Verdict
from veridic.reporting.html import to_html
from veridic.store.runs import RunStore
from veridic.store.tables import User

pytestmark = pytest.mark.browser
expect.set_options(timeout=60_000)  # for a machine that is busy with other things; nothing waits that long

_PASSWORD = "correct horse battery"
_MACHINE, _OTHER = "FC-2026-000001", "FC-2026-000002"
_THOROUGH = (
    "/",
    "/checks",
    f"/checks/{_MACHINE}",
    f"/checks/{_MACHINE}/compare/{_OTHER}",
    f"/checks/{_MACHINE}/corrected",
    "/sources",
)
_DESK = ("/desk", "/desk/new", f"/desk/checks/{_MACHINE}", "/desk/claims/1", "/desk/statistics", "/desk/audit")


@pytest.fixture(scope="module")
def models() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        server.script_consensus(score=55, title="A history in four claims")
        yield server


@pytest.fixture(scope="module")
def site(models: ScriptedServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server for one person, with two runs of one text that differ."""
    settings = Settings(
        home=tmp_path_factory.mktemp("home"),
        llm_base_url=models.url,
        llm_model="test/writer",
        checker_models=("test/one", "test/two"),
    )
    with RunStore(settings.database) as store:
        _save_two_runs(store)
    site = Site(settings)
    site.start()
    yield site
    site.stop()


def _save_two_runs(store: RunStore) -> None:
    report = article_report()
    changed = report.decisions[0].model_copy(update={"verdict": Verdict.REFUTED})
    other = report.model_copy(update={"decisions": (changed, *report.decisions[1:])})
    for one in (report, other):
        store.complete(store.begin(one.document, mode="thorough", engine="llm"), one)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A desk with people, a check of the machine, one in progress and one published."""
    settings = Settings(home=tmp_path_factory.mktemp("desk"), desk_name="The Example Desk")
    ada, eve, fay = person("ada"), person("eve"), person("fay")
    with RunStore(settings.database) as store:
        Accounts(store).add(LOCAL_USER, "ada", _PASSWORD, Role.ADMIN)
        others = [User(id=one.user_id, username=one.username, role=one.role) for one in (eve, fay)]
        store.write(lambda session: session.add_all(others))
        store.complete(store.begin(make_document(), mode="thorough", engine="embedded"), sample_report())
        people = Desk(store)
        people.take(ada, _MACHINE, people.check(ada, _MACHINE).version)
        new_check(people, fay)
        published_check(people, fay, eve)
    site = Site(settings)
    site.start()
    yield site
    site.stop()


@pytest.fixture(params=LOOKS)
def look(request: pytest.FixtureRequest) -> dict[str, Any]:
    return LOOKS[request.param]


@pytest.fixture
def visit(browser: Browser) -> Iterator[Visitor]:
    visitor = Visitor(browser)
    yield visitor
    visitor.close()


def test_axe_finds_nothing_on_the_pages_of_checks(visit: Visitor, site: Site, look: dict[str, Any]) -> None:
    page = visit(site.url, **look)
    for path in _THOROUGH:
        page.goto(site.url + path)
        assert violations(page) == [], path
    page.goto(f"{site.url}/checks/{_MACHINE}")
    page.keyboard.press("j")
    page.keyboard.press("?")
    assert violations(page) == []


def test_axe_finds_nothing_on_a_consensus_check(visit: Visitor, site: Site, look: dict[str, Any]) -> None:
    page = visit(site.begin(mode="consensus", text=CONTENT), **look)
    finished_page(page)
    assert violations(page) == []


def test_axe_finds_nothing_at_the_desk(visit: Visitor, desk: Site, look: dict[str, Any]) -> None:
    page = visit(f"{desk.url}/desk", **look)
    assert violations(page) == []  # signing in
    page.get_by_label("User name").fill("ada")
    page.get_by_label("Password").fill(_PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/desk")
    for path in (*_DESK, f"/checks/{_MACHINE}", "/account", "/published", "/published/FC-2026-000003"):
        page.goto(desk.url + path)
        assert violations(page) == [], path


def test_axe_finds_nothing_in_the_html_report(visit: Visitor, tmp_path: Path, look: dict[str, Any]) -> None:
    path = tmp_path / "report.html"
    path.write_text(to_html(article_report()), encoding="utf-8")

    assert violations(visit(path.as_uri(), **look)) == []
