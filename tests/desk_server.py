"""A server with accounts for the tests of the desk's API: one client for each person."""

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import SecretStr
from starlette.testclient import TestClient
from tests.desk_people import PEOPLE

from veridic.api.app import create_app
from veridic.api.dependencies import page_fetcher
from veridic.config.settings import Settings
from veridic.desk.accounts import Accounts
from veridic.domain.events import Event, EventName
from veridic.domain.people import LOCAL_USER
from veridic.engine.order import CheckOrder
from veridic.providers.fetch.fake import FakeFetcher, Reply
from veridic.runtime.runner import Runner
from veridic.store.runs import RunStore

SHARED = "the-shared-secret"
PASSWORD = "correct horse battery"
API = "/api/fact-checking"


async def _run_nothing(order: CheckOrder, settings: Settings, **_: Any) -> AsyncIterator[Event]:
    yield Event(name=EventName.ERROR, data={"message": "Nothing is checked here."})


class DeskServer:
    """Requests by people's names; `people` has the id of each."""

    def __init__(self, client: TestClient, store: RunStore, tokens: Mapping[str, str]) -> None:
        self.client = client
        self.store = store
        self.tokens = tokens
        self.people = {name: number for name, (number, _) in PEOPLE.items()}

    def ask(self, name: str, method: str, path: str, body: Any = None, **options: Any) -> Any:
        """Send a request as somebody; `shared` is the program with the server's token. Return the response."""
        headers = {"Authorization": f"Bearer {self.tokens[name]}"}
        given = {} if body is None else {"json": body}
        return self.client.request(method, f"{API}{path}", headers=headers, **given, **options)

    def get(self, name: str, path: str) -> Any:
        answer = self.ask(name, "GET", path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, name: str, path: str, **body: Any) -> Any:
        answer = self.ask(name, "POST", path, body)
        assert answer.status_code in (200, 201), answer.text
        return answer.json()


@contextmanager
def desk_server(home: Path, pages: Mapping[str, Reply]) -> Iterator[DeskServer]:
    """Serve the API with the accounts of `PEOPLE`; sources are read from `pages`."""
    settings = Settings(home=home, api_token=SecretStr(SHARED), api_starts_per_minute=100_000)
    with RunStore(settings.database) as store:
        accounts = Accounts(store)
        for name, (_, role) in PEOPLE.items():
            accounts.add(LOCAL_USER, name, PASSWORD, role, display_name=name.capitalize())
        tokens = {name: accounts.create_token(LOCAL_USER, name, "test") for name in PEOPLE}
    app = create_app(settings, Runner(settings, pipeline=_run_nothing))
    app.dependency_overrides[page_fetcher] = lambda: FakeFetcher(pages, settings)
    with TestClient(app, base_url="http://desk.example.org") as client:
        yield DeskServer(client, app.state.runner.store, tokens | {"shared": SHARED})
