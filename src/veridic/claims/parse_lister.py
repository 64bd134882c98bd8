"""Parses a model's list of claims, and locates them in the text.

The requested format is `{"claims": [{"claim", "risk_level", "category", "source_paragraph", "queries": {...}}]}`. Everything but the
claim may be missing and then comes from our own rules. The parser also reads claims as plain strings, in a list under any of its usual
names or none, or as lines of one string; everything else, with JSON or without, is read by `claims/parse_extractor.py`. Place, framing and type
of a claim always come from our own rules.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from veridic.claims.classify import claim_type, find_features
from veridic.claims.framing import detect_framing
from veridic.claims.locate import locate_claims, sentences_of
from veridic.claims.parse_extractor import read_claims, says_there_are_no_claims
from veridic.claims.worth import prioritise
from veridic.domain.claim import Claim, Extraction, FramingKind, Risk
from veridic.domain.consensus import ExtractedClaim
from veridic.domain.document import Document
from veridic.domain.evidence import Channel
from veridic.text.answer_fields import AnswerError, Fields, as_text
from veridic.text.detect import detect_language
from veridic.text.loose_json import objects_with, plain_name, read_json
from veridic.text.words import content_stems

_CLAIM = ("claim", "claimtext", "statement", "assertion", "fact", "text")
_CLAIMS = ("claims", "extractedclaims", "factualclaims", "statements", "facts")
_RISK, _CATEGORY = ("risklevel", "risk"), ("category", "topic")
_PARAGRAPH = ("sourceparagraph", "context", "sentence", "quote")
_MAX_CLAIM_CHARACTERS = 1000
_MAX_CATEGORY_CHARACTERS = 60
_MAX_QUERY_CHARACTERS = 300
_LANGUAGE_SAMPLE = 6000
_T = TypeVar("_T")


class ListedClaim(NamedTuple):
    """A claim as the model wrote it; missing values are empty or None."""

    claim: str
    risk: Risk | None = None
    category: str = ""
    source_paragraph: str = ""
    queries: Mapping[Channel, str] = {}


def parse_listed(text: str) -> tuple[ListedClaim, ...]:
    """Return the claims of an answer in its order, each wording once; empty if it says that there are none.

    Raises `AnswerError` if it is not a list of claims.
    """
    values = read_json(text)
    if not values or _are_asides(values, text):
        claims, says_none = _parse_plain_text(text), says_there_are_no_claims(text)
    else:
        claims = [claim for fields in _items(values) if (claim := _read(fields)) is not None]
        says_none = _says_none(values)
        if not claims and not says_none:
            claims, says_none = _parse_plain_text(text), says_there_are_no_claims(text)
    if not claims and not says_none:
        raise AnswerError("no JSON object with a list of claims")
    return tuple(_deduplicate(claims, lambda claim: claim.claim))


def _are_asides(values: list[object], text: str) -> bool:
    """Whether the values are only short bracketed remarks in a text, such as `[1]` or `[sic]`."""
    if not all(isinstance(value, list) and all(isinstance(item, str) for item in value) for value in values):
        return False
    return sum(len(as_text(value)) for value in values) < len(text.strip()) / 2


def _parse_plain_text(text: str) -> list[ListedClaim]:
    """Read the claims as those of an extractor."""
    found: list[ListedClaim] = []
    for one, other in read_claims(text):
        fields = Fields({**other})
        listed = ListedClaim(
            claim=one.claim[:_MAX_CLAIM_CHARACTERS],
            risk=_risk(fields.text(*_RISK)),
            category=fields.text(*_CATEGORY)[:_MAX_CATEGORY_CHARACTERS],
            source_paragraph=fields.text(*_PARAGRAPH) or one.context,
        )
        found.append(listed)
    return found


def _listed_in(fields: Fields) -> Iterator[Fields]:
    """Yield the claims that an object lists, or the object itself if it is a claim."""
    given = fields.raw(*_CLAIMS)
    if given is None:
        yield fields
    elif isinstance(given, str):
        yield from (Fields({"claim": line}) for line in fields.texts(*_CLAIMS))
    else:
        yield from _items(list(given.values()) if isinstance(given, dict) else given)


def _items(value: object) -> Iterator[Fields]:
    """Yield objects with a claim, however nested, and strings in their place, in order."""
    if isinstance(value, str):
        yield Fields({"claim": value})
    elif isinstance(value, list):
        for item in value:
            yield from _items(item)
    elif isinstance(value, dict):
        for content in objects_with([value], *_CLAIMS, *_CLAIM):
            yield from _listed_in(Fields(content))


def _says_none(values: list[object]) -> bool:
    return values == [[]] or any(
        not Fields(content).texts(*_CLAIMS) for content in objects_with(values, *_CLAIMS)
    )


def _read(fields: Fields) -> ListedClaim | None:
    claim = fields.text(*_CLAIM)
    if not any(character.isalnum() for character in claim):
        return None
    return ListedClaim(
        claim=claim[:_MAX_CLAIM_CHARACTERS],
        risk=_risk(fields.text(*_RISK)),
        category=fields.text(*_CATEGORY)[:_MAX_CATEGORY_CHARACTERS],
        source_paragraph=fields.text(*_PARAGRAPH),
        queries=_queries(fields),
    )


def _risk(word: str) -> Risk | None:
    named = [risk for risk in Risk if risk.value in word.upper()]
    return named[0] if len(named) == 1 else None


def _queries(fields: Fields) -> dict[Channel, str]:
    given = fields.raw("queries", "searchqueries")
    if not isinstance(given, dict):
        return {}
    by_name = {
        plain_name(name).removesuffix("query"): as_text(query)[:_MAX_QUERY_CHARACTERS]
        for name, query in given.items()
    }
    return {channel: by_name[channel] for channel in Channel if by_name.get(channel)}


def _deduplicate(items: Iterable[_T], wording: Callable[[_T], str]) -> list[_T]:
    """Keep the first item of every wording."""
    first: dict[str, _T] = {}
    for item in items:
        first.setdefault(wording(item).casefold().rstrip(" .!…"), item)
    return list(first.values())


def locate_listed(
    listed: Sequence[ListedClaim], document: Document
) -> tuple[Extraction, dict[str, Mapping[Channel, str]]]:
    """Return the claims with their spans, in the order of the text, and their queries by id."""
    located = locate_claims([_extracted(claim, number) for number, claim in enumerate(listed, 1)], document)
    sentences = [one.text for one in sentences_of(document)]
    described = [
        _with_model_details(claim, given, sentences) for claim, given in zip(located, listed, strict=True)
    ]
    in_order = sorted(zip(described, listed, strict=True), key=lambda pair: _position(pair[0]))
    claims: list[Claim] = []
    queries: dict[str, Mapping[Channel, str]] = {}
    for number, (claim, given) in enumerate(_deduplicate(in_order, lambda pair: _duplicate_key(pair[0])), 1):
        claims.append(claim.model_copy(update={"id": f"claim_{number}"}))
        if given.queries:
            queries[claims[-1].id] = given.queries
    extraction = Extraction(
        claims=tuple(claims),
        omissions=(),
        sentence_count=len(sentences),
        language=detect_language(document.text[:_LANGUAGE_SAMPLE]),
    )
    return extraction, queries


def _extracted(listed: ListedClaim, number: int) -> ExtractedClaim:
    framing = detect_framing(listed.claim)
    return ExtractedClaim(
        id=f"claim_{number}",
        claim=listed.claim,
        context=listed.source_paragraph or listed.claim,
        type=claim_type(find_features(listed.claim), framing),
    )


def _with_model_details(claim: Claim, listed: ListedClaim, sentences: Sequence[str]) -> Claim:
    """Add what the model says about the claim, its sentence, and the author's framing if the model lost it."""
    risk = listed.risk or claim.risk
    described = claim.model_copy(
        update={
            "risk": risk,
            "category": listed.category or claim.category,
            "priority": prioritise(risk, claim.check_worthiness),
        }
    )
    sentence = sentences[claim.sentence_index] if sentences else ""
    if not claim.quote or " ".join(claim.quote.split()) not in sentence:
        return described
    return _with_author_framing(described.model_copy(update={"context": sentence}), sentence)


