"""Sentences that say what something returns, raises, requires, inherits, or since when it is deprecated."""

import re
from collections.abc import Iterator

from veridic.code.claims.cues import cue
from veridic.code.claims.drafts import Draft
from veridic.code.claims.sentence import Sentence
from veridic.code.claims.values import Value
from veridic.domain.code import AssertionKind, ClaimDomain, Entity, EntityKind, FactKind, Quantifier

may_say_contracts = cue(
    "return rais throw requir need support later newer above higher + >= deprecat inherit subclass extends derive async "
    "coroutine version tested",
    "works with",
    "works on",
    "runs on",
    "run on",
    "python 3",
)
_TYPE_WORD = (
    r"None|True|False|null|nil|undefined|boolean|bool|strings?|str|integers?|int|floats?|lists?|dict(?:ionary|ionaries)?|"
    r"dicts?|tuples?|sets?|iterators?|generators?|arrays?|promises?|bytes"
)
_RETURNS = re.compile(
    rf"\breturn(?:s|ed|(?<=\Areturn)ing)?(?: back)? (?:either )?(?:an? |the )?(?:`(?P<code>[^`\n]{{1,80}})`|(?P<word>{_TYPE_WORD})\b)",
    re.IGNORECASE,
)
_ERROR = r"(?:`(?:[A-Za-z_][\w.]*\.)?[A-Z]\w*(?:\(\))?`|\b[A-Z]\w*(?:Error|Exception|Exit|Interrupt)\b)"
_RAISES = re.compile(
    rf"\b(?P<verb>[Rr]ais(?:es?|ed|ing)|[Tt]hrow(?:s|n)?)(?: either)?(?: an?| the)? (?P<first>{_ERROR})"
    rf"(?P<more>(?:,? (?:or|and) (?:an? )?{_ERROR}|, (?:an? )?{_ERROR}){{0,6}})"
)
_NAMED_ERROR = re.compile(r"`?(?P<name>[A-Za-z_][\w.]*)")
_NEGATION = re.compile(
    r"\b(?:not|never|n't|without|cannot|no longer|neither|rather than|instead of|avoids?)\s*(?:\w+\s+)?\Z",
    re.IGNORECASE,
)
_RUNTIMES = {
    "python": "python", "cpython": "python", "node": "node", "node.js": "node", "nodejs": "node", "rust": "rust",
    "rustc": "rust", "go": "go", "golang": "go", "java": "java", "jdk": "java",
}  # fmt: skip
_RUNTIME = re.compile(
    r"\b(?P<name>C?[Pp]ython|[Nn]ode(?:\.?js)?|Rustc?|Go(?:lang)?|Java|JDK)(?: versions?(?: is|:| of)?)?\s*(?P<sign>>=|≥|==|~=|\^)?\s*"
    r"(?P<version>v?\d+(?:\.\d+){0,2})(?P<range>\s?(?:-|–|—|to|through)\s?\d+(?:\.\d+){0,2})?"
    r"(?P<more>(?:(?:, (?:and |or )?| and | or |/)\d+\.\d+(?![\w.]*\+)){0,8})(?P<plus>\+|(?:,? (?:or|and) (?:later|newer|above|"
    r"higher|greater|up|more recent|upwards?))| upwards?|(?: minimum)\b)?(?![\w.]*\w)"
)
_NEEDED = re.compile(
    r"\b(?:requir\w*|needs?|needed|prerequisites?|depends? on|works? (?:with|on)|runs? on|support\w*|compatible with|at least"
    r"|minimum|tested (?:on|with))\b",
    re.IGNORECASE,
)
_PACKAGE = re.compile(
    r"`(?P<name>[A-Za-z][\w.-]{1,60})(?:\[[\w,-]+\])?\s*(?P<sign>>=|==|~=|\^)\s*(?P<version>\d+(?:\.\d+)*)`"
    r"|`(?P<plain>[A-Za-z][\w.-]{1,60})` (?:version )?(?P<after>\d+(?:\.\d+)+)(?:\+| or (?:later|newer|above|higher))"
)
_OWN_VERSION = re.compile(
    r"\b(?:(?:current|latest|this)(?: stable| released?)? version(?: of [\w`.-]+)? is:?|this is version) `?v?(?P<version>\d+\.\d+(?:\.\d+)?(?:[-.]?\w+)?)`?"
    r"|\A(?:current )?version:? `?v?(?P<alone>\d+\.\d+\.\d+(?:[-.]?\w+)?)`?\.?\Z",
    re.IGNORECASE,
)
_DEPRECATED = re.compile(
    r"(?:\b(?:is|are|was|been|now)\s+|\A)deprecated\b(?: (?:since|as of|in|from)(?: version)? `?v?(?P<version>\d+(?:\.\d+)+)`?)?",
    re.IGNORECASE,
)
_INHERITS = re.compile(
    r"`(?P<child>[A-Za-z_][\w.]*)`(?: class)? (?:is an? (?:subclass|child|specialisation|specialization) of|inherits from"
    r"|subclasses|extends|derives from|is derived from) (?:the )?`(?P<parent>[A-Za-z_][\w.]*)`"
)
_ASYNC = re.compile(
    r"`(?P<name>[A-Za-z_][\w.]*)(?:\([^`]*\))?`(?: method| function)? is (?P<not>not )?(?:an? )?"
    r"(?P<value>async(?:hronous)?(?: function| method)?|coroutine(?: function)?)(?= ?[.,;)]|\s*\Z| and)",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"\s*(?:[.,;:!?)(\]—–-]|\Z|(?:of|containing|with|if|when|unless|where|that|which|on|for|in|from|indicating|whether|object|"
    r"instance|value|or|as(?! the\b)|to|otherwise|instead|because|since|after|once|until|while|listing|holding|describing)\b)"
)
_AND_ANOTHER = re.compile(r"(?:(?!\b(?:if|when|unless|where|for)\b)[^.;,]){0,80}?\band \w")
_OR_THE_OTHER = re.compile(r"(?: or |/|\|)`?(?:True|False)\b")
"""True or False: any truth value."""
_OTHERWISE = re.compile(
    r"[^.;]{0,120}?(?:\b(?P<else>else|otherwise),? |[,;.] (?:(?:or|and) )?|\b(?:or|and) )(?:returns? )?`?(?P<value>True|False|None)`?"
    r"(?=\s*(?:otherwise|if|when|else)\b|(?(else)[.,;]|(?!))|(?(else)\s*\Z|(?!)))"
)
"""True if it was moved, False otherwise."""
_OTHER_VERSIONS = re.compile(
    r"\blast (?:version|release)|\b(?:branch|legacy|older|as old as|unsupported|end of life|eol)\b|\bif you\b"
    r"|(?<!\bis )(?<!\bare )\bsupported\b(?! (?:python|versions)\b)",
    re.IGNORECASE,
)
_AT_MOST = re.compile(
    r",? (?:and|or) (?:below|lower|earlier|older|under|prior|previous)|\s*<|\s*,\s*(?:(?:and|or) )?(?:[<!=~\d]|C?Py|Node|Java)"
)
_FEATURE_IN = re.compile(r"(?<!\bwork)(?<!\bworks)(?<!\brun)(?<!\bruns)(?<!tested)(?<!used)(?<!usable) in \Z")
"""It supports asynchronous execution in Python 3.5 and above."""
_NEAR = 12
_EARLY = 80
_NO_SUBJECT = re.compile(
    r"(?:\A|\A(?:If|When)\b[^;,]{0,70}, ?)(?:(?:it|this|and|or|also|this (?:function|method)|else|otherwise|will|may|can) ?){0,3}\Z"
    r"|[;:,—–(] ?(?:(?:and|or|also|else|otherwise) ?){0,3}\Z",
    re.IGNORECASE,
)
_IS_RAISED = re.compile(rf"(?P<first>{_ERROR}) (?:is|are|gets) (?:raised|thrown)\b")
_FUNCTION_LIKE = (EntityKind.FUNCTION, EntityKind.CLASS)


