"""What every comparison needs: the claim, the facts, and the words for what came of it."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from veridic.code.index import FactIndex
from veridic.domain.code import (
    AgentVerdict,
    CodeEvidence,
    CodeVerdict,
    Depth,
    DocClaim,
    Entity,
    EvidenceTier,
    Fact,
    FactKind,
)
from veridic.domain.errors import InputError
from veridic.domain.evidence import Stance

SURE = 0.95
FAIRLY_SURE = 0.85
UNSURE = 0.5
CODE_KINDS = (FactKind.FUNCTION, FactKind.CLASS, FactKind.ENUM, FactKind.CONSTANT)
_BESIDE_THE_PROJECT = re.compile(
    r"(?:^|/)(?:tests?|testing|integration|__tests__|specs?|examples?|samples?|demos?|benchmarks?|fixtures?|docs?|docs_src)/"
    r"|(?:^|/)(?:test_[^/]*|conftest|[^/]*_test|[^/]*\.(?:test|spec)(?:-d)?)\.\w+$",
    re.IGNORECASE,
)
_MANIFESTS = ("pyproject.toml", "package.json", "Cargo.toml", "go.mod", "setup.py", "setup.cfg", "pom.xml")
_MADE_WITH_A_TOOL = re.compile(r"(?:^|/)(?:docs?|documentation|website|site)/$")
"""Folders of documents: a manifest in one is that of the tool that makes pages of them, and no project."""
_TESTS = re.compile(
    r"(?:^|/)(?:tests?|__tests__|specs?)/(?!.*\.go$)|(?:^|/)(?:test_|conftest|tests?\.py$)[^/]*$|^tests?/|_test\.(?:go|py)$"
    r"|\.(?:test|spec)(?:-d)?\.[cm]?[jt]sx?$"
)
_DOCUMENTS = (
    ".md",
    ".rst",
    ".txt",
    ".markdown",
    ".mdx",
    ".html",
    ".1",
    ".po",
    ".pot",
    ".ipynb",
    "pkg-info",
    "readme",
    "changelog",
    "changes",
    "news",
)
_COMPLETIONS = re.compile(r"(?:^|/)(?:completions?|complete)/|complet[^/]*\.(?:fish|bash|zsh|ps1)$")
"""For shells: they tell of a program's options, as a document does."""
_OF_THE_PAST = re.compile(
    r"(?:^|/)(?:change-?log|changes|history|news|release[-_]?notes)\.(?:ya?ml|json|toml|xml|adoc|org)$|(?:^|/)(?:newsfragments|change-?log\.d)/",
    re.IGNORECASE,
)
"""Changelogs, in whatever format."""
_LONGEST_SHOWN = 120
_ALIKE = 0.7


def shown(text: str) -> str:
    """A value as it stands in a sentence: on one line, not longer than a line."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_SHOWN else f"{line[: _LONGEST_SHOWN - 1]}…"


def is_beside_the_project(path: str) -> bool:
    """Tests, examples and documents: they use the project's code and are no part of it."""
    return _BESIDE_THE_PROJECT.search(path) is not None


def is_test(path: str) -> bool:
    return _TESTS.search(path) is not None


def at(fact: Fact) -> str:
    return f"{fact.path}:{fact.line}"


def last_part(name: str) -> str:
    """`fetch` of `app.Client.fetch`, `deprecated` of `@typing.deprecated("x")`."""
    return name.lstrip("@").partition("(")[0].replace("::", ".").rpartition(".")[2]


def closest(name: str, names: Iterable[str]) -> str | None:
    """The name that is most like it; None where none is much like it."""
    close = get_close_matches(name, sorted(names), n=1, cutoff=_ALIKE)
    return close[0] if close else None


