"""Findings of an earlier run are reused exactly as long as they hold."""

import hashlib
from pathlib import Path

import pytest
from tests.unit.verify.projects import MemoryStore

from veridic.domain.code import (
    Assertion,
    AssertionKind,
    ClaimCategory,
    CodeCorrection,
    CodeEvidence,
    CodeVerdict,
    Depth,
    DocClaim,
    Entity,
    EntityKind,
    EvidenceTier,
    Finding,
    KeptFinding,
    Origin,
    Place,
)
from veridic.domain.decision import CorrectionType
from veridic.domain.evidence import Stance
from veridic.store.code_findings import CodeFindings
from veridic.verify.cache import Basis, FindingCache, FindingStore

FETCH = Entity(kind=EntityKind.PARAMETER, name="timeout", owner="fetch")
APP = "def fetch(timeout=5):\n    return timeout\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "README.md").write_text("# Title\n\nThe `timeout` of `fetch` defaults to 5 seconds.\n")
    (folder / "app.py").write_text(APP)
    (folder / "other.py").write_text("LONG = 50\n")
    return folder


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


def basis(root: Path, head: str | None = None) -> Basis:
    return Basis({file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in root.iterdir()}, head)


def opened(
    root: Path, store: FindingStore | None, *, method: str = "embedded", head: str | None = None
) -> FindingCache:
    folder = root.parent / "cache"
    return FindingCache(root, basis(root, head), method=method, store=store, folder=folder)


def make_claim(
    text: str = "The `timeout` of `fetch` defaults to 5 seconds.",
    *,
    kind: AssertionKind = AssertionKind.DEFAULT,
    subject: Entity | None = FETCH,
    expected: tuple[str, ...] = ("5 seconds",),
    document: str = "README.md",
    line: int = 3,
    is_negated: bool = False,
) -> DocClaim:
    return DocClaim(
        id="c1",
        text=text,
        document=document,
        line=line,
        end_line=line,
        origin=Origin.MARKDOWN,
        category=ClaimCategory.CODEBASE,
        domain="configuration",
        assertion=Assertion(kind=kind, subject=subject, expected=expected, is_negated=is_negated),
    )


def code(
    path: str = "app.py", *, value: str | None = None, tier: EvidenceTier = EvidenceTier.CODE
) -> CodeEvidence:
    stance = Stance.CONTRADICTING if value else Stance.SUPPORTING
    return CodeEvidence(
        tier=tier, stance=stance, path=path, line=1, quote="def fetch(timeout=5):", value=value
    )


def make_finding(
    claim: DocClaim | None = None,
    verdict: CodeVerdict = CodeVerdict.VERIFIED,
    *evidence: CodeEvidence,
    correction: CodeCorrection | None = None,
) -> Finding:
    return Finding(
        claim=claim or make_claim(),
        verdict=verdict,
        confidence=0.9,
        depth=Depth.SHALLOW,
        reason="The signature says so.",
        evidence=evidence or (code(),),
        correction=correction,
    )


def remember(root: Path, store: FindingStore | None, *findings: Finding, head: str | None = None) -> None:
    cache = opened(root, store, head=head)
    for finding in findings:
        cache.keep(finding)
    cache.save()


def test_unchanged_repository_reuses_everything(root: Path, store: MemoryStore) -> None:
    finding = make_finding()
    remember(root, store, finding)
    found = opened(root, store).find(make_claim())
    assert found == finding.model_copy(update={"is_cached": True})


def test_unchecked_claim_is_not_found(root: Path, store: MemoryStore) -> None:
    assert opened(root, store).find(make_claim()) is None


def test_changed_evidence_invalidates_a_finding(root: Path, store: MemoryStore) -> None:
    remember(root, store, make_finding())
    (root / "app.py").write_text(APP.replace("5", "7"))
    assert opened(root, store).find(make_claim()) is None


def test_deleted_evidence_invalidates_a_finding(root: Path, store: MemoryStore) -> None:
    remember(root, store, make_finding())
    (root / "app.py").unlink()
    assert opened(root, store).find(make_claim()) is None


def test_verified_finding_survives_other_changes(root: Path, store: MemoryStore) -> None:
    remember(root, store, make_finding())
    (root / "other.py").write_text("LONG = 51\n")
    assert opened(root, store).find(make_claim()) is not None