def said_contracts(sentence: Sentence) -> Iterator[Draft]:
    """What the sentence says of results, exceptions, requirements, ancestry and deprecation."""
    if not may_say_contracts(sentence.text):
        return
    yield from _returns(sentence)
    yield from _raises(sentence)
    yield from _requirements(sentence)
    if not sentence.speaks_of_other_times():
        yield from _kinship(sentence)
        yield from _deprecations(sentence)


def _function(sentence: Sentence, position: int) -> Entity | None:
    """The function that a verb at `position` speaks of: named before it, or the docstring's own."""
    mentions = [mention for mention in sentence.mentions if mention.end <= position]
    functions = {mention.entity for mention in mentions if mention.entity.kind is EntityKind.FUNCTION}
    context = sentence.context
    if mentions and position - mentions[-1].end <= _NEAR and mentions[-1].entity.kind in _FUNCTION_LIKE:
        return mentions[-1].entity
    if (
        len(functions) == 1
        and mentions[0].entity in functions
        and mentions[0].start <= _NEAR
        and not context.is_in_code
    ):
        return functions.pop()
    if context.owner and not mentions and _says_what_the_owner_does(sentence, position):
        return Entity(kind=EntityKind.FUNCTION, name=context.owner)
    return None


def _says_what_the_owner_does(sentence: Sentence, position: int) -> bool:
    """Whether a verb there has no other subject than the function whose docstring it is."""
    context = sentence.context
    if not context.speaks_for_owner or not context.names.is_known(context.owner or "", FactKind.FUNCTION):
        return False
    if sentence.text[:position].strip() == (context.owner or "").rpartition(".")[2]:
        return True  # "IsFull returns true if": as every comment in Go begins.
    return _NO_SUBJECT.search(sentence.text, max(0, position - _EARLY), position) is not None


