"""The statements of sentences, list items and headings, found by their names and literals."""

import re
from collections.abc import Iterator

from veridic.domain.code import AssertionKind, Entity, EntityKind, Origin, Quantifier
from veridic.text.markdown import links
from veridic.verify.documents.commands import TOOLS
from veridic.verify.documents.link_targets import hosted
from veridic.verify.documents.names import Name, is_literal, names_in, parameters_of
from veridic.verify.documents.statement import Statement, Topic, speaks_of_environment, topic_of
from veridic.verify.documents.unit import Unit, UnitKind
from veridic.verify.documents.vocabulary import Vocabulary, plain_name

_NUMBER = r"[-+]?\d[\d_]*(?:[.,]\d+)*(?:\s?(?:ms|s|m|h|secs?|seconds?|mins?|minutes?|hours?|days?|milliseconds?|[KMGT]i?B|bytes?)\b|\s?%)?"
_LITERAL = rf"`[^`\n]{{1,120}}`|\"[^\"\n]{{0,80}}\"|'[^'\n]{{0,80}}'|{_NUMBER}|(?:true|false|null|none|nil|undefined)\b"
_DEFAULT_IS = re.compile(
    rf"\bdefault(?:s|ed|ing)?(?:\s+(?:value|values))?\s*(?:\bis\b|\bare\b|\bto\b|\bof\b|:|=|→|->)\s*(?:set to |the value |the |an? |to )?(?P<value>{_LITERAL})",
    re.IGNORECASE,
)
_DEFAULT_IN_BRACKETS = re.compile(
    rf"[(\[](?:[^()\[\]]{{0,40}}[,;]\s*)?default(?:s? to|\s+is)?[:=]?\s*(?P<value>{_LITERAL}|(?<=[:=]\s)[^()\[\]\s][^()\[\],;]{{0,60}})(?:[,;][^()\[\]]*)?[)\]]",
    re.IGNORECASE,
)
_DEFAULT_AFTER = re.compile(
    rf"(?P<value>{_LITERAL})\s*(?:\(default\)|,? by default\b|is the default\b|as (?:the )?default\b)",
    re.IGNORECASE,
)
_DEFAULT_LABEL = re.compile(
    r"^\W{0,3}default(?: value)?s?\s*[:=]\s*(?P<value>[^\n]{1,100}?)[.\s]*$", re.IGNORECASE
)
_DEFAULTS_FOLLOW = re.compile(
    r"^\W*(?:the )?defaults?(?: values?| options?| settings?)?(?: are| is)?(?: as follows)?\W*$",
    re.IGNORECASE,
)
_SET_TO = re.compile(rf"^`?(?P<name>[A-Za-z_-][\w.-]{{1,60}})`?\s*[:=]\s*(?P<value>{_LITERAL})\W*$")
_CHOICES = re.compile(
    r"\b(?:one of|(?:possible|valid|allowed|available|accepted|supported|permitted) (?:\w+ )?(?:values?|options|choices|settings|formats|types|modes|levels)|choices|either|can be|may be|must be|values are)\b[^`\"'.]{0,40}?(?=[`\"'])",
    re.IGNORECASE,
)
_CHOICE = re.compile(
    r"[\s:]*(?:,|/|\||\bor\b|\band\b|and/or)*\s*(?:\bor\b|\band\b)?\s*(?:`([^`]{1,60})`|\"([^\"]{1,60})\"|'([^']{1,60})')(?:\s*\([^()]{0,80}\))?"
)
_CHOICES_IN_BRACKETS = re.compile(r"\[possible values: ([^\]]+)\]|\{([\w.-]+(?:[,|][\w.-]+)+)\}")
_RUNTIME = re.compile(
    r"(?<![\w.-])(?P<name>Python|CPython|Node(?:\.?js)?|Rust|rustc|Go|Golang|Java|JDK|JRE|Ruby|PHP|\.NET|Deno|Bun|npm|Kotlin|Swift|Perl)"
    r"\s*(?:version\s+|versions\s+)?(?P<sign>>=|≥|>)?\s*v?(?P<version>\d+(?:\.\d+){0,2})"
    r"(?P<more>\s?\+|\s*(?:or|and) (?:newer|later|higher|above|greater|up|more recent|upwards?)\b)?",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"\b(?:requires?|required|minimum|at least|needs?|supports?|minimal|msrv)\b", re.IGNORECASE
)
_EXIT = re.compile(
    r"\bexit(?:s|ed|ing)?\b(?:\s+(?:with|status|code|an?|the|of|is|non-zero|value|:))*\s*`?(?P<value>\d{1,3})\b`?",
    re.IGNORECASE,
)
_EXIT_CODES = re.compile(r"\bexit (?:codes?|status)", re.IGNORECASE)
_NUMBERED = re.compile(r"^`?(?P<value>\d{1,3})`?\s*(?:[-–—:=(]|$)")
_LIMIT = re.compile(
    rf"\b(?P<which>minimum|maximum|lowest|highest|smallest|largest)\b[^.;`\d]{{0,60}}?\b(?:is|of|to)\s+(?P<value>`?{_NUMBER}`?)",
    re.IGNORECASE,
)
_RAISES = re.compile(
    r"\b(?:raises?|throws?|rejects? with|panics? with)\s+(?:an? |the )?`?(?P<one>[A-Za-z_][\w.]*)`?|\b`?(?P<two>\w+(?:Error|Exception))`? (?:will be|is|are|gets?) (?:thrown|raised)"
)
_RETURNS = re.compile(
    rf"^Returns?:?\s+(?:[^`.;]{{0,40}}(?=`)|an? |the )?(?P<value>{_LITERAL})", re.IGNORECASE
)
_DEPRECATED = re.compile(r"\bdeprecated\b", re.IGNORECASE)
_PAST = re.compile(
    r"\b(?:was|were|previously|formerly|used to|no longer|removed|renamed|replaced|deprecated|dropped|prior to|until v?\d|before v?\d|changed (?:in|from|to)|earlier versions?|older versions?)\b",
    re.IGNORECASE,
)
_EXAMPLE = re.compile(r"\b(?:e\.g|for example|for instance|example:|such as)\b", re.IGNORECASE)
_NOT_THIS = re.compile(
    r"\b(?:no|without|unlike|similar to|like|instead of|rather than)\s+(?:the\s+|an?\s+)?`?$", re.IGNORECASE
)
_NOT_ABOUT = re.compile(
    r"licen[cs]e|sponsor|backer|\bthanks?\b|credits|acknowledg|contributors|\bauthors?\b|community|related|alternatives|comparison|who uses|used by|testimonial|"
    r"change ?log|release notes|roadmap|origin of the name|similar projects|donat|further reading",
    re.IGNORECASE,
)
_POINTS_ELSEWHERE = re.compile(
    r"^\W*(?:see|read|check out|visit|learn more|refer to|for more|for details|thanks?|i|i'm|we|my|our|please|let's|here(?:'s| is| are)|hat tip|credit)\b",
    re.IGNORECASE,
)
_OTHER_SITE = re.compile(r"^[^\w`]*\[[^\[\]`]+\]\(https?://")
"""It begins with a link to another site, and is about that site."""
_FEATURES = re.compile(r"^\W*(?:key |main |core )?features\W*$", re.IGNORECASE)
_QUANTIFIERS = (
    (Quantifier.ALWAYS, re.compile(r"\balways\b", re.IGNORECASE)),
    (Quantifier.NEVER, re.compile(r"\bnever\b", re.IGNORECASE)),
    (Quantifier.ONLY, re.compile(r"\bonly\b", re.IGNORECASE)),
    (Quantifier.ALL, re.compile(r"\b(?:all|every|each)\b", re.IGNORECASE)),
)
_FEWEST_WORDS = 3
_MAX_DISTANCE = 80
"""The most characters between a name and the default given for it."""


