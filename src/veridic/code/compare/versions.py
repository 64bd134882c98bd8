"""REQUIRES: the version of a language or package that must be there, by PEP 440 and semver alike."""

import re
from collections.abc import Sequence

from veridic.code.compare.looking import Look, at, shown
from veridic.domain.code import AgentVerdict, Fact, FactKind, Origin, Quantifier

Version = tuple[int, ...]
_VERSION = re.compile(r"\d+(?:\.\d+)*")
_CONDITION = re.compile(
    r"(?P<sign>>=|<=|==|===|!=|~=|~>|>|<|\^|~|=|≥)?\s*v?(?P<version>\d+(?:\.(?:\d+|x|\*))*)(?P<plus>\+)?"
)
_LOWER = frozenset({">=", "==", "===", "~=", "~>", "^", "~", "=", "≥", ""})
_LONGEST = 200
_SHORT = 60
_NEEDS = re.compile(
    r"\b(?:requir\w*|needs?|needed|minimum|at least|supports?|supported|compatible with|prerequisites?|works? (?:on|with)"
    r"|runs? on|tested (?:on|with)|depends on|built for)\b[^.;]{0,60}?\b(?:c?python|node|rust|go|java|jdk)",
    re.IGNORECASE,
)
_CONDITIONAL = re.compile(
    r"\b(?:add\w*|drop\w*|remov\w*|new)\b[^.]{0,30} support|(?:^|[(,]|\bavailable|\bonly)\s*(?:on |in |for |with |since |from |when "
    r"|if |under |using )+(?:c?python|node|rust|go|java|jdk)|\A\W*(?:to|if|when|for) |\A\W*(?!requir|prereq|depend|system|install|engine|support|compat|minim|runtime|note|python|node|java|go\b|rust)[A-Za-z]+: |\byour (?:c?python|node)|\bdeprecat|\bthis (?:example|option|feature|class|function|method|extension|module|message|check)\b"
    r"|\bsupport (?:for|of) [^;]{1,30}? (?:has |is |was )?(?:end|drop|remov)|\bsupport requires\b|\bthis only works\b|\bbuil[dt][- ]?in(?:to)?\b"
    r"|\d\+?\)? for (?:the|this|that)\b|\(\s*(?:c?python|node(?:\.?js)?|rust|go|java|jdk) ?(?:>=|≥)? ?v?\d[\d.]*\+?\s*\)",
    re.IGNORECASE,
)
_OF_A_FEATURE = re.compile(
    r"\b(?:features?|syntax|functionality|f-strings?|statements?|annotations?|hints?|generics|tests?|examples?|extras?|methods?|functions?"
    r"|options?|parameters?|arguments?|decorators?|operators?|backends?|extensions?|integrations?|scripts?)\b[^.;,]{0,20} (?:require|need)s?\b"
    r"|\brequires? [\w`]+ to (?!have|use|install|be|run)\w",
    re.IGNORECASE,
)
"""Some of it needs a newer version than the whole does."""
_NOT_ITSELF = re.compile(
    r"\b(?:not|n't|cannot)\b|\d\.x\b|(?<!python )(?<!node )(?<!node\.js )(?<!go )(?<!golang )(?<!rust )(?<!java )\bversions? v?\d",
    re.IGNORECASE,
)
"""Of what is not supported, or of other versions of the project."""
_SAYS_WHAT_IS_NEEDED = re.compile(
    r"(?:^|/)(?:readme|index|install\w*|(?:getting|get)[-_]?started|quick[-_]?start|set[-_]?up|requirements|build\w*|contribut\w*|"
    r"develop\w*|hacking|intro\w*|overview|about|faq|usage|guide|tutorial|support\w*|compatib\w*)[^/]*$",
    re.IGNORECASE,
)
_BARE = re.compile(r"\W*(?:c?python|node|rust|go|java|jdk)", re.IGNORECASE)
_IS_MADE_FOR = re.compile(
    r"\bis an? [^.;,:()]{0,40}?\b(?:c?python|node(?:\.js)?) (?:>=|≥)? ?v?\d[\d.]*\+", re.IGNORECASE
)
""" "Harbour is a fast Python 3.11+ web server": of the project, where it is named."""


def version_in(text: str) -> Version | None:
    """The first version in a text: "v3.10 or newer" is 3.10."""
    found = _VERSION.search(text[:_LONGEST])
    return _read(found[0]) if found else None


def _read(text: str) -> Version:
    return tuple(int(part) for part in text.split(".")[:6] if part.isdigit() and len(part) < 10)


def _trimmed(version: Version) -> Version:
    """3.10.0 is 3.10."""
    while len(version) > 1 and version[-1] == 0:
        version = version[:-1]
    return version


