"""Sentences that say what something defaults to, or what value a constant or limit has."""

import re
from collections.abc import Iterator

from veridic.code.claims.cues import cue
from veridic.code.claims.drafts import Context, Draft
from veridic.code.claims.sentence import Mention, Sentence
from veridic.code.claims.subjects import has_parameter, noun_subject, owned, value_holder
from veridic.code.claims.values import (
    LOOSE_VALUE,
    VALUE,
    Value,
    is_literal,
    is_said_in_words,
    value_in,
    value_of,
)
from veridic.domain.code import AssertionKind, Entity, EntityKind, FactKind, Quantifier

may_say_values = cue(
    "default", "is set to", "equal", "` is", "` =", " = ", "`:", "` (", "(`", "(see `", "`, which", "="
)
_BRACKETED = re.compile(
    rf"(?:[(\[,;]\s*|\.\s)(?:by )?default(?:s|s to| to| value| is| value is)?(?:\s*[:=]\s*|\s+)(?:is |of )?{LOOSE_VALUE}"
    r"(?=\s*[)\],;]|\.?\s*\Z|\.\s)",
    re.IGNORECASE,
)
_DEFAULTS_TO = re.compile(
    rf"(?<!not present )(?<!missing )(?<!absent )\b(?:defaults?|defaulting) to (?:the (?:value|number|string) )?{VALUE}",
    re.IGNORECASE,
)
_AND_TO = re.compile(rf"(?:,| and) `(?P<subject>[^`]{{1,80}})` to {VALUE}")
_DEFAULT_IS = re.compile(
    rf"\bdefault(?: value| setting)?(?: (?:for|of) (?P<of>`[^`]{{1,80}}`|the (?P<thing>\w+(?: \w+)?)))?"
    rf"(?: is| are|:| =|=)(?: set to)? {VALUE}",
    re.IGNORECASE,
)
_DEFAULT_NOUN = re.compile(
    rf"(?<!\ba )\bdefault (?P<noun>`[^`]{{1,80}}`|[A-Za-z]+(?:[ -][A-Za-z]+)?)(?: is| are| of|:)(?: set to)? {VALUE}",
    re.IGNORECASE,
)
_THE_DEFAULT = re.compile(
    rf"(?:[(,]\s*the default(?: value)?|\b(?:its|the|an?) default(?: value)? of|\Athe default,) {VALUE}(?=\s*(?:[,;)]|\.(?:\s|\Z)|\Z|and\b))",
    re.IGNORECASE,
)
"""`--limit` (the default `0`, that is, none); "when at its default of True"; "The default, `auto`, will look for it"."""
_BY_DEFAULT = re.compile(
    rf"(?:\b(?:is|are|of|set to|to)|[:=(,]) {VALUE} (?:by default|\(?the default\)?|\(default\))",
    re.IGNORECASE,
)
_IF_DEFAULT = re.compile(
    rf"\b(?:if|when)(?: (?:`(?P<subject>[^`]{{1,80}})`|(?P<bare>[a-z]\w*)) is)?(?: set to)? {VALUE} \((?:the |by )?default\)",
    re.IGNORECASE,
)
"""On top if True (default), else below; if `over` is `True` (the default)."""
_BY_DEFAULT_FIRST = re.compile(
    rf"\bby default,? (?:the )?(?P<subject>`[^`]{{1,80}}`|[A-Za-z]+(?: [A-Za-z]+)?) (?:is|are)(?: set to)? {VALUE}",
    re.IGNORECASE,
)
_SWITCHED = frozenset({"enabled", "disabled", "on", "off"})
_PART_OF = re.compile(
    r"\b(?:keys?|entry|entries|items?|member|element|part|value) (?:in|of|from) \Z", re.IGNORECASE
)
_SET_BY_THE_READER = re.compile(
    r"\A(?:with|if|when|using|use|set(?! by))\b|\b(?:setting|using|use|pass(?:ing)?|with|add(?:ing)?|like)\b[^.;]{0,30}\Z",
    re.IGNORECASE,
)
_IS_SET = re.compile(r"`[A-Z][A-Z0-9_]+` = `[^`]+`\Z")
"""All that a cell or an item says: what to set, rather than what is set."""
_NOUN_BY_DEFAULT = re.compile(rf"\b(?P<noun>[A-Za-z]+) {VALUE} by default", re.IGNORECASE)
_OPENS_WITH_DEFAULT = re.compile(rf"default(?:s to| value)?\s*[:=]?\s+{LOOSE_VALUE}\.?\Z", re.IGNORECASE)
_ALONE_BY_DEFAULT = re.compile(rf"{VALUE} by default\.?\Z", re.IGNORECASE)
"""All that the sentence says."""
_EQUALS = re.compile(
    rf"`(?P<subject>[^`]{{1,80}})`(?: constant| setting| limit)?(?: is| is set to| equals| =|:|, which is)(?: currently| always)? "
    rf"{VALUE}(?!\s*(?:if|when|unless|or\b|and (?!`)|to\b|by default))",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    rf"\b(?P<bound>at most|up to|maximum of|no more than|at least|minimum of|exactly|limit(?:ed)? (?:of|to|is)|every|"
    rf"after|within|for) {VALUE}(?: [a-z]+){{0,4}} \((?:see )?`(?P<subject>[^`]{{1,80}})`\)",
    re.IGNORECASE,
)
_IN_BRACKETS = re.compile(rf"`(?P<subject>[^`]{{1,80}})` \({VALUE}\)")
_ASSIGNED = re.compile(r"(?P<name>[A-Za-z_][\w.]*) ?= ?(?P<value>[^=].{0,80})\Z")
_NOUN = re.compile(r"\b(?:the|its) (?P<noun>[a-z]+(?: [a-z]+)?) \Z", re.IGNORECASE)
_DECLARED = re.compile(
    r"`(?P<subject>[A-Za-z_]\w*)\??(?:: ?[\w.\[\], |]{1,60}?) ?= ?(?P<value>[^`=][^`]{0,80})`"
)
_NEVER_A_DEFAULT = re.compile(r"\bno default|without (?:a )?default|not? (?:the )?default\b", re.IGNORECASE)
_STATES = frozenset({"on", "off", "enabled", "disabled", "unlimited"})
_PROPERTIES = frozenset({"property", "cached_property"})
_NEAR = 4
_OF = re.compile(
    r" (?:(?:parameter|argument|option|flag|switch|keyword|field|setting) )?(?:of|in|for|to)(?: the)? "
)
_NOUN_OF_IT = re.compile(r" (?:keyword )?(?:parameter|argument|option|flag|switch|keyword|field|setting) ?")
_WHICH = re.compile(r"\s*[(,]\s*(?:which|that)\s+(?:by )?")
_FROM_NOW = re.compile(r" (?:[a-z]+ )?(?:ago|from now)\b")
"""A point in time, which code writes in ways of its own."""
_DEFAULT_OF_ANOTHER = re.compile(r"\bdefault (?:from|of|in) [^.;(]{1,80}\Z")
"""-1 means the default of `Socket` (default: 30 seconds)."""
_CELL = re.compile(rf"\s*{LOOSE_VALUE}\s*\Z")
_EMPTY_CELLS = frozenset(
    {"-", "–", "—", "n/a", "N/A", "?", "*", "unset", "✓", "✗", "no", "yes", "required", "Required"}
)