@pytest.mark.parametrize(
    "verdict", [verdict for verdict in CodeVerdict if verdict is not CodeVerdict.VERIFIED]
)
def test_other_verdicts_depend_on_all_files(root: Path, store: MemoryStore, verdict: CodeVerdict) -> None:
    remember(root, store, make_finding(None, verdict))
    assert opened(root, store).find(make_claim()) is not None
    (root / "other.py").write_text("LONG = 51\n")
    assert opened(root, store).find(make_claim()) is None


def test_evidence_without_a_file_depends_on_all_files(root: Path, store: MemoryStore) -> None:
    remember(root, store, make_finding(None, CodeVerdict.VERIFIED, code("docs")))
    assert opened(root, store).find(make_claim()) is not None
    (root / "new.py").write_text("NEW = 1\n")
    assert opened(root, store).find(make_claim()) is None


def test_verdict_from_history_lasts_until_next_commit(root: Path, store: MemoryStore) -> None:
    finding = make_finding(
        None, CodeVerdict.STALE, code(value="7"), code("abc1234", tier=EvidenceTier.HISTORY)
    )
    remember(root, store, finding, head="abc1234")
    assert opened(root, store, head="abc1234").find(make_claim()) is not None
    assert opened(root, store, head="def5678").find(make_claim()) is None


@pytest.mark.parametrize(
    "outside",
    [
        code("https://example.org/", tier=EvidenceTier.EXTERNAL),
        code("sqlite:///shop.db", tier=EvidenceTier.TESTS),
    ],
    ids=["a page", "a database"],
)
def test_finding_from_outside_is_not_stored(root: Path, store: MemoryStore, outside: CodeEvidence) -> None:
    remember(root, store, make_finding(None, CodeVerdict.VERIFIED, outside))
    assert opened(root, store).find(make_claim()) is None


def test_other_method_has_its_own_findings(root: Path, store: MemoryStore) -> None:
    remember(root, store, make_finding())
    assert opened(root, store, method="some model").find(make_claim()) is None
    assert opened(root, store).find(make_claim()) is not None


def test_similar_words_match_the_same_claim(root: Path, store: MemoryStore) -> None:
    remember(root, store, make_finding())
    for alike in (
        "The `timeout` of `fetch` defaults to  5 seconds",
        "The **`timeout`** of `fetch` defaults to 5 seconds!",
    ):
        found = opened(root, store).find(make_claim(alike, line=9))
        assert found is not None
        assert (found.claim.text, found.claim.line) == (alike, 9)
    assert (
        opened(root, store).find(make_claim("Unless told otherwise, `fetch` gives up after 5 seconds."))
        is None
    )


@pytest.mark.parametrize(
    "other",
    [
        make_claim("The `timeout` of `fetch` defaults to 6 seconds.", expected=("6 seconds",)),
        make_claim("The `timeout` of `fetch` defaults to 5 seconds.", is_negated=True),
        make_claim(subject=Entity(kind=EntityKind.PARAMETER, name="timeout", owner="fetchs")),
        make_claim(document="docs/README.md"),
    ],
    ids=["another value", "the opposite", "another thing", "another folder"],
)
def test_similar_claims_with_other_assertions_do_not_match(
    root: Path, store: MemoryStore, other: DocClaim
) -> None:
    remember(root, store, make_finding())
    assert opened(root, store).find(other) is None


def test_behaviour_claims_match_only_identical_words(root: Path, store: MemoryStore) -> None:
    said = make_claim(
        "`fetch` is now safe to be called from any thread.", kind=AssertionKind.BEHAVES, expected=()
    )
    denied = make_claim(
        "`fetch` is not safe to be called from any thread.", kind=AssertionKind.BEHAVES, expected=()
    )
    remember(root, store, make_finding(said))
    assert opened(root, store).find(said) is not None
    assert opened(root, store).find(denied) is None


def test_correction_is_not_reused_elsewhere(root: Path, store: MemoryStore) -> None:
    correction = CodeCorrection(
        type=CorrectionType.REPLACE,
        place=Place(line=3, start=1, end=2),
        original="5",
        corrected="7",
        confidence=0.9,
    )
    remember(root, store, make_finding(None, CodeVerdict.REFUTED, code(value="7"), correction=correction))
    again = opened(root, store).find(make_claim())
    assert again is not None
    assert again.correction == correction
    assert opened(root, store).find(make_claim(line=8)) is None