def lowest(constraint: str) -> Version | None:
    """The lowest version that a constraint lets in; None where it has no lower bound, or alternatives."""
    text = constraint.strip().strip("\"'")[:_LONGEST]
    if "||" in text or " or " in text:
        return None
    bounds = [
        _read(found["version"])
        for found in _CONDITION.finditer(text.partition(";")[0])
        if (found["sign"] or "") in _LOWER
    ]
    return max(bounds) if bounds else None


def _excludes(constraint: str, version: Version) -> bool:
    """Whether the constraint's lower bound or a plain upper bound leaves the version out."""
    bound = lowest(constraint)
    if bound is not None and version < bound[: len(version)]:
        return True
    for found in _CONDITION.finditer(constraint.partition(";")[0]):
        if found["sign"] == "<" and version >= _read(found["version"]):
            return True
    return False


def compare_requires(look: Look) -> AgentVerdict | None:
    """Whether the documented version is the one that the project's manifests require."""
    subject = look.subject
    if subject is None or look.claim.assertion.is_negated:
        return None
    facts = [fact for fact in _required(look, subject.name) if fact.value]
    if not facts:
        return None
    versions = [version for words in look.expected if (version := version_in(words))]
    if not versions:
        return (
            look.verified(f"`{subject.name}` is required ({at(facts[0])}).", *facts[:3])
            if not look.expected
            else None
        )
    if not _is_required(look, facts[0]):
        return None
    matches = {_fits(look, fact.value or "", versions) for fact in facts}
    first = facts[0]
    if matches == {True}:
        return look.verified(f"`{subject.name}` is required as {first.value} ({at(first)}).", *facts[:3])
    if matches == {False} and len({lowest(fact.value or "") for fact in facts}) == 1:
        said = ", ".join(look.expected)
        return look.refuted(
            f"`{subject.name}` is required as {shown(first.value or '')} ({at(first)}), not {shown(said)}.",
            *facts[:3],
            value=first.value,
        )
    return look.inconclusive(
        f"The requirement {shown(first.value or '')} of `{subject.name}` ({at(first)}) can't be compared with {shown(look.expected[0])}.",
        *facts[:3],
        would_settle="One lower bound in the project's manifests.",
    )


def _is_required(look: Look, fact: Fact) -> bool:
    """A package; or a language that a document requires, and not "on Python 3.14+ this and that happens"."""
    if fact.kind is FactKind.DEPENDENCY:
        return True
    text = look.claim.text
    if look.claim.origin not in (Origin.MARKDOWN, Origin.RST) or _CONDITIONAL.search(text):
        return False
    if _NOT_ITSELF.search(text) or _OF_A_FEATURE.search(text):
        return False
    if not (_SAYS_WHAT_IS_NEEDED.search(look.claim.document) or _names_the_project(look)):
        return False
    if _IS_MADE_FOR.search(text):
        return _names_the_project(look)
    return _NEEDS.search(text) is not None or (len(text) <= _SHORT and _BARE.match(text) is not None)


def _names_the_project(look: Look) -> bool:
    """ "Harbour requires Python 3.11" on a page about something else."""
    words = {_normal(word) for word in re.findall(r"\w[\w.-]*\w", look.claim.text)}
    named = {fact.name for kind in (FactKind.VERSION, FactKind.COMMAND) for fact in look.index.of_kind(kind)}
    packages = {
        path.removeprefix("src/").partition("/")[0]
        for path in look.index.files
        if path.endswith("/__init__.py")
    }
    return bool(words & {_normal(name) for name in named | packages})


def _required(look: Look, name: str) -> tuple[Fact, ...]:
    runtimes = look.named(name.lower(), FactKind.RUNTIME)
    wanted = _normal(name)
    dependencies = [f for f in look.index.of_kind(FactKind.DEPENDENCY) if _normal(f.name) == wanted]
    return runtimes or look.of_the_project(dependencies)


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name.partition("[")[0]).lower()


def _fits(look: Look, constraint: str, versions: Sequence[Version]) -> bool | None:
    """None where it can't be told."""
    bound = lowest(constraint)
    if bound is None or ("!=" in constraint and versions[0] > bound):
        return None
    if len(versions) > 1:
        return not any(_excludes(constraint, version) for version in versions)
    said = versions[0]
    if _trimmed(said) == _trimmed(bound) or bound[: len(said)] == said:
        return True
    if Quantifier.AT_LEAST in look.claim.assertion.quantifiers or re.search(
        r"[+>≥^~]|or (?:later|newer|above|higher)", look.expected[0]
    ):
        return False
    # A version that is merely named may be one of several that will do.
    return False if _excludes(constraint, said) else None