def said_defaults(sentence: Sentence) -> Iterator[Draft]:
    """What the sentence says of defaults and of values of constants."""
    if not may_say_values(sentence.text) or _NEVER_A_DEFAULT.search(sentence.text):
        return
    seen: set[int] = set()
    for match, subject in (*_defaults(sentence), *_by_default(sentence)):
        value = _without_name(value_in(match), subject)
        if (
            subject
            and subject.name != value.text
            and value.start not in seen
            and _is_stated(sentence, match, value)
        ):
            seen.add(value.start)
            yield sentence.draft(AssertionKind.DEFAULT, subject, [value])
    yield from _declared(sentence)
    yield from _constants(sentence, seen)


def _without_name(value: Value, subject: Entity | None) -> Value:
    """(default `rope=3`), said of the rope."""
    named = f"{subject.name.rpartition('.')[2]}=" if subject else ""
    if not named or not value.text.startswith(named) or value.text == named:
        return value
    inner = value_of(value.text[len(named) :], value.start + len(named))
    return inner if inner.text else Value(value.text[len(named) :], value.start + len(named), value.end)


def _declared(sentence: Sentence) -> Iterator[Draft]:
    """`timeout: int = 30` at the beginning of an item about a function's parameters."""
    match = _DECLARED.match(sentence.text)
    if match is None or not sentence.is_first:
        return
    subject = value_holder(match["subject"], sentence.context)
    if subject is not None and subject.kind is EntityKind.PARAMETER:
        yield sentence.draft(AssertionKind.DEFAULT, subject, [value_in(match)], quantifiers=())