def prose_statements(unit: Unit, words: Vocabulary) -> Iterator[Statement]:
    """The statements of one sentence, item or heading. Of a changelog only links, because it describes the past."""
    yield from _links(unit, words)
    if unit.origin is Origin.CHANGELOG or any(_NOT_ABOUT.search(heading) for heading in unit.headings):
        return
    if _OTHER_SITE.match(unit.text):
        return
    names = _own_names(unit.text, names_in(unit.text, is_environment=speaks_of_environment(unit)))
    topic = topic_of(unit)
    if topic and not topic.is_own and not unit.owner and plain_name(topic.entity.name) in words.own:
        topic = None  # The title of the document: not everything in it is about the project itself.
    is_past = bool(_PAST.search(unit.text))
    if not is_past:
        yield from _existence(unit, names, topic)
    if unit.is_heading:
        return
    formal = [] if is_past else list(_formal(unit, names, topic))
    yield from formal
    if is_past and topic and _DEPRECATED.search(unit.text):
        yield Statement(unit, AssertionKind.DEPRECATED, topic.entity)
    yield from _behaviour(unit, names, topic, words, has_formal=bool(formal))


def value_statements(unit: Unit, topic: Topic | None) -> list[Statement]:
    """The defaults, choices and limits that `unit.text` gives for its topic."""
    if _PAST.search(unit.text):
        return []
    return list(_formal(unit, names_in(unit.text), topic))


