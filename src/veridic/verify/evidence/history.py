"""Evidence from git history: whether a commit exists, and until when a claim was true (tier 5)."""

import re
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256

from veridic.domain.code import (
    AgentVerdict,
    Assertion,
    AssertionKind,
    ClaimCategory,
    ClaimDomain,
    CodeEvidence,
    CodeVerdict,
    Depth,
    DocClaim,
    Entity,
    EntityKind,
    EvidenceTier,
    Origin,
)
from veridic.domain.evidence import Stance
from veridic.verify.facts.literals import same_value
from veridic.verify.history import CommitText, History, LineChange

AGENT = "history"
_SAYS_COMMIT = re.compile(r"\b(?:commit|revision|changeset) `?$", re.IGNORECASE)
_HASH = re.compile(r"(?<![\w/-])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}(?![\w/-])")
_FROM_ELSEWHERE = re.compile(r"cherry|upstream|backport|\bfork", re.IGNORECASE)


def find_commit_claims(messages: Iterable[CommitText]) -> Iterator[DocClaim]:
    """Yield a claim for each commit hash in commit messages: that the commit exists. The rest of a message was true when written."""
    for message in messages:
        for number, line in enumerate(message.text.split("\n"), 1):
            for match in _HASH.finditer(line):
                name = match[0]
                entity = Entity(kind=EntityKind.COMMIT, name=name)
                words = f"{message.hash}\0{number}\0{name}"
                yield DocClaim(
                    id=sha256(words.encode()).hexdigest()[:16],
                    text=line.strip(),
                    document=message.hash,
                    line=number,
                    end_line=number,
                    origin=Origin.COMMIT,
                    category=ClaimCategory.INTERNAL,
                    domain=ClaimDomain.HISTORY,
                    entities=(entity,),
                    assertion=Assertion(kind=AssertionKind.EXISTS, subject=entity),
                )


def check_commits(claims: Iterable[DocClaim], history: History) -> Mapping[str, AgentVerdict]:
    """Return a verdict, by claim id, on every claim that a commit or an issue exists.

    A missing commit refutes a claim only if the text clearly means a commit of this repository; changelogs and
    messages also name commits of other branches, of other projects, and from before history was rewritten.
    """
    referring = {
        claim.id: (claim, subject)
        for claim in claims
        if (subject := claim.assertion.subject) is not None
        and claim.assertion.kind is AssertionKind.EXISTS
        and subject.kind in (EntityKind.COMMIT, EntityKind.ISSUE)
    }
    known = history.have_commits(
        subject.name.lower() for _, subject in referring.values() if subject.kind is EntityKind.COMMIT
    )
    return {
        claim_id: (
            _commit_verdict(claim, subject.name, known.get(subject.name.lower()))
            if subject.kind is EntityKind.COMMIT
            else _inconclusive(
                f"Issue {subject.name}",
                "Issues are not part of the repository.",
                "Look it up in the issue tracker.",
            )
        )
        for claim_id, (claim, subject) in referring.items()
    }


def when_it_became_false(
    claim: DocClaim, verdict: AgentVerdict, history: History
) -> tuple[CodeEvidence, ...]:
    """Return evidence that a refuted claim was once true: the commit that changed the value or deleted the file.

    Empty if the history does not show exactly that.
    """
    subject = claim.assertion.subject
    if verdict.verdict is not CodeVerdict.REFUTED:
        return ()
    if claim.assertion.kind in (AssertionKind.EXISTS, AssertionKind.LINKS):
        is_path = subject is not None and subject.kind is EntityKind.PATH
        change = history.deletion(subject.name) if subject is not None and is_path else None
        return (_evidence(change, f"{change.before} was deleted"),) if change else ()
    for piece in verdict.evidence:
        if piece.tier is EvidenceTier.CODE and piece.line is not None and piece.value:
            change = history.last_change(piece.path, piece.line)
            if change and change.before and _had_claimed_value(claim, piece, change):
                return (_evidence(change, f"`{change.before.strip()}` became `{change.after.strip()}`"),)
    return ()


def _had_claimed_value(claim: DocClaim, piece: CodeEvidence, change: LineChange) -> bool:
    """Whether the commit changed only the value in the line, and the document still has the old value."""
    value, before = piece.value or "", change.before or ""
    if len(claim.assertion.expected) != 1 or change.after.strip() not in piece.quote:
        return False
    start, found, end = change.after.partition(value)
    if not found or not before.startswith(start) or not before.endswith(end):
        return False
    old = before[len(start) : len(before) - len(end)]
    return same_value(claim.assertion.expected[0], old.strip()) is True


def _evidence(change: LineChange, what: str) -> CodeEvidence:
    return CodeEvidence(
        tier=EvidenceTier.HISTORY,
        stance=Stance.SUPPORTING,
        path=change.commit,
        quote=f"{what} on {change.date:%Y-%m-%d} in {change.commit[:10]} ({change.summary})",
    )


def _commit_verdict(claim: DocClaim, name: str, is_there: bool | None) -> AgentVerdict:
    if is_there:
        return _verdict(
            CodeVerdict.VERIFIED,
            0.95,
            "The commit is in the history.",
            name,
            "commit found",
            Stance.SUPPORTING,
        )
    before, _, _ = claim.text.partition(name)
    is_plain = _SAYS_COMMIT.search(before) and not _FROM_ELSEWHERE.search(claim.text)
    if is_there is False and is_plain and claim.origin not in (Origin.CHANGELOG, Origin.COMMIT):
        reason = "There is no such commit in the history."
        return _verdict(CodeVerdict.REFUTED, 0.8, reason, name, "commit missing", Stance.CONTRADICTING)
    return _inconclusive(
        name, "The commit is not in this clone's history.", "Look for it in other branches and projects."
    )


def _inconclusive(name: str, reason: str, would_settle: str) -> AgentVerdict:
    verdict = _verdict(CodeVerdict.INCONCLUSIVE, 0.0, reason, name, reason, Stance.CONTEXTUAL)
    return verdict.model_copy(update={"would_settle": would_settle})


def _verdict(
    verdict: CodeVerdict, confidence: float, reason: str, name: str, quote: str, stance: Stance
) -> AgentVerdict:
    evidence = CodeEvidence(tier=EvidenceTier.HISTORY, stance=stance, path=name, quote=quote)
    return AgentVerdict(
        agent=AGENT,
        verdict=verdict,
        confidence=confidence,
        reason=reason,
        evidence=(evidence,),
        depth=Depth.MEDIUM,
    )