def cell_default(sentence: Sentence, subject: Entity) -> Draft | None:
    """What a cell under the heading Default says: nothing but the value stands in it."""
    match = _CELL.match(sentence.text)
    if match is None:
        return None
    value = value_in(match)
    if not value.text or is_said_in_words(value.text) or value.text in _EMPTY_CELLS:
        return None
    return sentence.draft(AssertionKind.DEFAULT, subject, [value], quantifiers=())


def _is_stated(sentence: Sentence, match: re.Match[str], value: Value) -> bool:
    if is_said_in_words(value.text) or not value.text or _FROM_NOW.match(sentence.text, value.end):
        return False
    if match.re in (_BRACKETED, _OPENS_WITH_DEFAULT):
        return not sentence.speaks_of_other_times(max(0, match.start() - 30), match.start())
    is_conditional = match.re not in (_THE_DEFAULT, _IF_DEFAULT) and sentence.is_conditional(
        match.start(), match.end()
    )
    return not sentence.is_of_another_time(value.end) and not is_conditional


def _defaults(sentence: Sentence) -> Iterator[tuple[re.Match[str], Entity | None]]:
    context = sentence.context
    for match in _DEFAULTS_TO.finditer(sentence.text):
        yield match, _before(sentence, match.start())
        for further in _AND_TO.finditer(sentence.text, match.end()):
            yield further, value_holder(further["subject"], context)
    for match in _BRACKETED.finditer(sentence.text):
        if _DEFAULT_OF_ANOTHER.search(sentence.text, 0, match.start()):
            continue
        near = sentence.just_before(match.start(), _NEAR) or _of_noun(sentence, match.start())
        named = _holder(near, sentence) if near else _only_before(sentence, match.start())
        yield match, _topic(context) or named
    for match in _DEFAULT_IS.finditer(sentence.text):
        if match["of"] and match["of"].startswith("`"):
            yield match, value_holder(match["of"].strip("`"), context)
        elif match["thing"]:
            yield match, noun_subject(match["thing"], context)
        else:
            yield match, _before(sentence, match.start())
    for match in _THE_DEFAULT.finditer(sentence.text):
        if is_literal(match["value"]) or is_literal(value_in(match).text):
            yield match, _before(sentence, match.start())
    for match in _DEFAULT_NOUN.finditer(sentence.text):
        yield match, _named(match["noun"], context)
    if opening := _OPENS_WITH_DEFAULT.match(sentence.text):
        yield opening, _topic(context)


def _by_default(sentence: Sentence) -> Iterator[tuple[re.Match[str], Entity | None]]:
    if "by default" not in sentence.text.lower() and "default)" not in sentence.text:
        return
    context = sentence.context
    for match in _BY_DEFAULT.finditer(sentence.text):
        yield match, _before(sentence, match.start())
    if (alone := _ALONE_BY_DEFAULT.match(sentence.text)) and is_literal(value_in(alone).text):
        yield alone, _topic(context)
    for match in _IF_DEFAULT.finditer(sentence.text):
        named = match["subject"] or match["bare"]
        holder = value_holder(named, context) if named else _topic(context)
        is_meant = not match["bare"] or (holder is not None and holder.kind is EntityKind.PARAMETER)
        if is_meant and is_literal(value_in(match).text):
            yield match, holder
    for match in _BY_DEFAULT_FIRST.finditer(sentence.text):
        yield match, _named(match["subject"], context)
    for match in _NOUN_BY_DEFAULT.finditer(sentence.text):
        if (
            match["value"].lower() not in _SWITCHED
        ):  # "the pipelines enabled by default" says nothing of the others
            yield match, noun_subject(match["noun"], context)


def _named(written: str, context: Context) -> Entity | None:
    if written.startswith("`"):
        return value_holder(written.strip("`"), context)
    return noun_subject(written, context)


def _topic(context: Context) -> Entity | None:
    return owned(context.topic, context) if context.topic else None


def _holder(mention: Mention | None, sentence: Sentence) -> Entity | None:
    return value_holder(mention.written, sentence.context) if mention else None


def _before(sentence: Sentence, position: int) -> Entity | None:
    """What stands right before the words, else what the item is about, else the only thing named so far."""
    near = sentence.just_before(position, _NEAR) or _in_clause(sentence, position)
    return (
        _holder(_part_of(sentence, near) or near, sentence)
        or _topic(sentence.context)
        or _only_before(sentence, position)
        or _noun_before(sentence, position)
        or _of_property(sentence)
    )


def _of_noun(sentence: Sentence, position: int) -> Mention | None:
    """The `deep` argument (default: False)."""
    mention = sentence.before(position)
    return mention if mention and _NOUN_OF_IT.fullmatch(sentence.text, mention.end, position) else None


