"""Rules on what manifests declare: versions, extras, scripts, targets."""

import re
from collections.abc import Sequence

from veridic.domain.code import AssertionKind, ClaimDomain, EntityKind
from veridic.verify.facts.bounds import lowest
from veridic.verify.facts.model import Fact, FactKind
from veridic.verify.rules.rule import Example, Look, Outcome, Rule, at, listed

_VERSION = re.compile(r"\d+(?:\.\d+)*")
_SHORT = 14
"""In words. Longer sentences are mostly about the needs of a feature or another program."""
_MANIFEST = {
    "pyproject.toml": '[project]\nname = "kit"\nversion = "1"\nrequires-python = ">=3.9"\n[project.optional-dependencies]\nfast = []\n'
}
_SCRIPTS = {"package.json": '{"name": "kit", "scripts": {"build": "x", "test": "y"}}'}
_RUNNERS = {"make": FactKind.TARGET, "gmake": FactKind.TARGET} | dict.fromkeys(
    ("npm", "npm run", "pnpm", "pnpm run", "yarn", "yarn run", "bun run"), FactKind.SCRIPT
)
"""`npm start` also works without a script of that name."""


def check_runtime(look: Look) -> Outcome | None:
    """Check the language version in a document against the lowest version that the manifests allow."""
    facts = _top_level(look.context.table(FactKind.RUNTIME).named(look.subject.name.lower()))
    said = [_parse_version(found[0]) for words in look.expected if (found := _VERSION.search(words))]
    bounds = {bound for fact in facts if (bound := lowest(fact.name, fact.value or "")) is not None}
    if not facts or not said or len(bounds) != 1 or not look.is_in_document:
        return None
    (bound,) = bounds
    least = min(said)
    if any(_same(_parse_version(found), bound) for found in _VERSION.findall(look.claim.text)):
        least = bound  # another version in the same sentence is of something else
    name, required = look.subject.name, facts[0].value
    if _same(least, bound):
        return look.holds(f"`{name}` is required as {required} ({at(facts[0])}).", *facts)
    if _below(least, bound):
        return look.fails(
            f"`{name}` is required as {required} ({at(facts[0])}): {'.'.join(map(str, least))} won't do.",
            *facts,
            value=".".join(map(str, bound)),
            basis="short" if len(look.claim.text.split()) <= _SHORT else "long",
        )
    return look.stays_open(
        f"`{name}` is required as {required} ({at(facts[0])}), which is less; a part may need more.",
        "What exactly needs it, in the document.",
        *facts,
    )


def _top_level(facts: Sequence[Fact]) -> list[Fact]:
    """The facts of the manifests nearest to the root; others belong to parts, tools and examples."""
    known = [fact for fact in facts if fact.value]
    top = min((fact.path.count("/") for fact in known), default=0)
    return [fact for fact in known if fact.path.count("/") == top]


def check_extra(look: Look) -> Outcome | None:
    """Check an extra of the project's own package."""
    package, _, rest = look.subject.name.partition("[")
    extra = rest.rstrip("]").strip()
    own = {_normal(fact.name) for fact in look.context.manifests[FactKind.PACKAGE].facts}
    if not extra or _normal(package) not in own or not look.is_in_document:
        return None
    table = look.context.manifests[FactKind.EXTRA]
    names = {_normal(fact.name): fact for fact in table.facts}
    missing = [name for name in extra.split(",") if _normal(name.strip()) not in names]
    if not missing:
        first = names[_normal(extra.split(",")[0].strip())]
        return look.holds(f"`{extra}` is an extra ({at(first)}).", first)
    if not table.is_complete:
        return None
    return look.missing(
        f"`{package}` has no extra `{missing[0]}`.", table.facts[0].path, listed(sorted(names)), basis="extra"
    )


def check_script(look: Look) -> Outcome | None:
    """Check whether a make target or a script exists."""
    runner, _, name = look.subject.name.rpartition(" ")
    kind = _RUNNERS.get(runner)
    if kind is None:
        return None
    table = look.context.manifests[kind]
    if facts := table.named(name):
        return look.holds(f"`{look.subject.name}` is there ({at(facts[0])}).", *facts)
    # A document may mean the scripts of its readers: of three alarms on public projects none was right. A Makefile is the project's own.
    if kind is not FactKind.TARGET or not table.is_complete or not look.is_in_document:
        return None
    if "/" in look.claim.document or any("/" in fact.path for fact in table.facts):
        return None
    return look.missing(
        f"The Makefile has no target `{name}`.",
        table.facts[0].path,
        listed(sorted({fact.name for fact in table.facts}), 12),
        basis="target",
    )


def _parse_version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(".")[:4] if len(part) < 9)


def _same(said: tuple[int, ...], bound: tuple[int, ...]) -> bool:
    short = min(len(said), len(bound))
    return said[:short] == bound[:short] and not any((*said[short:], *bound[short:]))


def _below(said: tuple[int, ...], bound: tuple[int, ...]) -> bool:
    return said < bound[: len(said)]


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


RULES = (
    Rule(
        name="runtime version",
        agent=ClaimDomain.CONFIGURATION,
        reads="The lowest version of the language that the manifests let in.",
        asserts=frozenset({AssertionKind.REQUIRES}),
        subjects=frozenset({EntityKind.PACKAGE, EntityKind.VERSION}),
        check=check_runtime,
        holds=Example("Kit requires Python 3.9 or newer.", _MANIFEST),
        fails=Example("Kit requires Python 3.7 or newer.", _MANIFEST),
    ),
    Rule(
        name="extra",
        agent=ClaimDomain.CONFIGURATION,
        reads="The extras of the project's own package.",
        asserts=frozenset({AssertionKind.EXISTS, AssertionKind.REQUIRES}),
        subjects=frozenset({EntityKind.PACKAGE}),
        check=check_extra,
        holds=Example("```sh\npip install kit[fast]\n```", _MANIFEST),
        fails=Example("```sh\npip install kit[slow]\n```", _MANIFEST),
    ),
    Rule(
        name="script",
        agent=ClaimDomain.CONFIGURATION,
        reads="The targets of the Makefile and the scripts of package.json.",
        asserts=frozenset({AssertionKind.EXISTS}),
        subjects=frozenset({EntityKind.COMMAND}),
        check=check_script,
        holds=Example("```sh\nnpm run build\n```", _SCRIPTS),
        fails=Example("```sh\nmake install\n```", {"Makefile": "build:\n\tcc kit.c\n"}),
    ),
)
