"""Claims in prose: every rule looks at every sentence."""

import re
from collections.abc import Iterator
from dataclasses import replace

from veridic.code.claims.cues import cue
from veridic.code.claims.domains import may_have_domain
from veridic.code.claims.drafts import Context, Draft
from veridic.code.claims.passage import Passage
from veridic.code.claims.said_contracts import may_say_contracts, said_contracts
from veridic.code.claims.said_defaults import may_say_values, said_defaults
from veridic.code.claims.said_members import may_say_members, said_members
from veridic.code.claims.said_names import said_behaviour, said_names
from veridic.code.claims.sentence import Sentence, may_mention, sentences
from veridic.domain.code import Entity, EntityKind

_CAN_LEAD = frozenset(
    {
        EntityKind.SYMBOL,
        EntityKind.FLAG,
        EntityKind.ENVIRONMENT,
        EntityKind.SETTING,
        EntityKind.CONSTANT,
        EntityKind.PARAMETER,
    }
)
_TAKE_PARAMETERS = frozenset({EntityKind.FUNCTION, EntityKind.CLASS})
_MOST_NEARBY = 6
_GOES_ON = re.compile(r"(?:The default\b|Defaults? to\b|Default:)")
"""It says something of what the sentence before began with: "`wait` is how long. Defaults to 5."."""
_MAY_SAY = (cue("` --"), may_say_values, may_say_contracts, may_say_members)
_MAY_SAY_IN_CODE = (may_mention, may_say_values, may_say_contracts, may_say_members, may_have_domain)


def prose_drafts(
    passage: Passage, context: Context, *, is_item: bool = False, is_heading: bool = False
) -> Iterator[Draft]:
    """Every claim in a paragraph, an item of a list or a heading."""
    may_say = _MAY_SAY_IN_CODE if context.is_in_code else _MAY_SAY
    if not any(may(passage.text) for may in may_say):
        return
    led_by: Entity | None = None
    for sentence in sentences(passage, context):
        if is_item and sentence.is_first and context.topic is None:
            context = context.about(_leading(sentence))
        named = [
            mention.entity.name for mention in sentence.mentions if mention.entity.kind in _TAKE_PARAMETERS
        ]
        if named:
            nearby = dict.fromkeys((*reversed(named), *context.nearby))
            context = replace(context, nearby=tuple(nearby)[:_MOST_NEARBY])
        goes_on = led_by is not None and context.topic is None and _GOES_ON.match(sentence.text)
        around = context.about(led_by) if goes_on else context
        if sentence.context is not around:
            sentence = replace(sentence, context=around)  # noqa: PLW2901
        led_by = led_by if goes_on else _leading(sentence)
        yield from sentence_drafts(sentence, defines=is_heading or is_item)


def sentence_drafts(sentence: Sentence, *, defines: bool = False) -> Iterator[Draft]:
    """Every claim in one sentence."""
    yield from said_defaults(sentence)
    yield from said_contracts(sentence)
    yield from said_members(sentence)
    yield from said_behaviour(sentence)
    yield from said_names(sentence, defines=defines and sentence.is_first)


def _leading(sentence: Sentence) -> Entity | None:
    """What an item begins with: `- --port PORT: ...`."""
    first = sentence.mentions[0] if sentence.mentions else None
    if first is None or first.start > 1:
        return None
    if first.entity.kind in _CAN_LEAD:
        return first.entity
    if (
        first.entity.kind in (EntityKind.FUNCTION, EntityKind.CLASS)
        and "(" not in first.written
        and first.written[:1].islower()
    ):
        return Entity(kind=EntityKind.SYMBOL, name=first.entity.name)
    return None