def _links(unit: Unit, words: Vocabulary) -> Iterator[Statement]:
    for link in links(unit.text):
        target = link.target.strip()
        file = hosted(target)
        if file:
            if words.own and not words.is_own(file.repository):
                continue
        elif re.search(r"[{}<>$|]", target) or re.match(
            r"^(?!https?:)[a-z][a-z0-9+.-]*:|^//", target, re.IGNORECASE
        ):
            continue
        yield Statement(
            unit,
            AssertionKind.LINKS,
            Entity(kind=EntityKind.LINK, name=target),
            (target,),
            unit.text.find(target, link.start),
        )


def _own_names(text: str, names: list[Name]) -> list[Name]:
    """The names without those that link to another site: `[`Readable`](https://...)` belongs to another project."""
    elsewhere = [
        (link.start, link.end) for link in links(text) if link.target.startswith(("http:", "https:"))
    ]
    return [name for name in names if not any(start <= name.start < end for start, end in elsewhere)]


def _existence(unit: Unit, names: list[Name], topic: Topic | None) -> Iterator[Statement]:
    """Claims that names exist: those whose form shows that they are code, and the names that an item or a heading documents."""
    told: set[str] = set()
    for name in names:
        entity = name.entity
        is_topic = topic is not None and topic.is_own and topic.entity.name == entity.name
        if entity.name in told or _NOT_THIS.search(unit.text[: name.start].rstrip("`")):
            continue
        if not (
            name.is_formal
            or (is_topic and unit.kind in (UnitKind.ITEM, UnitKind.HEADING) and _is_labelled(unit, name))
        ):
            continue
        if entity.kind is EntityKind.PATH and (
            entity.name[0] in "/~$" or re.search(r"[*{}<>%]", entity.name)
        ):
            continue
        told.add(entity.name)
        subject = topic.entity if is_topic and topic else entity
        if (
            unit.origin in (Origin.DOCSTRING, Origin.COMMENT, Origin.HELP)
            and not subject.owner
            and unit.owner
        ):
            subject = Entity(kind=subject.kind, name=subject.name, owner=unit.owner)
        parameters = parameters_of(name.parameters) if name.parameters else None
        if parameters and not any(is_literal(one) for one in parameters):
            yield Statement(unit, AssertionKind.SIGNATURE, subject, parameters)
        else:
            yield Statement(unit, AssertionKind.EXISTS, subject)


def _is_labelled(unit: Unit, name: Name) -> bool:
    rest = unit.text[name.end :].lstrip("`")
    if not rest and (unit.is_heading or not unit.block):
        return True  # a heading or a term
    return bool(re.match(r"^\s*(?:\(|:|[-–—=]|,\s*`|/\s*`|\[|\{)", rest))


