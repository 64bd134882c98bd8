"""How deep a claim has to be looked into before its verdict stands, and what to try where it can't be settled."""

from veridic.domain.code import AssertionKind, ClaimCategory, ClaimDomain, CodeVerdict, Depth, DocClaim

_LOOK_AGAIN = (CodeVerdict.REFUTED, CodeVerdict.MISLEADING, CodeVerdict.STALE)
_SECOND_LOOK = (CodeVerdict.INCONCLUSIVE, CodeVerdict.AMBIGUOUS)
_SETTLED_BY: dict[AssertionKind, str] = {
    AssertionKind.DEFAULT: "A test that shows the default, or a literal value in the code.",
    AssertionKind.EQUALS: "A test that shows the value, or a literal value in the code.",
    AssertionKind.SIGNATURE: "The definition's full name in the document, or a test that makes the call.",
    AssertionKind.PARAMETER: "The function's full name in the document, or a test that passes the parameter.",
    AssertionKind.RETURNS: "A test that shows what is returned, or a return annotation.",
    AssertionKind.RAISES: "A test in which the exception is raised.",
    AssertionKind.REQUIRES: "One lower bound in the project's manifests.",
    AssertionKind.MEMBERS: "A list of the members in one place of the code.",
    AssertionKind.COUNT: "The name of what is counted in the document.",
    AssertionKind.EXISTS: "The full name or path in the document.",
    AssertionKind.DEPRECATED: "A mark of deprecation in the code, or the commit that deprecated it.",
    AssertionKind.LINKS: "Following the link.",
    AssertionKind.BEHAVES: "A test that shows the behaviour.",
}


def next_depth(verdict: CodeVerdict, depth: Depth, *, deep_is_feasible: bool) -> Depth | None:
    """How deep to look before the verdict is final; None where it is.

    Refuted, Misleading and Stale at shallow depth are looked at again at medium depth; what is still Refuted
    there, at deep depth where tests can be run. Inconclusive is not looked into deeper: it says what would settle it.
    """
    if depth is Depth.SHALLOW and verdict in _LOOK_AGAIN:
        return Depth.MEDIUM
    if depth is Depth.MEDIUM and verdict is CodeVerdict.REFUTED and deep_is_feasible:
        return Depth.DEEP
    return None


def needs_second_look(verdict: CodeVerdict) -> bool:
    """Whether to ask what evidence would confirm or refute the claim, and to try that."""
    return verdict in _SECOND_LOOK


def what_would_settle(claim: DocClaim) -> str:
    """The evidence that would decide a claim which nothing has decided so far."""
    if claim.category is ClaimCategory.EXTERNAL:
        return "Looking at what the claim is about outside the repository."
    if claim.domain in (ClaimDomain.PERFORMANCE, ClaimDomain.CONCURRENCY):
        return "Running a test or benchmark that shows it (--run-tests)."
    if claim.domain == ClaimDomain.HISTORY and claim.assertion.kind is not AssertionKind.LINKS:
        return "The commit in which it happened."
    return _SETTLED_BY[claim.assertion.kind]
