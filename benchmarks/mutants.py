"""One small lie at a time: changes to `benchmarks/parcel`, in its code or in its documents, that make a statement false."""

from typing import NamedTuple

_CLIENT = "src/parcel/client.py"
_CONFIG = "src/parcel/config.py"
_CLI = "src/parcel/cli.py"
_MODELS = "src/parcel/models.py"
_LABELS = "src/parcel/labels.py"
_SERVER = "src/parcel/server.py"
_README = "README.md"
_CLI_DOC = "docs/cli.md"
_CONFIG_DOC = "docs/configuration.md"
_API_DOC = "docs/api.md"


class Mutant(NamedTuple):
    kind: str
    path: str
    old: str
    """Stands in the file; its first place is changed."""
    new: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.path}: {self.old!r} → {self.new!r}"


MUTANTS = (
    # Defaults, changed in the code.
    Mutant("default", _CLIENT, "timeout=30, retries=3", "timeout=45, retries=3"),
    Mutant("default", _CLIENT, "timeout=30, retries=3", "timeout=30, retries=5"),
    Mutant("default", _CLIENT, "include_history=False):", "include_history=True):"),
    Mutant(
        "default",
        _CLI,
        'choices=["text", "json", "csv"], default="text"',
        'choices=["text", "json", "csv"], default="json"',
    ),
    Mutant("default", _CLI, "type=int, default=60", "type=int, default=90"),
    Mutant("default", _CLI, "type=int, default=20", "type=int, default=25"),
    Mutant("default", _CLI, "type=int, default=8080", "type=int, default=8000"),
    Mutant("default", _LABELS, "dpi=203", "dpi=300"),
    Mutant("default", _LABELS, "border=2", "border=3"),
    Mutant("default", _MODELS, 'currency="EUR"', 'currency="USD"'),
    Mutant("default", _MODELS, "express=False", "express=True"),
    Mutant("default", _MODELS, "weight_grams: int = 500", "weight_grams: int = 750"),
    Mutant("default", _MODELS, "insured: bool = False", "insured: bool = True"),
    # Defaults, changed in the documents.
    Mutant("default", _README, "`timeout` defaults to 30 seconds", "`timeout` defaults to 20 seconds"),
    Mutant("default", _README, "`retries` defaults to 3", "`retries` defaults to 2"),
    Mutant("default", _CLI_DOC, "| `track` | `60` |", "| `track` | `45` |"),
    Mutant("default", _CLI_DOC, "| `list` | `20` |", "| `list` | `10` |"),
    Mutant("default", _CLI_DOC, "`--interval` defaults to 60", "`--interval` defaults to 30"),
    Mutant("default", _API_DOC, "`dpi` defaults to 203", "`dpi` defaults to 300"),
    Mutant("default", _API_DOC, "`weight_grams` defaults to 500", "`weight_grams` defaults to 250"),
    Mutant(
        "default",
        _CLIENT,
        "Seconds to wait for an answer. Defaults to 30.",
        "Seconds to wait for an answer. Defaults to 60.",
    ),
    Mutant(
        "default",
        _LABELS,
        "Dots per inch of the printer. Defaults to 203.",
        "Dots per inch of the printer. Defaults to 600.",
    ),
    # Signatures.
    Mutant(
        "signature",
        _CLIENT,
        "def __init__(self, base_url, timeout=30, retries=3):",
        "def __init__(self, base_url, wait=30, retries=3):",
    ),
    Mutant(
        "signature",
        _CLIENT,
        "def fetch(self, number, include_history=False):",
        "def fetch(self, number, history=False):",
    ),
    Mutant(
        "signature",
        _LABELS,
        "def render_label(parcel, dpi=203, border=2):",
        "def render_label(parcel, border=2):",
    ),
    Mutant(
        "signature",
        _MODELS,
        "def price(parcel, express=False, currency",
        "def price(parcel, overnight=False, currency",
    ),
    Mutant(
        "signature",
        _README,
        "`Client(base_url, timeout=30, retries=3)`",
        "`Client(base_url, deadline=30, retries=3)`",
    ),
    Mutant(
        "signature",
        _API_DOC,
        "`render_label(parcel, dpi=203, border=2)`",
        "`render_label(parcel, resolution=203, border=2)`",
    ),
    Mutant(
        "signature",
        "web/poll.js",
        "startPolling(number, interval = POLL_SECONDS, onChange = null)",
        "startPolling(number, onChange = null)",
    ),
    Mutant(
        "signature", _LABELS, "        border: White space around it", "        margin: White space around it"
    ),
    # Names.
    Mutant("name", _CLIENT, "def fetch_many(", "def fetch_all("),
    Mutant("name", _CLIENT, "def cancel(", "def call_back("),
    Mutant("name", _LABELS, "def split_address(", "def split_lines("),
    Mutant("name", _README, "`Client.fetch_many(numbers)`", "`Client.fetch_batch(numbers)`"),
    # Flags and commands.
    Mutant("flag", _CLI, '"--interval"', '"--every"'),
    Mutant("flag", _CLI, '"--limit"', '"--most"'),
    Mutant("flag", _CLI, '"--verbose"', '"--loud"'),
    Mutant("flag", _README, "--format json --interval 30", "--format json --pause 30"),
    Mutant("command", _CLI, 'add_parser("serve"', 'add_parser("listen"'),
    Mutant("members", _CLI, 'choices=["text", "json", "csv"]', 'choices=["text", "json"]'),
    # Environment.
    Mutant("environment", _CONFIG, '"PARCEL_PORT", "8080"', '"PARCEL_PORT", "9090"'),
    Mutant("environment", _CONFIG, '"PARCEL_LOG_LEVEL", "info"', '"PARCEL_LOG_LEVEL", "warning"'),
    Mutant("environment", _CONFIG, '"PARCEL_CACHE_DIR"', '"PARCEL_CACHE"'),
    Mutant("environment", _CONFIG, '"PARCEL_TOKEN"', '"PARCEL_API_TOKEN"'),
    Mutant("environment", _CONFIG_DOC, "`PARCEL_PORT` defaults to 8080", "`PARCEL_PORT` defaults to 80"),
    Mutant("environment", _CONFIG_DOC, "| `PARCEL_LOG_LEVEL` | `info` |", "| `PARCEL_LOG_LEVEL` | `debug` |"),
    # Constants.
    Mutant("constant", _CLIENT, "MAX_BATCH = 100", "MAX_BATCH = 250"),
    Mutant("constant", _CONFIG, "10 * 1024 * 1024", "25 * 1024 * 1024"),
    Mutant("constant", _CLIENT, "CACHE_SECONDS = 5 * 60", "CACHE_SECONDS = 15 * 60"),
    Mutant("constant", _SERVER, "PAGE_SIZE = 50", "PAGE_SIZE = 25"),
    Mutant("constant", _LABELS, "LABEL_WIDTH_MM = 100", "LABEL_WIDTH_MM = 102"),
    Mutant("constant", "web/poll.js", "POLL_SECONDS = 15", "POLL_SECONDS = 20"),
    Mutant("constant", "web/poll.js", "MAX_FAILURES = 4", "MAX_FAILURES = 3"),
    Mutant("constant", _README, "`MAX_BATCH` is 100", "`MAX_BATCH` is 500"),
    # Versions.
    Mutant("version", "pyproject.toml", 'requires-python = ">=3.10"', 'requires-python = ">=3.12"'),
    Mutant("version", "pyproject.toml", '"httpx>=0.27"', '"httpx>=0.28"'),
    Mutant("version", "pyproject.toml", 'version = "1.4.0"', 'version = "1.5.0"'),
    Mutant("version", _README, "Python 3.10 or later", "Python 3.8 or later"),
    # Paths, scripts, links.
    Mutant("path", _README, "`src/parcel/labels.py`", "`src/parcel/label.py`"),
    Mutant("path", _README, "(docs/cli.md)", "(docs/options.md)"),
    Mutant("script", "Makefile", "lint:", "check:"),
    Mutant("script", _README, "`make test`", "`make tests`"),
    # Counts and members.
    Mutant("count", _MODELS, '    LOST = "lost"\n', ""),
    Mutant("count", _README, "`Status` has 4 members", "`Status` has 5 members"),
    Mutant("members", _MODELS, 'SHIPPED = "shipped"', 'SENT = "sent"'),
    Mutant("count", _CLI_DOC, "There are three commands", "There are four commands"),
    # Returns and exceptions.
    Mutant("returns", _CLIENT, "            return None\n", "            return {}\n"),
    Mutant("returns", _MODELS, "return float(base * (2 if express else 1))", 'return f"{base}"'),
    Mutant("returns", _LABELS, "return [line.strip() for line in text.splitlines()]", "return text.strip()"),
    Mutant("returns", _CLIENT, "        return True\n", "        return False\n"),
    Mutant("raises", _CLIENT, "raise NotFoundError(number)", "raise KeyError(number)"),
    Mutant("raises", _LABELS, "raise ValueError(number)", "raise TypeError(number)"),
    Mutant("raises", _README, "raises `QuotaError`", "raises `PermissionError`"),
    # Routes.
    Mutant("route", _SERVER, '@app.delete("/parcels/{number}")', '@app.post("/parcels/{number}/cancel")'),
    Mutant("route", _SERVER, '@app.post("/parcels")', '@app.put("/parcels")'),
    Mutant("route", _API_DOC, "`GET /parcels/{number}` has one", "`GET /parcel/{number}` has one"),
)
