"""Evidence from git history."""

from pathlib import Path

import pytest
from tests.unit.verify.test_history import Project

from veridic.domain.code import (
    AgentVerdict,
    Assertion,
    AssertionKind,
    ClaimCategory,
    CodeEvidence,
    CodeVerdict,
    DocClaim,
    Entity,
    EntityKind,
    EvidenceTier,
    Origin,
)
from veridic.domain.evidence import Stance
from veridic.verify.evidence.history import check_commits, when_it_became_false


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "project")


def make_claim(
    text: str,
    subject: Entity,
    *expected: str,
    kind: AssertionKind = AssertionKind.EXISTS,
    origin: Origin = Origin.MARKDOWN,
) -> DocClaim:
    return DocClaim(
        id="c1",
        text=text,
        document="README.md",
        line=1,
        end_line=1,
        origin=origin,
        category=ClaimCategory.INTERNAL,
        domain="history",
        assertion=Assertion(kind=kind, subject=subject, expected=expected),
    )


def verdict_on(project: Project, text: str, name: str, origin: Origin = Origin.MARKDOWN) -> CodeVerdict:
    claim = make_claim(text.format(name), Entity(kind=EntityKind.COMMIT, name=name), origin=origin)
    return check_commits([claim], project.history())["c1"].verdict


MISSING = "0123456789"


def test_existing_commit_is_verified(project: Project) -> None:
    commit = project.commit("Start", a__py="x = 1\n")
    assert verdict_on(project, "Since commit {}.", commit[:9]) is CodeVerdict.VERIFIED
    assert verdict_on(project, "- Faster ({})", commit[:9].upper(), Origin.CHANGELOG) is CodeVerdict.VERIFIED


@pytest.mark.parametrize(
    ("text", "origin", "verdict"),
    [
        ("It was introduced in commit `{}`.", Origin.MARKDOWN, CodeVerdict.REFUTED),
        ("The colour is {}.", Origin.MARKDOWN, CodeVerdict.INCONCLUSIVE),
        ("(cherry picked from commit {})", Origin.MARKDOWN, CodeVerdict.INCONCLUSIVE),
        ("See upstream commit {}.", Origin.MARKDOWN, CodeVerdict.INCONCLUSIVE),
        ("Fixed in commit {}.", Origin.CHANGELOG, CodeVerdict.INCONCLUSIVE),
        ("Reverts commit {}.", Origin.COMMIT, CodeVerdict.INCONCLUSIVE),
    ],
)
def test_missing_commit_is_rarely_refuted(
    project: Project, text: str, origin: Origin, verdict: CodeVerdict
) -> None:
    project.commit("Start", a__py="x = 1\n")
    assert verdict_on(project, text, MISSING, origin) is verdict


def test_issue_is_inconclusive(project: Project) -> None:
    project.commit("Start", a__py="x = 1\n")
    claim = make_claim("See #12.", Entity(kind=EntityKind.ISSUE, name="#12"))
    found = check_commits([claim], project.history())["c1"]
    assert (found.verdict, found.would_settle) == (
        CodeVerdict.INCONCLUSIVE,
        "Look it up in the issue tracker.",
    )


def test_other_claims_are_ignored(project: Project) -> None:
    project.commit("Start", a__py="x = 1\n")
    claim = make_claim("`run` exists.", Entity(kind=EntityKind.FUNCTION, name="run"))
    assert check_commits([claim], project.history()) == {}


TIMEOUT = Entity(kind=EntityKind.CONSTANT, name="TIMEOUT")


def refuted(line: int, quote: str, value: str | None) -> AgentVerdict:
    evidence = CodeEvidence(
        tier=EvidenceTier.CODE, stance=Stance.CONTRADICTING, path="a.py", line=line, quote=quote, value=value
    )
    return AgentVerdict(
        agent="configuration",
        verdict=CodeVerdict.REFUTED,
        confidence=0.9,
        reason="It is 60.",
        evidence=(evidence,),
    )


def test_finds_the_commit_that_changed_the_value(project: Project) -> None:
    project.commit("Start", a__py="A = 1\nTIMEOUT = 30  # seconds\n")
    commit = project.commit("Wait longer", a__py="A = 1\nTIMEOUT = 60  # seconds\n")
    claim = make_claim("TIMEOUT is 30.", TIMEOUT, "30", kind=AssertionKind.EQUALS)
    (found,) = when_it_became_false(claim, refuted(2, "TIMEOUT = 60  # seconds", "60"), project.history())
    assert (found.tier, found.stance, found.path) == (EvidenceTier.HISTORY, Stance.SUPPORTING, commit)
    assert found.quote == (
        f"`TIMEOUT = 30  # seconds` became `TIMEOUT = 60  # seconds` on 2025-03-01 in {commit[:10]} (Wait longer)"
    )


@pytest.mark.parametrize(
    ("expected", "line", "quote", "value"),
    [
        ("45", 2, "TIMEOUT = 60", "60"),
        ("30", 1, "A = 1", "1"),
        ("30", 2, "TIMEOUT = 90", "90"),
        ("30", 2, "TIMEOUT = 60", None),
        ("30", 99, "TIMEOUT = 60", "60"),
    ],
    ids=["never true", "another line", "changed since", "no value", "no such line"],
)
def test_no_evidence_unless_history_shows_the_change(
    project: Project, expected: str, line: int, quote: str, value: str | None
) -> None:
    project.commit("Start", a__py="A = 1\nTIMEOUT = 30\n")
    project.commit("Wait longer", a__py="A = 1\nTIMEOUT = 60\n")
    claim = make_claim("It is so.", TIMEOUT, expected, kind=AssertionKind.EQUALS)
    assert when_it_became_false(claim, refuted(line, quote, value), project.history()) == ()


def test_finds_the_commit_that_deleted_a_file(project: Project) -> None:
    project.commit("Start", guide__md="Words.\n", a__py="x = 1\n")
    (project.root / "guide.md").unlink()
    commit = project.commit("Tidy up")
    gone = make_claim("See guide.md.", Entity(kind=EntityKind.PATH, name="guide.md"))
    (found,) = when_it_became_false(gone, refuted(1, "x", None), project.history())
    assert (found.path, found.quote) == (
        commit,
        f"guide.md was deleted on 2025-03-01 in {commit[:10]} (Tidy up)",
    )
    never = make_claim("See other.md.", Entity(kind=EntityKind.PATH, name="*.md"))
    assert when_it_became_false(never, refuted(1, "x", None), project.history()) == ()