def _formal(unit: Unit, names: list[Name], topic: Topic | None) -> Iterator[Statement]:
    text = unit.text
    yield from _runtimes(unit)
    found = _EXIT.search(text) if "exit" in text.lower() else None
    if (
        found is None
        and unit.kind is UnitKind.ITEM
        and any(map(_EXIT_CODES.search, (*unit.headings[-1:], *unit.under[-1:])))
    ):
        found = _NUMBERED.match(text)
    if found:
        yield Statement(
            unit,
            AssertionKind.EQUALS,
            Entity(kind=EntityKind.VALUE, name="exit code", owner=topic.entity.name if topic else None),
            (found["value"],),
            found.start("value"),
        )
    if "default" in text.lower() and not _EXAMPLE.search(text):
        yield from _default(unit, names, topic)
    yield from _listed_default(unit)
    yield from _choices(unit, names, topic)
    if (found := _LIMIT.search(text)) and (subject := _subject_before(found.start(), names, topic)):
        bound = (
            Quantifier.AT_LEAST
            if found["which"].lower() in ("minimum", "lowest", "smallest")
            else Quantifier.UP_TO
        )
        value = found["value"].strip("`")
        yield Statement(
            unit, AssertionKind.EQUALS, subject, (value,), text.find(value, found.start("value")), (bound,)
        )
    if found := _RAISES.search(text):
        raised = found["one"] or found["two"]
        subject = topic.entity if topic else _subject_before(found.start(), names, None)
        if subject and (raised[:1].isupper() or raised.endswith("Error")) and raised != subject.name:
            yield Statement(unit, AssertionKind.RAISES, subject, (raised,), text.find(raised, found.start()))
    if (
        topic
        and topic.entity.kind in (EntityKind.FUNCTION, EntityKind.SYMBOL)
        and (found := _RETURNS.match(text))
    ):
        yield Statement(
            unit, AssertionKind.RETURNS, topic.entity, (found["value"].strip("`\"'"),), found.start("value")
        )


def _runtimes(unit: Unit) -> Iterator[Statement]:
    for found in _RUNTIME.finditer(unit.text):
        before = unit.text[: found.start()]
        if not (found["sign"] or found["more"] or _ASKS.search(before)):
            continue
        name = found["name"].lower().removesuffix(".js").removesuffix("js")
        name = {"rustc": "rust", "golang": "go", "cpython": "python", "jdk": "java", "jre": "java"}.get(
            name, name
        )
        yield Statement(
            unit,
            AssertionKind.REQUIRES,
            Entity(kind=EntityKind.PACKAGE, name=name),
            (found["version"],),
            found.start("version"),
            (Quantifier.AT_LEAST,),
        )


def _default(unit: Unit, names: list[Name], topic: Topic | None) -> Iterator[Statement]:
    text = unit.text
    found = _DEFAULT_IN_BRACKETS.search(text) or _DEFAULT_IS.search(text) or _DEFAULT_AFTER.search(text)
    if found is None:
        found = _DEFAULT_LABEL.match(text)
        if found is None or len(found["value"].split()) > 8:
            return
    raw = found["value"].strip()
    value = raw.strip("`\"'") if raw[:1] in "`\"'" else raw.strip("`*_ ")
    start = found.start("value") + found["value"].find(value)
    nearest = found.start() - _MAX_DISTANCE
    before = [name for name in names if nearest <= name.end <= found.start() and name.entity.name != value]
    subject = _subject_before(found.start(), before, topic)
    if (
        subject is None
        or (value.startswith("-") and is_flag_of(names, value))
        or not value
        or subject.name == value
    ):
        return
    yield Statement(unit, AssertionKind.DEFAULT, subject, (value,), start)


