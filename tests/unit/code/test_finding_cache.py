"""Findings of an earlier run are given again exactly as long as they hold."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from veridic.code.finding_cache import FindingCache, FindingStore
from veridic.code.index import FactIndex, build_index
from veridic.code.repository import Repository
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
    Origin,
    Place,
)
from veridic.domain.decision import CorrectionType
from veridic.domain.errors import StorageError
from veridic.domain.evidence import Stance
from veridic.domain.kept_findings import KeptFinding
from veridic.store.code_findings import CodeFindings

FETCH = Entity(kind=EntityKind.PARAMETER, name="timeout", owner="fetch")
APP = "from limits import SHORT\n\n\ndef fetch(timeout=SHORT):\n    return timeout\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "README.md").write_text("# Title\n\nThe `timeout` of `fetch` defaults to 5 seconds.\n")
    (folder / "app.py").write_text(APP)
    (folder / "limits.py").write_text("SHORT = 5\n")
    (folder / "other.py").write_text("LONG = 50\n")
    return folder


@pytest.fixture
def store(tmp_path: Path) -> CodeFindings:
    return CodeFindings(f"sqlite:///{tmp_path / 'veridic.db'}")


class NoStore:
    """A database that is locked, full or gone."""

    def load(self, repo: str) -> list[KeptFinding]:
        raise StorageError("The database can't be used.")

    def replace(self, repo: str, *, drop: Sequence[int], add: Sequence[KeptFinding]) -> None:
        raise StorageError("The database can't be used.")


def indexed(root: Path) -> FactIndex:
    return build_index(Repository(root))


def opened(
    root: Path, store: FindingStore | None, *, method: str = "embedded", head: str | None = None
) -> FindingCache:
    return FindingCache(indexed(root), method=method, store=store, folder=root.parent / "cache", head=head)


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
        tier=tier, stance=stance, path=path, line=4, quote="def fetch(timeout=SHORT):", value=value
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


def test_an_unchanged_repository_gives_everything_again(root: Path, store: CodeFindings) -> None:
    finding = make_finding()
    remember(root, store, finding)
    found = opened(root, store).find(make_claim())
    assert found == finding.model_copy(update={"is_cached": True})


def test_what_was_never_checked_is_not_found(root: Path, store: CodeFindings) -> None:
    assert opened(root, store).find(make_claim()) is None


@pytest.mark.parametrize(
    "changed",
    [
        ("README.md", "# Title\n\nThe `timeout` of `fetch` defaults to 5 seconds. \n"),
        ("app.py", APP.replace("SHORT):", "7):")),
        ("limits.py", "SHORT = 6\n"),
        ("second.py", "def fetch(timeout=9):\n    return timeout\n"),
    ],
    ids=["the document", "the code", "a constant of the code", "another of that name"],
)
def test_a_change_of_what_it_rests_on_makes_it_invalid(
    root: Path, store: CodeFindings, changed: tuple[str, str]
) -> None:
    remember(root, store, make_finding())
    (root / changed[0]).write_text(changed[1])
    assert opened(root, store).find(make_claim()) is None


def test_a_change_elsewhere_does_not_matter(root: Path, store: CodeFindings) -> None:
    remember(root, store, make_finding())
    (root / "other.py").write_text("LONG = 51\n")
    assert opened(root, store).find(make_claim()) is not None


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        (make_claim(kind=AssertionKind.EXISTS, expected=()), CodeVerdict.REFUTED),
        (make_claim(kind=AssertionKind.EXISTS, expected=(), is_negated=True), CodeVerdict.VERIFIED),
        (make_claim(kind=AssertionKind.COUNT), CodeVerdict.VERIFIED),
        (make_claim(), CodeVerdict.INCONCLUSIVE),
        (make_claim(kind=AssertionKind.BEHAVES), CodeVerdict.VERIFIED),
    ],
    ids=["nowhere", "rightly nowhere", "how many", "not found out", "anything"],
)
def test_some_verdicts_rest_on_everything(
    root: Path, store: CodeFindings, claim: DocClaim, verdict: CodeVerdict
) -> None:
    remember(root, store, make_finding(claim, verdict))
    assert opened(root, store).find(claim) is not None
    (root / "other.py").write_text("LONG = 51\n")
    assert opened(root, store).find(claim) is None


def test_a_path_that_appears_makes_its_absence_invalid(root: Path, store: CodeFindings) -> None:
    """A picture is no part of the index."""
    claim = make_claim(
        kind=AssertionKind.LINKS, subject=Entity(kind=EntityKind.PATH, name="logo.png"), expected=()
    )
    remember(root, store, make_finding(claim, CodeVerdict.REFUTED))
    assert opened(root, store).find(claim) is not None
    (root / "logo.png").write_bytes(b"\x89PNG")
    assert opened(root, store).find(claim) is None


def test_a_verdict_from_history_lasts_until_the_next_commit(root: Path, store: CodeFindings) -> None:
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
def test_what_rests_on_something_outside_is_looked_at_anew(
    root: Path, store: CodeFindings, outside: CodeEvidence
) -> None:
    remember(root, store, make_finding(None, CodeVerdict.VERIFIED, outside))
    assert opened(root, store).find(make_claim()) is None


def test_another_engine_finds_for_itself(root: Path, store: CodeFindings) -> None:
    remember(root, store, make_finding())
    assert opened(root, store, method="some model").find(make_claim()) is None
    assert opened(root, store).find(make_claim()) is not None


def test_nearly_the_same_words_are_the_same_claim(root: Path, store: CodeFindings) -> None:
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
def test_alike_is_not_the_same(root: Path, store: CodeFindings, other: DocClaim) -> None:
    remember(root, store, make_finding())
    assert opened(root, store).find(other) is None


def test_one_word_turns_a_sentence_round(root: Path, store: CodeFindings) -> None:
    said = make_claim(
        "`fetch` is now safe to be called from any thread.", kind=AssertionKind.BEHAVES, expected=()
    )
    denied = make_claim(
        "`fetch` is not safe to be called from any thread.", kind=AssertionKind.BEHAVES, expected=()
    )
    remember(root, store, make_finding(said))
    assert opened(root, store).find(said) is not None
    assert opened(root, store).find(denied) is None


def test_a_correction_belongs_to_its_own_place(root: Path, store: CodeFindings) -> None:
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


@pytest.mark.parametrize("broken", [None, NoStore()], ids=["no database", "a broken one"])
def test_without_a_database_findings_wait_in_a_file(
    root: Path, store: CodeFindings, broken: FindingStore | None
) -> None:
    cache = opened(root, broken)
    cache.keep(make_finding())
    cache.save()
    assert [failure.message for failure in cache.failures] == (
        ["The database can't be used."] if broken else []
    )
    assert opened(root, broken).find(make_claim()) is not None
    synced = opened(root, store)
    synced.save()
    assert not list((root.parent / "cache").iterdir())
    assert opened(root, store).find(make_claim()) is not None


def test_what_no_longer_holds_does_not_pile_up(root: Path, store: CodeFindings) -> None:
    remember(root, store, make_finding())
    for number in range(3):
        (root / "limits.py").write_text(f"SHORT = {number}\n")
        remember(root, store, make_finding())
    assert len(store.load(str(root.resolve()))) == 1


def test_what_was_found_anew_takes_the_place_of_the_old(root: Path, store: CodeFindings) -> None:
    """Another definition makes the first finding invalid, though none of the files it rests on has changed."""
    remember(root, store, make_finding())
    (root / "second.py").write_text("def fetch(timeout=9):\n    return timeout\n")
    remember(root, store, make_finding(None, CodeVerdict.INCONCLUSIVE))
    found = opened(root, store).find(make_claim())
    assert found is not None
    assert found.verdict is CodeVerdict.INCONCLUSIVE


@pytest.mark.parametrize("content", [b"", b"\x00\xff", b"{}", b'[{"method": 1}]', b"[" * 100_000])
def test_a_damaged_file_is_nobodys_error(root: Path, content: bytes) -> None:
    remember(root, None, make_finding())
    (file,) = (root.parent / "cache").iterdir()
    file.write_bytes(content)
    assert opened(root, None).find(make_claim()) is None
    remember(root, None, make_finding())
    assert opened(root, None).find(make_claim()) is not None


def test_a_row_of_another_shape_is_checked_again(root: Path, store: CodeFindings) -> None:
    remember(root, store, make_finding())
    repo = str(root.resolve())
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


def test_repositories_do_not_mix(root: Path, store: CodeFindings, tmp_path: Path) -> None:
    remember(root, store, make_finding())
    other = tmp_path / "copy"
    other.mkdir()
    for file in root.iterdir():
        (other / file.name).write_bytes(file.read_bytes())
    assert opened(other, store).find(make_claim()) is None


@pytest.mark.parametrize("verdict", [CodeVerdict.REFUTED, CodeVerdict.CONTESTED])
def test_what_may_have_been_true_once_is_looked_at_again_after_a_commit(
    root: Path, store: CodeFindings, verdict: CodeVerdict
) -> None:
    """The next commit can be the one that shows until when it was."""
    remember(root, store, make_finding(None, verdict, code(value="7")), head="abc1234")
    assert opened(root, store, head="abc1234").find(make_claim()) is not None
    assert opened(root, store, head="def5678").find(make_claim()) is None


def test_what_is_verified_needs_no_history(root: Path, store: CodeFindings) -> None:
    remember(root, store, make_finding(), head="abc1234")
    assert opened(root, store, head="def5678").find(make_claim()) is not None
