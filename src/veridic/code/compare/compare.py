"""One claim held against the facts, by the kind of what it asserts."""

from collections.abc import Callable, Mapping

from veridic.code.compare.counts import compare_count
from veridic.code.compare.existence import compare_existence
from veridic.code.compare.fixed_values import compare_value
from veridic.code.compare.inner_links import compare_link
from veridic.code.compare.looking import Look
from veridic.code.compare.members import compare_members
from veridic.code.compare.promises import compare_definition, compare_deprecated, compare_promise
from veridic.code.compare.raises import compare_raises
from veridic.code.compare.returns import compare_returns
from veridic.code.compare.signatures import compare_parameter, compare_signature
from veridic.code.compare.versions import compare_requires
from veridic.code.index import FactIndex
from veridic.code.scope import BEYOND_SCOPE, MOST_FILES, expansion
from veridic.domain.code import (
    AgentVerdict,
    AssertionKind,
    ClaimCategory,
    CodeEvidence,
    Depth,
    DocClaim,
    EvidenceTier,
    Origin,
)
from veridic.domain.evidence import Stance

_OF_THE_PAST = (Origin.CHANGELOG, Origin.COMMIT)
_SHOWN_FILES = 5


def compare(claim: DocClaim, index: FactIndex, depth: Depth) -> AgentVerdict | None:
    """What the code has to say of the claim, with `file:line`; None where there is nothing to compare.

    What changelogs and commits say was true once: only their links are looked at.
    """
    kind = claim.assertion.kind
    if claim.category is ClaimCategory.EXTERNAL:
        return None
    if claim.origin in _OF_THE_PAST and kind is not AssertionKind.LINKS:
        return None
    return _COMPARISONS[kind](Look(claim, index, depth))


def _compare_behaviour(look: Look) -> AgentVerdict | None:
    """What a definition shows; a claim that needs more files than can be looked at; else nothing."""
    scope = expansion(look.claim, look.index)
    if scope is None or not scope.is_beyond_scope:
        return compare_definition(look)
    evidence = [
        CodeEvidence(
            tier=EvidenceTier.CODE,
            stance=Stance.CONTEXTUAL,
            path=path,
            quote=f"One of {len(scope.files)} files that the claim depends on.",
            digest=look.index.digest(path),
        )
        for path in scope.files[:_SHOWN_FILES]
    ]
    verdict = look.inconclusive(
        f"{BEYOND_SCOPE}: “{scope.keyword}” concerns {len(scope.files)} files, more than {MOST_FILES}.",
        would_settle="A narrower claim, or a test of what it says.",
    )
    return verdict.model_copy(update={"evidence": tuple(evidence)})


_COMPARISONS: Mapping[AssertionKind, Callable[[Look], AgentVerdict | None]] = {
    AssertionKind.EXISTS: compare_existence,
    AssertionKind.SIGNATURE: compare_signature,
    AssertionKind.DEFAULT: compare_value,
    AssertionKind.EQUALS: compare_value,
    AssertionKind.RETURNS: compare_returns,
    AssertionKind.RAISES: compare_raises,
    AssertionKind.REQUIRES: compare_requires,
    AssertionKind.MEMBERS: compare_members,
    AssertionKind.COUNT: compare_count,
    AssertionKind.PARAMETER: compare_parameter,
    AssertionKind.DEPRECATED: compare_deprecated,
    AssertionKind.PROMISE: compare_promise,
    AssertionKind.LINKS: compare_link,
    AssertionKind.BEHAVES: _compare_behaviour,
}