def _returns(sentence: Sentence) -> Iterator[Draft]:
    for match in _RETURNS.finditer(sentence.text):
        subject = _function(sentence, match.start())
        group = "code" if match["code"] else "word"
        if (
            subject is None
            or _is_negated(sentence, match.start())
            or not names_result(sentence.text[match.end() :])
            or sentence.is_of_another_time(match.end())
        ):
            continue
        yield sentence.draft(AssertionKind.RETURNS, subject, [Value(match[group], *match.span(group))])
        if other := other_result(sentence.text, match.end(), match[group]):
            yield sentence.draft(AssertionKind.RETURNS, subject, [other])


def _raises(sentence: Sentence) -> Iterator[Draft]:
    for match in _RAISES.finditer(sentence.text):
        subject = _function(sentence, match.start())
        if subject is not None and not sentence.is_of_another_time(match.end()):
            yield from _errors(sentence, subject, match, ("first", "more"))
    for match in _IS_RAISED.finditer(sentence.text):
        context = sentence.context
        is_owners = context.speaks_for_owner and context.names.is_known(
            context.owner or "", FactKind.FUNCTION
        )
        if is_owners and not sentence.is_of_another_time(match.end()):
            subject = Entity(kind=EntityKind.FUNCTION, name=context.owner or "")
            yield from _errors(sentence, subject, match, ("first",))


def _errors(
    sentence: Sentence, subject: Entity, match: re.Match[str], groups: tuple[str, ...]
) -> Iterator[Draft]:
    is_negated = _is_negated(sentence, match.start())
    for group in groups:
        for error in re.finditer(_ERROR, match[group]):
            name = _NAMED_ERROR.match(error[0])
            if name and not name["name"].endswith("Warning"):
                start = match.start(group) + error.start() + name.start("name")
                value = Value(name["name"], start, start + len(name["name"]))
                yield sentence.draft(AssertionKind.RAISES, subject, [value], is_negated=is_negated)


def _is_negated(sentence: Sentence, position: int) -> bool:
    return _NEGATION.search(sentence.text, max(0, position - 30), position) is not None


def names_result(following: str) -> bool:
    """Whether what follows a type leaves it the type of the whole result: "a string version" is something else."""
    return (
        _GOES_ON.match(following) is not None
        and _AND_ANOTHER.match(following) is None
        and _OR_THE_OTHER.match(following) is None
    )


