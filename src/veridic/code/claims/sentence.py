"""A sentence of a passage, with the names it mentions."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from veridic.code.claims.cues import cue
from veridic.code.claims.domains import quantifiers_of
from veridic.code.claims.drafts import Context, Draft
from veridic.code.claims.passage import Passage
from veridic.code.claims.values import Value
from veridic.domain.code import Assertion, AssertionKind, Entity, EntityKind, FactKind, Quantifier
from veridic.text.sentences import split_sentences

LONGEST_SENTENCE = 2_000
_MENTION = re.compile(
    r"`(?P<code>[^`\n]{1,200})`|(?<![\w`-])(?P<flag>--[a-z][\w-]{0,39}\w)(?![\w`-])"
    r"|(?<![\w`$])(?P<variable>[A-Z][A-Z0-9]{1,20}(?:_[A-Z0-9]{1,20}){1,6})(?![\w`])"
)
_USED_TO = r"(?<!\bbe )(?<!\bis )(?<!\bare )(?<!\bbeen )(?<!\bwas )(?<!\bwere )used to"
"""And not what can be used to do something."""
_TOLD = re.compile(
    rf"\b(?:will|would|could|might|planned|plans? to|going to|{_USED_TO}|previously|formerly|no longer|in the past|removed|dropped|drops|renamed"
    r"|before (?:version|v?\d)|prior to|until (?:version|v?\d)|older versions?|originally|historically|suppose"
    r"|imagine|hypothetical|proposed?|wish|ideally|upcoming|not yet|eventually|(?:previous|former|old)(?= `))\b",
    re.IGNORECASE,
)
_TO_COME = re.compile(
    r"\bwill (?:not )?(?:\w+ly )?(?:(?:be|get) (?:\w+ly )?(?:add|remov|renam|replac|introduc|drop|support|implement|availab|deprecat|mov|delet|gone)|become|chang|support|gain|disappear|go away)"
    r"|\b(?:future|soon|someday|(?:next|later|coming) (?:major |minor )?(?:version|release)s?)\b",
    re.IGNORECASE,
)
_WILL = re.compile(r"\bwill\b", re.IGNORECASE)
_CASE = re.compile(
    r"\b(?:if|when|whenever|once|unless|whether|because) (?!it\b|they\b|this\b|these\b|that\b)[^,;:.()`]{1,160}(?=[,;:.()]|\Z)",
    re.IGNORECASE,
)
"""When it holds, and no name in it: "rebuilt if its Python no longer fits" says nothing of what the sentence names."""
_may_be_told = cue(
    "will would could might plan going used previous former longer past remov drop renam before prior until older original "
    "histor suppos imagin hypothet propos wish ideal upcoming eventual",
    "not yet",
    "old `",
)
_EXAMPLE = re.compile(
    r"\b(?:for example|for instance|e\.g\.|such as|say,|like so|imaginary|fictional)", re.IGNORECASE
)
_CHANGES = re.compile(
    r"\b(?:will (?:change|become|be (?:changed|removed|replaced))\b|in (?:a |the )?future|no longer\b|"
    + _USED_TO
    + r"\b"
    r"|(?:before|since|until|prior to|as of) (?:version )?v?\d)",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:if|when|unless|whenever|while|where|except|depending|(?:on|under) (?:windows|linux|mac\w*|unix|posix)|in \w+ mode"
    r"|under (?:python|node)|with (?:the )?`|for (?:the )?`|otherwise|instead)\b(?!\s+(?:not|none|omitted|unset|absent"
    r"|unspecified|left|you (?:don't|do not)|it is not|it's not|this is not|nothing)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Mention:
    entity: Entity
    written: str
    start: int
    end: int
    """With its backticks."""


@dataclass(frozen=True, slots=True)
class Sentence:
    passage: Passage
    context: Context
    text: str
    offset: int
    mentions: tuple[Mention, ...]
    is_first: bool

    def before(self, position: int, *kinds: EntityKind) -> Mention | None:
        """The nearest mention that ends before `position`."""
        for mention in reversed(self.mentions):
            if mention.end <= position and (not kinds or mention.entity.kind in kinds):
                return mention
        return None

    def just_before(self, position: int, reach: int = 40) -> Mention | None:
        """The nearest mention before `position` with at most `reach` characters between."""
        mention = self.before(position)
        return mention if mention and position - mention.end <= reach else None

    def speaks_of_other_times(self, start: int = 0, end: int | None = None) -> bool:
        """Whether words in that stretch put it into the past, the future or a wish."""
        return any(self._told(_TOLD, start, end))

    def tells_of_what_is_not(self) -> bool:
        """Whether what the sentence names may be gone, or not be there yet: "will print it" tells what it does today."""
        return any(self._told(_TO_COME)) or any(not _WILL.fullmatch(word[0]) for word in self._told(_TOLD))

    def _told(
        self, words: re.Pattern[str], start: int = 0, end: int | None = None
    ) -> Iterator[re.Match[str]]:
        """Where such words stand in that stretch, but for cases that name nothing."""
        if not _may_be_told(self.text):
            return
        cases = [case.span() for case in _CASE.finditer(self.text)]
        for word in words.finditer(self.text, start, len(self.text) if end is None else end):
            if not any(first <= word.start() < last for first, last in cases):
                yield word

    def is_of_another_time(self, end: int) -> bool:
        """Whether what is said up to `end` is put into another time, or is told to change behind it.

        What else stands behind it may well be in the past: "Returns True if it was moved".
        """
        return self.speaks_of_other_times(0, end) or _CHANGES.search(self.text, end) is not None

    def is_conditional(self, start: int, end: int) -> bool:
        """Whether the stretch before `start` or after `end` says that it holds only in some case."""
        begin = (
            self.text.rfind(". ", 0, start) + 1
        )  # "It is checked if it fits. defaults to 5": a sentence in small letters
        return bool(_CONDITION.search(self.text, begin, start) or _CONDITION.search(self.text, end))

    def is_example(self, position: int) -> bool:
        return _EXAMPLE.search(self.text, 0, position) is not None

    def draft(
        self,
        kind: AssertionKind,
        subject: Entity | None,
        values: Sequence[Value] = (),
        *,
        expected: Sequence[str] = (),
        is_negated: bool = False,
        quantifiers: tuple[Quantifier, ...] | None = None,
        domain: str | None = None,
    ) -> Draft:
        place = None
        if len(values) == 1:
            place = self.passage.place(self.offset + values[0].start, self.offset + values[0].end)
        assertion = Assertion(
            kind=kind,
            subject=subject,
            expected=tuple(expected) or tuple(value.text for value in values),
            expected_place=place,
            is_negated=is_negated,
            quantifiers=quantifiers_of(self.text) if quantifiers is None else quantifiers,
        )
        return Draft(
            assertion=assertion,
            text=self.text,
            line=self.passage.first_line(self.offset),
            end_line=self.passage.line(self.offset + len(self.text) - 1),
            entities=tuple(dict.fromkeys(mention.entity for mention in self.mentions)),
            domain=domain,
        )


def sentences(passage: Passage, context: Context) -> Iterator[Sentence]:
    """The sentences of a passage; monstrous ones are left out."""
    for number, (start, end) in enumerate(split_sentences(passage.text)):
        if end - start <= LONGEST_SENTENCE:
            text = passage.text[start:end]
            yield Sentence(passage, context, text, start, tuple(_mentions(text, context)), number == 0)


def _mentions(text: str, context: Context) -> Iterator[Mention]:
    if not may_mention(text):
        return
    for match in _MENTION.finditer(text):
        written = match["code"] or match[0]
        if match["variable"] and not context.names.is_known(
            written, FactKind.ENVIRONMENT, FactKind.CONSTANT, FactKind.SETTING
        ):
            continue
        entity = context.names.entity(written)
        if entity is not None:
            yield Mention(entity, written, match.start(), match.end())


def may_mention(text: str) -> bool:
    """Whether names could be mentioned in a text."""
    return "`" in text or "--" in text or "_" in text


def whole(passage: Passage, context: Context) -> Sentence | None:
    """All of a passage as one sentence; None if there is nothing in it, or too much."""
    text = passage.text
    if not text.strip() or len(text) > LONGEST_SENTENCE:
        return None
    return Sentence(passage, context, text, 0, tuple(_mentions(text, context)), is_first=True)