def _listed_default(unit: Unit) -> Iterator[Statement]:
    """`limit`: `2`, in a list of defaults."""
    if unit.kind is not UnitKind.ITEM or not any(
        map(_DEFAULTS_FOLLOW.match, (*unit.under[-1:], *unit.headings[-1:]))
    ):
        return
    if found := _SET_TO.match(unit.text):
        value = found["value"].strip("`\"'")
        kind = EntityKind.FLAG if found["name"].startswith("-") else EntityKind.SETTING
        subject = Entity(kind=kind, name=found["name"])
        start = unit.text.find(value, found.start("value"))
        yield Statement(unit, AssertionKind.DEFAULT, subject, (value,), start)


def is_flag_of(names: list[Name], value: str) -> bool:
    return any(name.entity.kind is EntityKind.FLAG and name.entity.name == value for name in names)


def _subject_before(at: int, names: list[Name], topic: Topic | None) -> Entity | None:
    """What a value belongs to: the topic, unless the sentence names something else before the value."""
    before = [name for name in names if name.end <= at and (name.is_formal or topic is None)]
    if topic and (topic.is_own or not before):
        return topic.entity
    return before[-1].entity if before else None


def _choices(unit: Unit, names: list[Name], topic: Topic | None) -> Iterator[Statement]:
    text = unit.text
    if found := _CHOICES_IN_BRACKETS.search(text):
        members = tuple(one.strip() for one in re.split(r"[,|]", found[1] or found[2]))
        if topic and topic.entity.kind is EntityKind.FLAG and len(members) > 1:
            yield Statement(unit, AssertionKind.MEMBERS, topic.entity, members)
        return
    cue = _CHOICES.search(text)
    if cue is None or _EXAMPLE.search(text[: cue.start()]):
        return
    members_found: list[str] = []
    at = cue.end()
    while (choice := _CHOICE.match(text, at)) and len(members_found) < 60:
        members_found.append(choice[1] or choice[2] or choice[3])
        at = choice.end()
    subject = _subject_before(cue.start(), names, topic)
    if len(members_found) > 1 and subject and subject.name not in members_found:
        yield Statement(unit, AssertionKind.MEMBERS, subject, tuple(members_found))


def _behaviour(
    unit: Unit, names: list[Name], topic: Topic | None, words: Vocabulary, *, has_formal: bool
) -> Iterator[Statement]:
    """A sentence that says something about a name but nothing comparable: only a model or a test can settle it."""
    text = unit.text
    if unit.origin is Origin.COMMENT or (unit.origin is Origin.HELP and not (unit.owner or topic)):
        return
    plain = re.sub(r"`[^`]*`|\]\([^)]*\)|https?://\S+|--?[A-Za-z][\w-]*", " ", text)
    count = len(re.findall(r"[A-Za-z]{2,}", plain))
    if count < _FEWEST_WORDS + 3 * has_formal or text.endswith("?") or _POINTS_ELSEWHERE.match(text):
        return
    subject = topic.entity if topic else None
    if subject is None:
        subject = _project(unit, words) or next((name.entity for name in names if name.is_formal), None)
    if subject is None:
        subject = next(
            (
                name.entity
                for name in names
                if not re.search(r"[*{}<>]", name.entity.name) and name.entity.name not in TOOLS
            ),
            None,
        )
    if subject is None or (text.endswith(":") and not names):
        return
    quantifiers = tuple(quantifier for quantifier, pattern in _QUANTIFIERS if pattern.search(text))
    entities = tuple(dict.fromkeys(name.entity for name in names))
    yield Statement(unit, AssertionKind.BEHAVES, subject, (), -1, quantifiers, entities)


def _project(unit: Unit, words: Vocabulary) -> Entity | None:
    """The project itself, if a sentence begins with its name or is in a list of features."""
    if not words.own or unit.origin not in (Origin.MARKDOWN, Origin.RST):
        return None
    for word in re.findall(r"[A-Za-z][\w.+-]*", unit.text)[:4]:
        if plain_name(word.rstrip(".")) in words.own:
            return Entity(kind=EntityKind.PACKAGE, name=word.rstrip("."))
    above = (*unit.headings[-1:], *unit.under[:1])
    if unit.kind is UnitKind.ITEM and any(map(_FEATURES.match, above)):
        return Entity(kind=EntityKind.PACKAGE, name=min(words.own))
    return None