def other_result(text: str, position: int, first: str) -> Value | None:
    """What is returned in the other case, behind the literal that was told first and ends at `position`."""
    if first not in ("True", "False", "None"):
        return None
    other = _OTHERWISE.match(text, position)
    return Value(other["value"], *other.span("value")) if other and other["value"] != first else None


def _requirements(sentence: Sentence) -> Iterator[Draft]:
    if sentence.speaks_of_other_times() or _OTHER_VERSIONS.search(sentence.text):
        return
    for match in _RUNTIME.finditer(sentence.text):
        if _AT_MOST.match(sentence.text, match.end()) or _FEATURE_IN.search(sentence.text, 0, match.start()):
            continue
        bounded = bool(match["plus"] or match["sign"] in (">=", "≥") or match["range"])
        if not bounded and not _NEEDED.search(sentence.text, 0, match.start()) and not match["more"]:
            continue
        subject = Entity(kind=EntityKind.PACKAGE, name=_RUNTIMES[match["name"].lower()])
        versions = [Value(match["version"], *match.span("version")), *_further_versions(match)]
        at_least = (Quantifier.AT_LEAST,) if bounded and len(versions) == 1 else ()
        yield sentence.draft(AssertionKind.REQUIRES, subject, versions, quantifiers=at_least)
    for match in _PACKAGE.finditer(sentence.text):
        group, name = ("version", match["name"]) if match["name"] else ("after", match["plain"])
        if not sentence.context.names.is_known(name, FactKind.DEPENDENCY):
            continue
        value = Value(match[group], *match.span(group))
        exact = match["sign"] == "=="
        quantifiers = (Quantifier.EXACTLY,) if exact else (Quantifier.AT_LEAST,)
        subject = Entity(kind=EntityKind.PACKAGE, name=name)
        yield sentence.draft(AssertionKind.REQUIRES, subject, [value], quantifiers=quantifiers)
    if (own := _OWN_VERSION.search(sentence.text)) and not sentence.context.is_in_code:
        group = "version" if own["version"] else "alone"
        subject = Entity(kind=EntityKind.VERSION, name="version")
        yield sentence.draft(AssertionKind.EQUALS, subject, [Value(own[group], *own.span(group))])


def _further_versions(match: re.Match[str]) -> Iterator[Value]:
    for version in re.finditer(r"\d+\.\d+", match["more"]):
        start = match.start("more") + version.start()
        yield Value(version[0], start, start + len(version[0]))


def _kinship(sentence: Sentence) -> Iterator[Draft]:
    names = sentence.context.names
    for match in _INHERITS.finditer(sentence.text):
        if names.is_known(match["child"], FactKind.CLASS, FactKind.ENUM):
            subject = Entity(kind=EntityKind.CLASS, name=match["child"])
            value = Value(match["parent"], *match.span("parent"))
            yield sentence.draft(AssertionKind.BEHAVES, subject, [value])
    for match in _ASYNC.finditer(sentence.text):
        if names.is_known(match["name"], FactKind.FUNCTION):
            subject = Entity(kind=EntityKind.FUNCTION, name=match["name"])
            value = Value(match["value"], *match.span("value"))
            yield sentence.draft(AssertionKind.BEHAVES, subject, [value], is_negated=bool(match["not"]))


def _deprecations(sentence: Sentence) -> Iterator[Draft]:
    for match in _DEPRECATED.finditer(sentence.text):
        mention = sentence.just_before(match.start(), 20)
        subject = mention.entity if mention else None
        if (
            subject is None
            and sentence.context.speaks_for_owner
            and match.start() == 0
            and sentence.context.owner
        ):
            subject = Entity(kind=EntityKind.SYMBOL, name=sentence.context.owner)
        if subject is None or _is_negated(sentence, match.start()):
            continue
        values = [Value(match["version"], *match.span("version"))] if match["version"] else []
        yield sentence.draft(
            AssertionKind.DEPRECATED, subject, values, quantifiers=(), domain=ClaimDomain.HISTORY
        )
