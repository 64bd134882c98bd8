"""Finds names in documents that the code had when the document was written, and no longer has.

A name that is not in the code may belong to the reader or to another project. If the code of the project had it at the commit that last
changed the line of the document, it was the project's, and it is gone.
"""

import re
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
from veridic.verify.facts.declarations import is_not_product_code
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
        EntityKind.ENVIRONMENT,
    }
)
_DEFINED = r"\b(?:class|struct|enum|union|interface|trait|type|def|fn|func|function|const|record|public|protected)\b[^=\"'`]*(?<![\w-]){0}(?![\w-])"
"""A line with a definition of the name, in any language."""
_QUOTED = r"[\"'`]-{{0,2}}{0}[\"'`= ,|]|^\s*{0}\s*[=:]|(?:\benv|\bENV)\.{0}\b|^\s*(?:pub )?{0}:"
"""A line with the name alone in quotes, or as a key or a field."""
_SHORTEST = 5
_MOST_NAMES, _MOST_COMMITS = 400, 40


def check_removed_names(
    claims: Sequence[DocClaim], context: Context, history: History
) -> Iterator[tuple[str, AgentVerdict]]:
    """Yield a verdict, with the claim id, on each name in documents that the code once had and no longer has."""
    foreign = _possibly_foreign_options(claims, context)
    missing = [
        claim for claim in claims if _may_be_removed(claim, context) and _key(_name(claim)) not in foreign
    ][:_MOST_NAMES]
    by_commit: dict[str, list[DocClaim]] = defaultdict(list)
    for document, own in _by_document(missing).items():
        commits = history.line_commits(document)
        for claim in own:
            if commit := commits.get(claim.line):
                by_commit[commit].append(claim)
    for commit in sorted(by_commit, key=lambda one: -len(by_commit[one]))[:_MOST_COMMITS]:
        spelled = {word for claim in by_commit[commit] for word in _spellings(claim)}
        had = history.lines_with(spelled, commit)
        for claim in by_commit[commit]:
            basis, how = _basis(claim)
            home = context.project_of(claim.document)
            lines = [line for word in _spellings(claim) for line in had.get(word, ())]
            for path, number, quote in lines:
                is_own = (
                    is_code(path)
                    and not is_not_product_code(path)
                    and language_of(path)
                    and path.startswith(home)
                )
                if is_own and _matches(quote, how, claim):
                    yield claim.id, _verdict(claim, commit, f"{path}:{number}: {quote}", basis)
                    break


def _may_be_removed(claim: DocClaim, context: Context) -> bool:
    """Whether a name has several words, and neither code nor tests have it. An environment variable must also have the prefix of
    others that the project reads: a library may read any other variable that the project once read."""
    subject = claim.assertion.subject
    if subject is None or claim.assertion.kind is not AssertionKind.EXISTS or subject.kind not in _KINDS:
        return False
    if claim.origin in (Origin.CHANGELOG, Origin.COMMIT) or not is_document(claim.document):
        return False
    if subject.kind is EntityKind.FLAG and subject.owner and subject.owner.split()[0] not in context.programs:
        return False
    name = _name(claim)
    if len(name) < _SHORTEST or len(pieces(name)) < 2:
        return False
    if name.isupper():
        return context.is_own_variable(name) and not context.may_read(name)
    if subject.kind is EntityKind.FLAG and not context.may_be_own_option(claim):
        return False
    # A name with dashes may be an option, which can be declared in many spellings.
    if "-" in name or subject.kind is EntityKind.FLAG:
        return not context.names.spells(name)
    return not context.names.has(name) and not context.tests_have(name)


def _basis(claim: DocClaim) -> tuple[str, str]:
    """The basis of an alarm, and a pattern that a line of the old code must match."""
    subject = claim.assertion.subject
    name = _name(claim)
    if subject and subject.kind is EntityKind.FLAG:
        return "option", f"{_DEFINED}|{_QUOTED}"
    if name.isupper():
        return "variable", _QUOTED
    return "at the line's commit", ""


def _matches(line: str, how: str, claim: DocClaim) -> bool:
    spelled = f"(?:{'|'.join(map(re.escape, _spellings(claim)))})"
    return not how or re.search(how.format(spelled), line) is not None


def _spellings(claim: DocClaim) -> tuple[str, ...]:
    """The spellings of the name in code: the field of an option has underscores, or is in camel case."""
    name = _name(claim)
    subject = claim.assertion.subject
    if subject is None or subject.kind is not EntityKind.FLAG:
        return (name,)
    first, *others = pieces(name)
    return tuple(dict.fromkeys((name, "_".join((first, *others)), first + "".join(map(str.title, others)))))


def _possibly_foreign_options(claims: Iterable[DocClaim], context: Context) -> frozenset[str]:
    """Options in documents that a plugin or a library may declare, although the project's own code once did: all of them if the table
    of options is incomplete, else none."""
    table = context.table(FactKind.OPTION)
    subjects = (claim.assertion.subject for claim in claims)
    flags = {one.name for one in subjects if one is not None and one.kind is EntityKind.FLAG}
    return frozenset() if table.is_complete else frozenset(map(_key, flags))


def _key(name: str) -> str:
    """A key that is the same for an option and the setting of its name."""
    return name.strip("-").replace("-", "_")


def _name(claim: DocClaim) -> str:
    subject = claim.assertion.subject
    return subject.name.removesuffix("()").rpartition(".")[2].strip("-").lstrip("$") if subject else ""


def _by_document(claims: Iterable[DocClaim]) -> Mapping[str, list[DocClaim]]:
    found: dict[str, list[DocClaim]] = defaultdict(list)
    for claim in claims:
        found[claim.document].append(claim)
    return found


def _verdict(claim: DocClaim, commit: str, quote: str, basis: str) -> AgentVerdict:
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
        confidence=confidence_in(f"{RULE}: {basis}", CodeVerdict.STALE),
        reason=f"No code of the project has `{name}` any more; it did when this was written.",
        evidence=evidence,
        depth=Depth.MEDIUM,
        rule=f"{RULE}: {basis}",
    )
