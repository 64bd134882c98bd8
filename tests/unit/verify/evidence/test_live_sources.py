"""Claims about data and endpoints, checked against live databases and APIs, read-only."""

import asyncio
import socket
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.postgres_server import PostgresServer

from veridic.config.settings import Settings
from veridic.domain.code import (
    AgentVerdict,
    Assertion,
    AssertionKind,
    ClaimCategory,
    CodeVerdict,
    DocClaim,
    Entity,
    EntityKind,
    EvidenceTier,
    Origin,
)
from veridic.domain.errors import ProviderError, UsageError
from veridic.providers.fetch.fake import FakeFetcher, Reply, Trouble
from veridic.verify.evidence import database as database_evidence
from veridic.verify.evidence.api import LiveApi, find_api_claims
from veridic.verify.evidence.database import LiveDatabase, find_data_claims, read_data_claim

VERIFIED, REFUTED, OPEN = CodeVerdict.VERIFIED, CodeVerdict.REFUTED, CodeVerdict.INCONCLUSIVE


def make_claim(text: str, *entities: Entity, category: ClaimCategory = ClaimCategory.CODEBASE) -> DocClaim:
    return DocClaim(
        id="c1",
        text=text,
        document="README.md",
        line=1,
        end_line=1,
        origin=Origin.MARKDOWN,
        category=category,
        domain="correctness",
        entities=entities,
        assertion=Assertion(kind=AssertionKind.RETURNS),
    )


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A database with three tables: one of a migration tool, and one with an SQL injection as its name."""
    path = tmp_path / "a shop.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            """
            CREATE TABLE orders (id INTEGER PRIMARY KEY);
            CREATE TABLE "drop table orders; --" (id INTEGER);
            CREATE TABLE alembic_version (version_num TEXT);
            CREATE VIEW recent AS SELECT * FROM orders;
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4100)
              INSERT INTO orders SELECT i FROM n;
            """
        )
        connection.commit()
    return path


def asked(file: Path, text: str) -> AgentVerdict | None:
    with LiveDatabase(f"sqlite:///{file}") as database:
        return database.check(make_claim(text))


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("The database has 2 tables.", VERIFIED),
        ("The database has three tables.", VERIFIED),
        ("The database has 12 tables.", REFUTED),
        ("The schema consists of at least 2 tables.", VERIFIED),
        ("The database holds up to 1 table.", REFUTED),
        ("`orders` has about 4,000 rows.", VERIFIED),
        ("There are more than 4 thousand rows in `orders`.", VERIFIED),
        ("There are about 4 million rows in `orders`.", REFUTED),
        ("The orders table holds 4,100 records.", VERIFIED),
        ("The orders table holds 4,101 records.", REFUTED),
        ("`orders` has about 5,000 rows.", OPEN),
    ],
)
def test_database_decides(file: Path, text: str, verdict: CodeVerdict) -> None:
    found = asked(file, text)
    assert found is not None
    assert found.verdict is verdict
    (evidence,) = found.evidence
    assert evidence.path.startswith("sqlite:///")
    assert "4,100" in evidence.quote or "2 tables" in evidence.quote


@pytest.mark.parametrize(
    "text",
    [
        "There are 5 rows in `customers`.",
        "There are 5 rows in `recent`.",
        "There are 5 rows in `orders; DROP TABLE orders`.",
        "There are 5 rows in `orders` and 7 rows in `items`.",
        "The page shows 3 tables of figures.",
        "Nothing about data.",
        "",
    ],
)
def test_tables_that_the_database_lacks_are_not_queried(file: Path, text: str) -> None:
    assert asked(file, text) is None


def test_data_claim_gets_external_evidence(file: Path) -> None:
    (claim,) = find_data_claims("README.md", "Words.\n\nThe database has 12 tables. It is fast.\n")
    assert (claim.line, claim.text, claim.category) == (
        3,
        "The database has 12 tables.",
        ClaimCategory.EXTERNAL,
    )
    with LiveDatabase(f"sqlite:///{file}") as database:
        found = database.check(claim)
    assert found is not None
    assert (found.verdict, found.evidence[0].tier, found.evidence[0].value) == (
        REFUTED,
        EvidenceTier.EXTERNAL,
        "2",
    )


def test_code_blocks_make_no_data_claims() -> None:
    assert find_data_claims("README.md", "```\nThe database has 12 tables.\n```\n") == []


@pytest.mark.parametrize("statement", ["DELETE FROM orders", "CREATE TABLE x (y)", "DROP TABLE orders"])
def test_database_is_read_only(file: Path, statement: str) -> None:
    with (
        LiveDatabase(f"sqlite:///{file}") as database,
        pytest.raises(ProviderError, match="readonly"),
        database._connected() as connection,
    ):
        connection.exec_driver_sql(statement)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "not an address",
        "sqlite://",
        "sqlite:////no/such/file.db",
        "oracle://host/x",
        "file:///etc/passwd",
    ],
)
def test_unusable_database_address_raises_usage_error(url: str) -> None:
    with pytest.raises(UsageError):
        LiveDatabase(url)


def test_file_that_is_not_a_database_raises_provider_error(tmp_path: Path) -> None:
    other = tmp_path / "notes.db"
    other.write_text("These are notes, and much more than a hundred bytes of them. " * 10)
    with pytest.raises(ProviderError, match="could not be asked"):
        asked(other, "The database has 2 tables.")


def test_passwords_are_not_shown() -> None:
    database = LiveDatabase("postgresql://user:geheim@db.dev/shop?sslpassword=geheim")
    assert "geheim" not in database.name


@pytest.mark.parametrize("password", ["p@ssw0rd", "p@x/ssw0rd"])
def test_password_with_an_at_sign_is_not_shown(password: str) -> None:
    with pytest.raises(UsageError, match="%40") as caught:
        LiveDatabase(f"postgresql://me:{password}@host/db")
    assert "ssw0rd" not in str(caught.value)


@pytest.fixture(scope="module")
def shop(postgres: PostgresServer) -> str:
    """A database on a server, for a user with read and write permission."""
    url = postgres.create()
    postgres.run(
        "CREATE TABLE orders AS SELECT generate_series(1, 4100) AS id",
        "CREATE TABLE items (id integer)",
        "CREATE TABLE traps (id integer)",
        "CREATE TABLE secrets (id integer)",
        "CREATE FUNCTION spring() RETURNS boolean LANGUAGE plpgsql AS"
        " $$BEGIN INSERT INTO items VALUES (1); RETURN true; END$$",
        "INSERT INTO traps VALUES (1)",
        "CREATE POLICY trap ON traps USING (spring())",
        "ALTER TABLE traps ENABLE ROW LEVEL SECURITY",
        "CREATE ROLE clerk LOGIN PASSWORD 'clerk'",
        "GRANT ALL ON orders, items, traps TO clerk",
        database=url.rpartition("/")[2],
    )
    return postgres.url(url.rpartition("/")[2], user="clerk", password="clerk")


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("The database has 4 tables.", VERIFIED),
        ("The database has 12 tables.", REFUTED),
        ("There are about 4 thousand rows in `orders`.", VERIFIED),
        ("There are 5 rows in `orders`.", REFUTED),
    ],
)
def test_server_decides(shop: str, text: str, verdict: CodeVerdict) -> None:
    with LiveDatabase(shop) as database:
        found = database.check(make_claim(text))
    assert found is not None
    assert found.verdict is verdict
    assert "clerk:***@" in found.evidence[0].path


@pytest.mark.parametrize("statement", ["DELETE FROM orders", "INSERT INTO items VALUES (1)"])
def test_server_refuses_writes(shop: str, statement: str) -> None:
    with (
        LiveDatabase(shop) as database,
        pytest.raises(ProviderError, match="read-only transaction"),
        database._connected() as connection,
    ):
        connection.exec_driver_sql(statement)


@pytest.mark.parametrize(
    ("table", "cause"), [("traps", "read-only transaction"), ("secrets", "permission denied")]
)
def test_uncountable_table_is_inconclusive(shop: str, table: str, cause: str) -> None:
    with LiveDatabase(shop) as database:
        found = database.check(make_claim(f"There are 5 rows in `{table}`."))
        after = database.check(make_claim("There are 0 rows in `items`."))
    assert found is not None
    assert found.verdict is OPEN
    assert cause in found.evidence[0].quote
    assert after is not None
    assert after.verdict is VERIFIED


def test_server_cancels_a_slow_statement(shop: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_evidence, "STATEMENT_SECONDS", 1)
    with (
        LiveDatabase(shop) as database,
        pytest.raises(ProviderError, match="statement timeout"),
        database._connected() as connection,
    ):
        connection.exec_driver_sql("SELECT pg_sleep(600)")


@pytest.mark.parametrize("trouble", ["password", "host"])
def test_unreachable_server_raises_a_short_error(postgres: PostgresServer, trouble: str) -> None:
    server = postgres if trouble == "password" else PostgresServer(port=1)
    with (
        LiveDatabase(server.url("postgres", password="geheim-1")) as database,
        pytest.raises(ProviderError, match="could not be asked") as caught,
    ):
        database.check(make_claim("The database has 4 tables."))
    assert "\n" not in str(caught.value)
    assert "geheim-1" not in str(caught.value)
    assert ("password authentication failed" in str(caught.value)) == (trouble == "password")


@given(st.text(max_size=200))
def test_any_sentence_can_be_read(text: str) -> None:
    reading = read_data_claim(text)
    assert reading is None or reading.agrees_with(0) in (True, False, None)


HEALTH = Entity(kind=EntityKind.ENDPOINT, name="GET /health")
API = "https://api.shop.dev/"


class Api:
    """A live API with scripted replies, which records the requests."""

    def __init__(self, allowed: str = API, **replies: Reply) -> None:
        addresses = {f"{API}{path}": reply for path, reply in replies.items()}
        self.fetcher = FakeFetcher(addresses, Settings())
        self.live = LiveApi([allowed], Settings(), self.fetcher)

    def check(self, text: str, *entities: Entity) -> AgentVerdict | None:
        return asyncio.run(self.live.check(make_claim(text, *(entities or (HEALTH,)))))


HEALTHY = Reply(
    b'{"status": "ok", "version": "1.2", "workers": 3, "busy": false, "load": [1]}', "application/json"
)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("`GET /health` returns 200.", VERIFIED),
        ("`GET /health` responds with status code 204.", REFUTED),
        ('`GET /health` returns `{"status": "ok"}`.', VERIFIED),
        ('`GET /health` returns 200 and `{"status": "up"}`.', REFUTED),
        ("In `GET /health`, `workers` is `3`.", VERIFIED),
        ("In `GET /health`, `workers` is `4`.", REFUTED),
        ("In `GET /health`, `version` is `1.2`.", VERIFIED),
        ("In `GET /health`, `busy` is `false`.", VERIFIED),
        ("In `GET /health`, `busy` is `0`.", REFUTED),
        ("In `GET /health`, `load` is `1`.", OPEN),
        ("In `GET /health`, `colour` is `red`.", OPEN),
    ],
)
def test_live_endpoint_decides(text: str, verdict: CodeVerdict) -> None:
    found = Api(health=HEALTHY).check(text)
    assert found is not None
    assert found.verdict is verdict
    assert found.evidence[0].path == "GET https://api.shop.dev/health"
    assert found.evidence[0].quote.startswith("200 ")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("`POST /orders` returns 200.", "POST /orders"),
        ("`DELETE /orders` returns 200.", "DELETE /orders"),
        ("`GET /users/{id}` returns 200.", "GET /users/{id}"),
        ("`GET /../admin` returns 200.", "GET /../admin"),
        ("`GET //evil.dev/` returns 200.", "GET http://evil.dev/"),
        ("`GET /health` is fast.", "GET /health"),
        ("`GET /health` returns 100 items.", "GET /health"),
    ],
)
def test_other_endpoints_are_not_requested(text: str, name: str) -> None:
    api = Api(health=HEALTHY)
    assert api.check(text, Entity(kind=EntityKind.ENDPOINT, name=name)) is None
    assert api.fetcher.fetched == []


def test_only_the_allowed_address_is_requested() -> None:
    exact = Api("https://api.shop.dev/health", health=HEALTHY, orders=HEALTHY)
    assert exact.check("`GET /health` returns 200.") is not None
    orders = Entity(kind=EntityKind.ENDPOINT, name="/orders")
    assert exact.check("`/orders` returns 200.", orders) is None
    assert exact.fetcher.fetched == ["https://api.shop.dev/health"]


@pytest.mark.parametrize(
    "reply",
    [Reply(trouble=Trouble.NO_CONNECTION), Reply(b"x" * 50, trouble=Trouble.CUT_OFF)],
)
def test_unreachable_endpoint_is_inconclusive(reply: Reply) -> None:
    found = Api(health=reply).check("`GET /health` returns 200.")
    assert found is not None
    assert found.verdict is OPEN


@pytest.mark.parametrize(
    "body", [b"", b"\xff\xfe", b"[" * 50_000, b"[1]", b"null", b'{"status": "\xe2\x80\xae"}']
)
def test_any_response_can_be_read(body: bytes) -> None:
    found = Api(health=Reply(body, "application/json")).check("In `GET /health`, `colour` is `red`.")
    assert found is not None
    assert found.verdict is OPEN


@pytest.mark.parametrize(
    "address", ["", "ftp://host.dev/", "http://user:pw@host.dev/", "//host.dev", "http://[::1"]
)
def test_invalid_web_address_is_rejected(address: str) -> None:
    with pytest.raises(UsageError):
        LiveApi([address], Settings())


def test_hosts_named_by_the_user_may_be_private(settings: Settings) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    claim = make_claim("`GET /health` returns 200.", HEALTH)
    found = asyncio.run(LiveApi([f"http://127.0.0.1:{port}/"], settings).check(claim))
    assert found is not None
    assert "No connection to 127.0.0.1" in found.evidence[0].quote


def test_existence_of_an_endpoint_is_not_checked() -> None:
    claim = make_claim("`GET /health` returns 200.", HEALTH)
    exists = claim.model_copy(update={"assertion": Assertion(kind=AssertionKind.EXISTS, subject=HEALTH)})
    assert asyncio.run(Api(health=HEALTHY).live.check(exists)) is None


def test_finds_claims_about_responses() -> None:
    text = """# API

The server is quick. `GET /health` returns 200 with
`{"status": "ok"}`, at once.

- `GET /orders` returns 204.

```
`GET /code` returns 200.
```

`GET /a` and `GET /b` return 200. `GET /c` is there.
"""
    found = [
        (claim.line, claim.assertion.subject, claim.assertion.expected)
        for claim in find_api_claims("README.md", text)
    ]
    assert found == [
        (3, HEALTH, ("200", "ok")),
        (6, Entity(kind=EntityKind.ENDPOINT, name="GET /orders"), ("204",)),
    ]


def test_data_claim_may_span_several_lines() -> None:
    text = "# Data\n\nIt is large. The `orders` table\nhas 4,100 rows.\nSo much for that.\n"
    (claim,) = find_data_claims("README.md", text)
    assert (claim.line, claim.text) == (3, "The `orders` table has 4,100 rows.")