@pytest.mark.parametrize("has_one", [False, True], ids=["no database", "a broken one"])
def test_without_a_database_findings_are_saved_to_a_file(root: Path, has_one: bool) -> None:
    store = MemoryStore()
    store.is_down = True
    broken = store if has_one else None
    cache = opened(root, broken)
    cache.keep(make_finding())
    cache.save()
    assert [failure.message for failure in cache.failures] == (
        ["The database can't be used."] if has_one else []
    )
    assert opened(root, broken).find(make_claim()) is not None
    store.is_down = False
    synced = opened(root, store)
    synced.save()
    assert not list((root.parent / "cache").iterdir())
    assert opened(root, store).find(make_claim()) is not None


def test_a_database_keeps_findings_between_runs(root: Path, tmp_path: Path) -> None:
    database = CodeFindings(f"sqlite:///{tmp_path / 'veridic.db'}")
    remember(root, database, make_finding())
    assert opened(root, database).find(make_claim()) is not None
    (root / "app.py").write_text(APP.replace("5", "7"))
    remember(root, database, make_finding(None, CodeVerdict.REFUTED))
    (kept,) = database.load(str(root))
    assert "Refuted" in kept.content
    assert database.load("another") == []


def test_invalid_findings_are_deleted(root: Path, store: MemoryStore) -> None:
    for number in range(4):
        (root / "app.py").write_text(f"def fetch(timeout={number}):\n    return timeout\n")
        remember(root, store, make_finding())
    assert len(store.load(str(root))) == 1


def test_newer_finding_replaces_the_old_one(root: Path, store: MemoryStore) -> None:
    """Two parallel runs may both store a finding on one claim."""
    for verdict in (CodeVerdict.VERIFIED, CodeVerdict.INCONCLUSIVE):
        remember(root, store, make_finding(None, verdict))
    found = opened(root, store).find(make_claim())
    assert found is not None
    assert found.verdict is CodeVerdict.INCONCLUSIVE


@pytest.mark.parametrize("content", [b"", b"\x00\xff", b"{}", b'[{"method": 1}]', b"[" * 100_000])
def test_damaged_file_is_ignored(root: Path, content: bytes) -> None:
    remember(root, None, make_finding())
    (file,) = (root.parent / "cache").iterdir()
    file.write_bytes(content)
    assert opened(root, None).find(make_claim()) is None
    remember(root, None, make_finding())
    assert opened(root, None).find(make_claim()) is not None


def test_unreadable_row_is_checked_again(root: Path, store: MemoryStore) -> None:
    remember(root, store, make_finding())
    repo = str(root)
    (kept,) = store.load(repo)
    assert kept.id is not None
    damaged = KeptFinding(
        kept.method,
        kept.likeness,
        kept.document,
        kept.line,
        kept.text,
        kept.digests,
        '{"verdict": "Perhaps"}',
    )
    store.replace(repo, drop=[kept.id], add=[damaged])
    assert opened(root, store).find(make_claim()) is None


def test_repositories_are_separate(root: Path, store: MemoryStore, tmp_path: Path) -> None:
    remember(root, store, make_finding())
    other = tmp_path / "copy"
    other.mkdir()
    for file in root.iterdir():
        (other / file.name).write_bytes(file.read_bytes())
    assert opened(other, store).find(make_claim()) is None


@pytest.mark.parametrize("verdict", [CodeVerdict.REFUTED, CodeVerdict.CONTESTED])
def test_refuted_and_contested_are_checked_again_after_a_commit(
    root: Path, store: MemoryStore, verdict: CodeVerdict
) -> None:
    """The next commit may show until when it was true."""
    remember(root, store, make_finding(None, verdict, code(value="7")), head="abc1234")
    assert opened(root, store, head="abc1234").find(make_claim()) is not None
    assert opened(root, store, head="def5678").find(make_claim()) is None


def test_verified_finding_does_not_depend_on_history(root: Path, store: MemoryStore) -> None:
    remember(root, store, make_finding(), head="abc1234")
    assert opened(root, store, head="def5678").find(make_claim()) is not None
