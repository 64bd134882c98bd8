"""A server with the desk's people, each with an API token, for the tests of its pages and routes without a browser."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient
from tests.desk_people import PEOPLE

from veridic.api.dependencies import page_fetcher
from veridic.config.settings import Settings
from veridic.desk.accounts import Accounts
from veridic.desk.desk import Desk
from veridic.domain.people import LOCAL_USER, Role
from veridic.providers.fetch.fake import FakeFetcher, Reply
from veridic.run import run_order
from veridic.runtime.run_at_work import Pipeline
from veridic.runtime.runner import Runner
from veridic.store.runs import RunStore
from veridic.store.tables import User
from veridic.web.app import create_web_app

PASSWORD = "correct horse battery"


class DeskSite:
    """The app, the desk behind it, and requests in somebody's name."""

    def __init__(self, client: TestClient, desk: Desk, tokens: dict[str, str]) -> None:
        self.client = client
        self.desk = desk
        self._tokens = tokens

    def get(self, name: str, path: str) -> Any:
        return self.client.get(path, headers=self.headers(name))

    def post(self, name: str, path: str, fields: dict[str, Any]) -> Any:
        return self.client.post(path, data=fields, headers=self.headers(name))

    def headers(self, name: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._tokens[name]}"}


@contextmanager
def desk_site(
    home: Path,
    pages: Mapping[str, Reply] | None = None,
    pipeline: Pipeline = run_order,
    **settings: Any,
) -> Iterator[DeskSite]:
    """Serve the desk's people; sources are read from `pages`.

    Only the admin `ada` has a password, since making one takes a while.
    """
    chosen = Settings(home=home, **settings)
    with RunStore(chosen.database) as store:
        accounts = Accounts(store)
        accounts.add(LOCAL_USER, "ada", PASSWORD, Role.ADMIN)
        others = [User(id=i, username=name, role=role.value) for name, (i, role) in PEOPLE.items() if i > 1]
        store.write(lambda session: session.add_all(others))
        tokens = {name: accounts.create_token(LOCAL_USER, name, "test") for name in PEOPLE}
    app = create_web_app(chosen, Runner(chosen, pipeline=pipeline))
    app.dependency_overrides[page_fetcher] = lambda: FakeFetcher(pages or {}, chosen)
    with TestClient(
        app,
        base_url="http://desk.example.org",
        headers={"Accept": "text/html"},
        follow_redirects=False,
    ) as client:
        yield DeskSite(client, app.state.desk, tokens)
