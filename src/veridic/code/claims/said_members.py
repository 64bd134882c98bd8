"""Sentences that list the values something can have, or say how many there are."""

import re
from collections.abc import Iterator

from veridic.code.claims.cues import cue
from veridic.code.claims.drafts import Draft
from veridic.code.claims.sentence import Sentence
from veridic.code.claims.subjects import enumeration, noun_subject, owned, value_holder
from veridic.code.claims.values import COUNT, Value, value_in
from veridic.domain.code import AssertionKind, Entity, EntityKind, FactKind, Quantifier

may_say_members = cue(
    "either choice value support accept takes has have defines contain provide offer consist members includ holds lists exposes",
    "one of",
    "can be",
    "must be",
    "may be",
    "folder of",
    "comes with",
    "there are",
    "` is `",
)
_ITEM = r"(?:`[^`\n]{1,60}`|\"[^\"\n]{1,40}\")"
_SERIES = rf"(?P<series>{_ITEM}(?:\s?(?:,|/|\|)\s?(?:or |and )?{_ITEM}|,? (?:or|and) {_ITEM}){{1,24}})"
_INTRODUCED = re.compile(
    rf"\b(?P<how>one of|either|(?:possible|accepted|allowed|valid|supported) (?:values|choices|options)(?: are|:)?|choices(?: are|:)"
    rf"|values(?: are|:)|can be|must be|may be|supports?|accepts?|takes|members(?: are|:)|includes?|(?<=` )is(?= `)):? (?:one of |either |the values )?{_SERIES}"
    r"(?P<open>,? (?:etc|and (?:so on|more|others)|\.\.\.))?",
    re.IGNORECASE,
)
_CLOSED = frozenset({"one of", "either"})
_COUNTED = {
    "command": EntityKind.COMMAND, "commands": EntityKind.COMMAND, "subcommands": EntityKind.COMMAND,
    "endpoints": EntityKind.ENDPOINT, "routes": EntityKind.ENDPOINT, "environment variables": EntityKind.ENVIRONMENT,
}  # fmt: skip
_HAS_COUNT = re.compile(
    rf"`(?P<subject>[^`]{{1,80}})`(?: enum(?:eration)?| class| constant| set| list| folder| directory)? (?:has|have|defines|contains"
    rf"|provides|lists|consists of|is a folder of|holds) (?:exactly )?{COUNT} (?:\w+ )?(?P<noun>members|values|entries|items"
    r"|methods|fields|parameters|arguments|files|documents|levels|variants|choices|options|elements|modules|examples)\b",
    re.IGNORECASE,
)
_PROJECT_COUNT = re.compile(
    rf"\b(?:has|have|provides|offers|exposes|comes with|there are) (?:exactly )?{COUNT} (?P<noun>commands|subcommands|endpoints|routes"
    r"|environment variables)\b",
    re.IGNORECASE,
)
_NOUN = re.compile(
    r"\b(?:the |an? |its )?(?P<noun>[a-z]+(?: (?!is\b|are\b|of\b)[a-z]+)?)(?: of (?:an? |the )?[a-z]+)? (?:is |are )?\Z",
    re.IGNORECASE,
)
_APPROXIMATE = re.compile(r"\b(?:about|around|roughly|over|more than|nearly|almost|some)\s*\Z", re.IGNORECASE)


def said_members(sentence: Sentence) -> Iterator[Draft]:
    """What the sentence says of possible values and of how many there are."""
    if not may_say_members(sentence.text) or sentence.speaks_of_other_times():
        return
    yield from _series(sentence)
    yield from _counts(sentence)


def _series(sentence: Sentence) -> Iterator[Draft]:
    for match in _INTRODUCED.finditer(sentence.text):
        subject = _chooser(sentence, match.start())
        if subject is None or sentence.is_conditional(match.start(), match.end()):
            continue
        values = [_listed(item, match.start("series")) for item in re.finditer(_ITEM, match["series"])]
        is_closed = not match["open"] and any(word in match[0].lower() for word in _CLOSED)
        quantifiers = (Quantifier.EXACTLY,) if is_closed else ()
        yield sentence.draft(AssertionKind.MEMBERS, subject, values, quantifiers=quantifiers)


def _listed(item: re.Match[str], offset: int) -> Value:
    """One of the values without backticks and without quotes in them."""
    text, start = item[0][1:-1], offset + item.start() + 1
    if len(text) > 2 and text[0] == text[-1] and text[0] in "\"'":
        text, start = text[1:-1], start + 1
    return Value(text, start, start + len(text))


def _chooser(sentence: Sentence, position: int) -> Entity | None:
    """What the values are of: an option, a parameter, an enumeration."""
    context = sentence.context
    mention = sentence.just_before(position, 25)
    if mention is not None:
        if mention.entity.kind is EntityKind.CLASS and context.names.is_known(
            mention.entity.name, FactKind.ENUM
        ):
            return mention.entity
        holder = value_holder(mention.written, context)
        return holder if holder and _can_have_choices(holder) else None
    if context.topic is not None and len([m for m in sentence.mentions if m.end <= position]) <= 1:
        return owned(context.topic, context)
    noun = _NOUN.search(sentence.text[:position])
    if noun is None:
        return None
    return enumeration(noun["noun"], context) or noun_subject(noun["noun"], context)


def _can_have_choices(holder: Entity) -> bool:
    """Attributes of the same name are in many classes: one without an owner could be any of them."""
    return holder.kind is not EntityKind.CONSTANT or holder.name.isupper() or "." in holder.name


def _counts(sentence: Sentence) -> Iterator[Draft]:
    for match in _HAS_COUNT.finditer(sentence.text):
        subject = sentence.context.names.entity(match["subject"])
        if subject is not None:
            yield sentence.draft(AssertionKind.COUNT, subject, [value_in(match)])
    for match in _PROJECT_COUNT.finditer(sentence.text):
        if _APPROXIMATE.search(sentence.text[: match.start("value")]):
            continue
        noun = match["noun"].lower()
        mention = sentence.just_before(match.start(), 20)
        owner = mention.entity.name if mention else None
        subject = Entity(kind=_COUNTED[noun], name=noun, owner=owner)
        yield sentence.draft(AssertionKind.COUNT, subject, [value_in(match)])
