"""What a benchmark passes to a check; the check itself is faked."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.builders import make_report

from veridic.bench.embedded import temporary_bench
from veridic.config.settings import Settings
from veridic.domain.report import Report
from veridic.providers.llm.roles import EMBEDDED

SOURCES = [{"title": "Log", "text": "It rained in Åre."}]


class FakeCheck:
    """Records its arguments, and the contents of the files at that time."""

    def __init__(self) -> None:
        self.target = ""
        self.given: dict[str, Any] = {}
        self.rows: list[object] = []

    def __call__(self, target: str | Path, **given: Any) -> Report:
        self.target = target.read_text(encoding="utf-8") if isinstance(target, Path) else target
        self.given = given
        (sources,) = given["against"]
        self.rows = [json.loads(line) for line in sources.read_text(encoding="utf-8").splitlines()]
        return make_report()


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeCheck:
    check = FakeCheck()
    monkeypatch.setattr("veridic.library.check", check)
    monkeypatch.setattr("veridic.library.check_text", check)
    return check


@pytest.mark.parametrize("method", ["check_article", "check_claim"])
def test_texts_are_checked_against_given_sources_only(fake: FakeCheck, method: str) -> None:
    with temporary_bench(SOURCES, Settings()) as bench:
        getattr(bench, method)("It rained.\r\n")
    assert (fake.target.strip(), fake.rows) == ("It rained.", SOURCES)


@pytest.mark.parametrize("method", ["check_article", "check_claim"])
def test_embedded_engine_checks_every_claim(fake: FakeCheck, method: str) -> None:
    limited = Settings(max_claims_per_article=3, llm_base_url="http://127.0.0.1:1/v1", llm_model="any")
    with temporary_bench(SOURCES, limited) as bench:
        getattr(bench, method)("It rained.")
    models = fake.given["models"]
    assert (models.extractor, models.checkers) == (EMBEDDED.extractor, EMBEDDED.checkers[:1])
    assert fake.given["settings"].max_claims_per_article is None


def test_temporary_files_are_removed(fake: FakeCheck, tmp_path: Path) -> None:
    with temporary_bench(SOURCES, Settings(home=tmp_path)) as bench:
        bench.check_article("It rained.")
        assert fake.given["settings"].home.is_relative_to(bench.folder)
    assert not bench.folder.exists()
    assert list(tmp_path.iterdir()) == []