def _implementations(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """Without declarations of overloads, where what they declare is there too."""
    written = tuple(fact for fact in facts if "overload" not in map(last_part, fact.decorators))
    return written or tuple(facts)


@dataclass(frozen=True)
class Look:
    """One look at one claim; `depth` says how far it may go."""

    claim: DocClaim
    index: FactIndex
    depth: Depth

    @property
    def subject(self) -> Entity | None:
        return self.claim.assertion.subject

    @property
    def expected(self) -> tuple[str, ...]:
        return self.claim.assertion.expected

    @property
    def is_further(self) -> bool:
        """Whether the look goes beyond the named thing itself."""
        return self.depth is not Depth.SHALLOW

    @property
    def is_in_passing(self) -> bool:
        """A function's docstring mentions another one: "like `fetch`, but returns a list" is not about `fetch`."""
        owner, subject = self.claim.owner, self.subject
        if not owner or subject is None or last_part(subject.name) == last_part(owner):
            return False
        return bool(self.index.named(owner, FactKind.FUNCTION))

    def is_code(self, words: str) -> bool:
        """Whether the document shows the words as code, in quotes, or behind a parameter's `=`."""
        text = self.claim.text
        return any(f"{left}{words}{right}" in text for left, right in ("``", '""', "''", "“”", "=)", "=,"))

    def named(self, name: str, *kinds: FactKind) -> tuple[Fact, ...]:
        """Facts of that name: of a docstring's own file first, then of the project without tests and examples."""
        found = self.index.named(name, *kinds) if name else ()
        if self.claim.owner:
            near = tuple(fact for fact in found if fact.path == self.claim.document)
            if near:
                return near
        return self.of_the_project(found)

    def of_the_project(self, facts: Sequence[Fact]) -> tuple[Fact, ...]:
        """Those of the project that the document belongs to, without its tests and examples."""
        home = self._home
        inside = tuple(fact for fact in facts if fact.path.startswith(home))
        document = self.claim.document[len(home) :]
        if is_beside_the_project(document) and not re.search(r"(?:^|/)docs?(?:_src)?/", document):
            return inside
        return tuple(fact for fact in inside if not is_beside_the_project(fact.path[len(home) :]))

    @property
    def _home(self) -> str:
        """The folder of the innermost project around the document: a repository may hold several."""
        parts = self.claim.document.split("/")[:-1]
        for length in range(len(parts), 0, -1):
            folder = "/".join(parts[:length]) + "/"
            if not _MADE_WITH_A_TOOL.search(folder) and any(
                f"{folder}{manifest}" in self.index.files for manifest in _MANIFESTS
            ):
                return folder
        return ""

    def meant(self, facts: Sequence[Fact]) -> tuple[Fact, ...]:
        """Without attributes of classes that the document does not speak of: a bare `type` may be anything's."""
        subject = self.subject
        if subject is None or subject.owner or "_" in subject.name:
            return tuple(facts)
        near = f"{self.claim.text} {self.claim.owner or ''}"
        return tuple(
            fact
            for fact in facts
            if fact.kind is not FactKind.CONSTANT
            or (fact.owner in near if fact.owner else not fact.name.islower() or bool(self.claim.owner))
        )

    def callables(self) -> tuple[Fact, ...]:
        """The functions or classes that the claim speaks of."""
        for name in self._owners():
            found = self.named(name, FactKind.FUNCTION, FactKind.CLASS)
            if found:
                exact = tuple(fact for fact in found if fact.qualified == name)
                return _implementations(exact or found)
        return ()

    def _owners(self) -> tuple[str, ...]:
        subject = self.subject
        if subject is None:
            return (self.claim.owner,) if self.claim.owner else ()
        owners: tuple[str | None, ...]
        if subject.kind.value in ("parameter", "value"):
            owners = (subject.owner or self.claim.owner,)
        elif subject.owner:
            owners = (f"{subject.owner}.{subject.name}", subject.name)
        else:
            owners = (subject.name,)
        return tuple(name.removesuffix("()") for name in owners if name)

    def resolve(self, name: str) -> str | None:
        """The source text of the value that a name in code stands for, where all that bear the name agree."""
        if not self.is_further:
            return None
        facts = [
            fact for fact in self.of_the_project(self.index.named(name, FactKind.CONSTANT)) if fact.value
        ]
        values = {fact.value for fact in facts}
        set_again = re.compile(rf"\bglobal\b[^\n]*\b{re.escape(last_part(name))}\b")
        is_set_again = any(
            self._may_have(fact.path, "global") and set_again.search(self.text(fact.path)) for fact in facts
        )
        return values.pop() if len(values) == 1 and not is_set_again else None

    def text(self, path: str) -> str:
        """The text of a file; empty where it can't be read any more."""
        try:
            return self.index.repository.read(path)
        except InputError:
            return ""

    def occurs_in_code(self, pattern: re.Pattern[str], word: str | None = None) -> bool:
        """Whether any file of the project that is no document has it: the last look before something is called missing.

        A `word` that is part of whatever fits spares reading the files that are known not to have it.
        """
        return self.has_in_code(lambda _, text: pattern.search(text) is not None, word)

    def has_in_code(self, has: Callable[[str, str], bool], word: str | None = None) -> bool:
        """The same for a question about the path and the text of a file."""
        return any(
            has(file.path, self.text(file.path))
            for file in self.index.repository.files
            if not file.path.lower().endswith(_DOCUMENTS)
            and not _COMPLETIONS.search(file.path)
            and not _OF_THE_PAST.search(file.path)
            and not is_test(file.path)
            and self._may_have(file.path, word)
        )

    def _may_have(self, path: str, word: str | None) -> bool:
        facts = self.index.files.get(path)
        return word is None or facts is None or word in facts.identifiers

    def evidence(self, fact: Fact, stance: Stance, value: str | None = None) -> CodeEvidence:
        return CodeEvidence(
            tier=EvidenceTier.CODE,
            stance=stance,
            path=fact.path,
            line=max(fact.line, 1),
            quote=fact.quote,
            value=value,
            digest=self.index.digest(fact.path),
        )

    def verified(self, reason: str, *facts: Fact, confidence: float = SURE) -> AgentVerdict:
        evidence = tuple(self.evidence(fact, Stance.SUPPORTING) for fact in facts)
        return self.verdict(CodeVerdict.VERIFIED, reason, evidence, confidence)

    def refuted(
        self, reason: str, *facts: Fact, value: str | None = None, confidence: float = SURE
    ) -> AgentVerdict:
        evidence = tuple(self.evidence(fact, Stance.CONTRADICTING, value) for fact in facts)
        return self.verdict(CodeVerdict.REFUTED, reason, evidence, confidence)

    def inconclusive(self, reason: str, *facts: Fact, would_settle: str) -> AgentVerdict:
        evidence = tuple(self.evidence(fact, Stance.CONTEXTUAL) for fact in facts)
        return self.verdict(CodeVerdict.INCONCLUSIVE, reason, evidence, UNSURE, would_settle)

    def verdict(
        self,
        verdict: CodeVerdict,
        reason: str,
        evidence: Sequence[CodeEvidence],
        confidence: float,
        would_settle: str | None = None,
    ) -> AgentVerdict:
        return AgentVerdict(
            agent=self.claim.domain,
            verdict=verdict,
            confidence=confidence,
            reason=reason,
            evidence=tuple(evidence),
            depth=self.depth,
            would_settle=would_settle,
        )


def found(look: Look, *facts: Fact) -> AgentVerdict:
    """What is named is there."""
    return look.verified(f"`{facts[0].name}` is there ({at(facts[0])}).", *facts[:3])