def _with_author_framing(claim: Claim, sentence: str) -> Claim:
    """Apply the framing of `sentence` (reported, insinuated, private data) if the claim is about the same. The claim keeps the
    model's wording: the sentence may say more."""
    framing = detect_framing(sentence[:_MAX_CLAIM_CHARACTERS])
    is_lost = claim.framing.kind is FramingKind.DIRECT_FACTUAL is not framing.kind
    if not is_lost or not _covers(claim.text, framing.underlying_claim or sentence):
        return claim
    if framing.kind is FramingKind.HEARSAY:
        framing = framing.model_copy(update={"underlying_claim": claim.text})
    return claim.model_copy(update={"framing": framing})


def _duplicate_key(claim: Claim) -> str:
    """Return a key that is the same for every wording of what one sentence reports."""
    if claim.framing.kind is not FramingKind.HEARSAY or not claim.framing.underlying_claim:
        return claim.text
    return f"{claim.sentence_index} {sorted(content_stems(claim.framing.underlying_claim))}"


def _covers(claim: str, wording: str) -> bool:
    wanted = content_stems(wording)
    return len(wanted & content_stems(claim)) > len(wanted) / 2


def _position(claim: Claim) -> tuple[bool, int]:
    """Sort claims by position; those without a place in the text come last."""
    return not claim.quote, claim.span[0]