def _part_of(sentence: Sentence, mention: Mention | None) -> Mention | None:
    """ "The `timeout` of `fetch`", "the `--tide` flag of `quay`": the value is that of the first."""
    first = sentence.before(mention.start) if mention else None
    if mention is None or first is None or not _OF.fullmatch(sentence.text, first.end, mention.start):
        return None
    is_flag = first.entity.kind is EntityKind.FLAG and mention.entity.kind is not EntityKind.FLAG
    return (
        first if is_flag or has_parameter(sentence.context, mention.entity.name, first.entity.name) else None
    )


def _in_clause(sentence: Sentence, position: int) -> Mention | None:
    """ "`encoding` (which defaults to": what the clause is about."""
    mention = sentence.before(position)
    return mention if mention and _WHICH.fullmatch(sentence.text, mention.end, position) else None


def _noun_before(sentence: Sentence, position: int) -> Entity | None:
    """ "The log level defaults to": words that can mean one thing only."""
    noun = _NOUN.search(sentence.text, max(0, position - 60), position)
    return noun_subject(noun["noun"], sentence.context) if noun and not sentence.mentions else None


def _of_property(sentence: Sentence) -> Entity | None:
    """What a property's own docstring tells of: the parameter of its class that bears its name."""
    context = sentence.context
    class_, _, name = (context.owner or "").rpartition(".")
    if sentence.mentions or not context.speaks_for_owner or not has_parameter(context, class_, name):
        return None
    facts = context.names.facts(context.owner or "", FactKind.FUNCTION)
    is_property = any(
        decorator.rpartition(".")[2] in _PROPERTIES for fact in facts for decorator in fact.decorators
    )
    return Entity(kind=EntityKind.PARAMETER, name=name, owner=class_) if is_property else None


def _only_before(sentence: Sentence, position: int) -> Entity | None:
    """The one thing named before that can have a value; functions it is a parameter of don't count."""
    holders = {
        holder
        for mention in sentence.mentions
        if mention.end <= position and (holder := value_holder(mention.written, sentence.context)) is not None
    }
    return holders.pop() if len(holders) == 1 else None


def _constants(sentence: Sentence, seen: set[int]) -> Iterator[Draft]:
    for pattern in (_EQUALS, _LIMIT, _IN_BRACKETS):
        for match in pattern.finditer(sentence.text):
            subject = _constant(match["subject"], sentence.context)
            value = value_in(match)
            if subject is None or value.start in seen or not is_literal(value.text) or value.text in _STATES:
                continue
            if sentence.speaks_of_other_times() or sentence.is_conditional(match.start(), match.end()):
                continue
            if _PART_OF.search(sentence.text, 0, match.start()) or _IS_SET.match(sentence.text):
                continue
            seen.add(value.start)
            yield sentence.draft(AssertionKind.EQUALS, subject, [value], quantifiers=_bound(match))
    yield from _assignments(sentence)


def _bound(match: re.Match[str]) -> tuple[Quantifier, ...]:
    word = (match.groupdict().get("bound") or "").lower()
    if word in ("at least", "minimum of"):
        return (Quantifier.AT_LEAST,)
    return (Quantifier.UP_TO,) if word in ("at most", "up to", "maximum of", "no more than") else ()


def _assignments(sentence: Sentence) -> Iterator[Draft]:
    """`MAX_RETRIES = 5` as inline code of its own."""
    for match in re.finditer(r"`(?P<code>[A-Za-z_][\w.]* ?= ?[^`=][^`]{0,80})`", sentence.text):
        inner = _ASSIGNED.match(match["code"])
        subject = _constant(inner["name"], sentence.context) if inner else None
        if not inner or subject is None or not inner["name"].rpartition(".")[2].isupper():
            continue
        if (
            not is_literal(inner["value"])
            or sentence.speaks_of_other_times()
            or sentence.is_example(match.start())
            or _SET_BY_THE_READER.search(sentence.text, 0, match.start())
        ):
            continue
        start = match.start("code") + inner.start("value")
        value = Value(inner["value"], start, start + len(inner["value"]))
        yield sentence.draft(AssertionKind.EQUALS, subject, [value])


def _constant(written: str, context: Context) -> Entity | None:
    """A constant that the project has: of anything else a sentence says what it is in some case only."""
    entity = context.names.entity(written)
    if entity is None or not context.names.is_known(entity.name, FactKind.CONSTANT):
        return None
    last = entity.name.rpartition(".")[2]
    is_constant = last.isupper() or entity.name.count(".") > 0
    return entity.model_copy(update={"kind": EntityKind.CONSTANT}) if is_constant else None
