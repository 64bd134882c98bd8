"""Names that the code had when a document was written, and no longer has: the history tells whose they were.

A name that no code spells may be anybody's: a reader's own, another project's. Where the code of the project spelled it at the commit that
gave the document's line its words, it was the project's, and it is gone.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from veridic.domain.code import (
    AgentVerdict,
    AssertionKind,
    CodeEvidence,
    CodeVerdict,
    Depth,
    DocClaim,
    EntityKind,
    EvidenceTier,
    Origin,
)
from veridic.domain.evidence import Stance
from veridic.verify.confidence import confidence_in
from veridic.verify.facts.calls import language_of
from veridic.verify.facts.declarations import is_aside
from veridic.verify.facts.model import FactKind
from veridic.verify.facts.names import is_code
from veridic.verify.history import History
from veridic.verify.revisions import is_document
from veridic.verify.rules.context import Context
from veridic.verify.spellings import pieces

AGENT = "history"
RULE = "gone name"
_KINDS = frozenset(
    {
        EntityKind.SYMBOL,
        EntityKind.FUNCTION,
        EntityKind.CLASS,
        EntityKind.CONSTANT,
        EntityKind.SETTING,
        EntityKind.FLAG,
    }
)
_SHORTEST = 5
_MOST_NAMES, _MOST_COMMITS = 400, 40


def check_gone(
    claims: Sequence[DocClaim], context: Context, history: History
) -> Iterator[tuple[str, AgentVerdict]]:
    """A verdict, by the claim's id, on names in documents that the code spelled once and spells nowhere now."""
    elsewhere = _options_of_others(claims, context)
    missing = [
        claim for claim in claims if _may_be_gone(claim, context) and _key(_name(claim)) not in elsewhere
    ][:_MOST_NAMES]
    by_commit: dict[str, list[DocClaim]] = defaultdict(list)
    for document, own in _by_document(missing).items():
        commits = history.line_commits(document)
        for claim in own:
            if commit := commits.get(claim.line):
                by_commit[commit].append(claim)
    for commit in sorted(by_commit, key=lambda one: -len(by_commit[one]))[:_MOST_COMMITS]:
        had = history.lines_with({word for claim in by_commit[commit] for word in _written(claim)}, commit)
        for claim in by_commit[commit]:
            for path, line, quote in (place for word in _written(claim) for place in had.get(word, ())):
                if is_code(path) and not is_aside(path) and language_of(path):
                    yield claim.id, _verdict(claim, commit, f"{path}:{line}: {quote}")
                    break


def _may_be_gone(claim: DocClaim, context: Context) -> bool:
    """Only a name with the look of one, several words in one, that nothing spells like this. Nothing in capitals: it may be a
    variable of the environment, and a library may read what the project's own code once read."""
    subject = claim.assertion.subject
    if subject is None or claim.assertion.kind is not AssertionKind.EXISTS or subject.kind not in _KINDS:
        return False
    if claim.origin in (Origin.CHANGELOG, Origin.COMMIT) or not is_document(claim.document):
        return False
    if subject.kind is EntityKind.FLAG and subject.owner and subject.owner.split()[0] not in context.programs:
        return False
    name = _name(claim)
    if name.isupper() or len(name) < _SHORTEST or len(pieces(name)) < 2 or context.names.has(name):
        return False
    # With dashes it may be an option, which is declared in many spellings.
    is_spelled = "-" in name and context.names.spells(name)
    return not is_spelled and not context.tests_have(name)


def _options_of_others(claims: Iterable[DocClaim], context: Context) -> frozenset[str]:
    """Options that documents tell of and no declaration was found for: where not all are read, a plugin or a library may declare one that
    the project's own code once did."""
    table = context.table(FactKind.OPTION)
    subjects = (claim.assertion.subject for claim in claims)
    flags = {one.name for one in subjects if one is not None and one.kind is EntityKind.FLAG}
    return frozenset() if table.is_complete else frozenset(map(_key, flags))


def _key(name: str) -> str:
    """The same for an option and for the setting of its name."""
    return name.strip("-").replace("-", "_")


def _written(claim: DocClaim) -> tuple[str, ...]:
    """How code may have spelled the name: an option is often declared by the variable that takes it."""
    name = _name(claim)
    return tuple(dict.fromkeys((name, _key(name)))) if "-" in name else (name,)


def _name(claim: DocClaim) -> str:
    subject = claim.assertion.subject
    return subject.name.removesuffix("()").rpartition(".")[2].strip("-") if subject else ""


def _by_document(claims: Iterable[DocClaim]) -> Mapping[str, list[DocClaim]]:
    found: dict[str, list[DocClaim]] = defaultdict(list)
    for claim in claims:
        found[claim.document].append(claim)
    return found


def _verdict(claim: DocClaim, commit: str, quote: str) -> AgentVerdict:
    name = _name(claim)
    evidence = (
        CodeEvidence(
            tier=EvidenceTier.HISTORY,
            stance=Stance.SUPPORTING,
            path=commit,
            quote=f"{quote} (at {commit[:10]})",
        ),
        CodeEvidence(
            tier=EvidenceTier.CODE,
            stance=Stance.CONTRADICTING,
            path=".",
            quote=f"{name}: not found in the code",
        ),
    )
    return AgentVerdict(
        agent=AGENT,
        verdict=CodeVerdict.STALE,
        confidence=confidence_in(f"{RULE}: at the line's commit", CodeVerdict.STALE),
        reason=f"No code of the project spells `{name}` any more; it did when this was written.",
        evidence=evidence,
        depth=Depth.MEDIUM,
        rule=f"{RULE}: at the line's commit",
    )
