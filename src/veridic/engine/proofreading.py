"""Checks the claims that a model lists against the text: only what the author says is checked.

A claim that is in the text word for word, as a whole sentence, is the author's. One that is only part of a sentence is read against it:
"the tower was closed" is not what "It is not true that the tower was closed" says. Any other claim must be supported by the place it was given: the network
of the embedded engine reads it against that sentence and the title, with the sentence before it, alone, or with the three before it,
because the model takes from there what "it" and "Thursday" mean. Shared words are not enough: all the words of "The tower was never
finished" may be in a text that says it was. A claim that is said elsewhere in the text is moved there.
"""

import re
from collections.abc import Callable, Sequence
from functools import cached_property

from veridic.claims.extract import extract_claims
from veridic.claims.locate import Placed, Sentence, own_spans, sentences_of, word_for_word
from veridic.claims.worth_model import Embed
from veridic.domain.claim import Claim, Omission, OmissionReason
from veridic.domain.dates import PartialDate
from veridic.domain.document import Document, Span
from veridic.judging.base import PairJudge
from veridic.judging.excerpt import by_closeness
from veridic.judging.windows import as_read
from veridic.judging.wordings import denials
from veridic.text.detect import detect_language
from veridic.text.words import content_stems

LEAST_SAID = 0.4
"""How likely it must be that a place says a claim. On articles that the network was not trained on (`python -m
training.proofreading`) this and the next lose 2 percent of what their sentences say, and stop 96 percent of what has nothing to do with them; of claims
with another figure, name or date than the sentence's they stop 77 percent."""
LEAST_RESTATED = 0.05
"""The same for a claim that has the author's words at its place and no word that is missing from the text. A model that fills in who and
when writes such claims, and the network often can't follow it over a whole article."""
SENTENCES_BEFORE = (1, 0, 3)
"""How many sentences before a place are read with it; tried in turn until one supports the claim. The network was trained with one."""
LEAST_STOOD_FOR = 0.1
"""The same for the main statements of a text, which it may not state in so many words: only claims that nothing in it comes near are
left out. It loses 0.4 percent of what the articles say, and stops 56 percent of what they no longer say without the one sentence."""
_ENGLISH, _UNKNOWN = "en", "und"
_WORD = re.compile(r"[^\W_]+")
_MOST_OF_THE_QUOTE = 2 / 3
_SAMPLE = 6000
"""Characters used to detect the language."""


class Proofreader:
    """Reads English only; claims or texts in another language are kept unchecked."""

    def __init__(self, judge: Callable[[], PairJudge], embed: Embed) -> None:
        """`judge` is called when the first claim needs it."""
        self._judge = judge
        self._embed = embed

    def said(self, claims: Sequence[Claim], document: Document) -> tuple[Claim, ...]:
        """Return the claims that the text says, each at the place that says it."""
        text = _Text(document)
        places = {claim.id: text.places(claim) for claim in _doubtful(claims, document) if claim.quote}
        asked = [(claim, span) for claim in claims for span in places.get(claim.id, ())]
        restated = {claim.id for claim in claims if claim.id in places and text.is_restated(claim)}
        supported_at: dict[str, Span] = {}
        for before in SENTENCES_BEFORE:
            left = [(claim, span) for claim, span in asked if claim.id not in supported_at]
            pairs = [(claim.text, [text.around(span, before)]) for claim, span in left]
            for (claim, span), supported in zip(left, self._supported(pairs), strict=True):
                if supported >= (LEAST_RESTATED if claim.id in restated else LEAST_SAID):
                    supported_at.setdefault(claim.id, span)
        denied = self._denied(claims, document)
        kept = [
            claim
            for claim in claims
            if claim.id not in denied and (claim.id not in places or claim.id in supported_at)
        ]
        return text.moved(kept, supported_at)

    def stood_for(self, claims: Sequence[Claim], document: Document) -> tuple[Claim, ...]:
        """Return the claims that the text as a whole supports, at any place."""
        doubtful = _doubtful(claims, document)
        whole = _Text(document).around((0, len(document.text)))
        supported = self._supported([(claim.text, [whole]) for claim in doubtful])
        unsaid = {
            claim.id for claim, chance in zip(doubtful, supported, strict=True) if chance < LEAST_STOOD_FOR
        }
        unsaid |= self._denied(claims, document)
        return tuple(claim for claim in claims if claim.id not in unsaid)

    def _denied(self, claims: Sequence[Claim], document: Document) -> set[str]:
        """Return the ids of claims that are in the text word for word, but only inside sentences that deny them."""
        readable = _readable(claims, document)
        sentences = [(_spelt(one.text), one.text) for one in sentences_of(document)] if readable else []
        asked = [(claim, text) for claim in readable for text in _around(_spelt(claim.text), sentences)]
        beliefs = self._judge().believe([(claim.text, [text]) for claim, text in asked]) if asked else []
        denies = [
            (claim.id, belief.refuted > belief.supported)
            for (claim, _), belief in zip(asked, beliefs, strict=True)
        ]
        said = {claim_id for claim_id, is_denied in denies if not is_denied}
        return {claim_id for claim_id, _ in denies} - said

    def checkable(self, document: Document) -> tuple[Sentence, ...]:
        """Return the sentences that contain something to check."""
        found = {claim.sentence_index for claim in extract_claims(document, self._embed).claims}
        return tuple(one for number, one in enumerate(sentences_of(document)) if number in found)

    def _supported(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> list[float]:
        return [belief.supported for belief in self._judge().believe(pairs)] if pairs else []


def unlisted(checkable: Sequence[Sentence], listed: Sequence[Claim | Omission]) -> tuple[Omission, ...]:
    """Return an omission for each checkable sentence in which the model listed nothing."""
    return tuple(
        Omission(span=one.span, text=one.text, reason=OmissionReason.NOT_LISTED)
        for one in checkable
        if not any(_overlap(other.span, one.span) for other in listed)
    )


class _Text:
    """A document that claims are checked against."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._sentences = sentences_of(document)

    def places(self, claim: Claim) -> list[Span]:
        """Return where a claim may be said, the best place first: the sentence of its span that is closest to it, its whole span, the
        closest sentence of the text."""
        within = [one for one in self._sentences if _overlap(one.span, claim.span)]
        whole = (within[0].span[0], within[-1].span[1]) if within else claim.span
        found = (_closest(claim, within), whole, _closest(claim, self._sentences))
        return list(dict.fromkeys(span for span in found if span is not None))

    def around(self, span: Span, before: int = 0) -> str:
        """Return the text to read: the sentences of a place and `before` sentences in front of them."""
        within = [number for number, one in enumerate(self._sentences) if _overlap(one.span, span)]
        if within:
            read = self._sentences[max(0, within[0] - before) : within[-1] + 1]
            text = " ".join(one.text for one in read)
        else:
            text = " ".join(self._document.text[slice(*span)].split())
        return as_read(self._document.title or "", self._document.published, text)

    def is_restated(self, claim: Claim) -> bool:
        return is_restated(claim.text, claim.quote, self._stems)

    @cached_property
    def _stems(self) -> frozenset[str]:
        return stems_of(self._document.text, self._document.title or "", self._document.published)

    def moved(self, claims: Sequence[Claim], places: dict[str, Span]) -> tuple[Claim, ...]:
        """Return the claims, each inside the place that supports it."""
        at = [self._at(claim, places[claim.id]) if claim.id in places else claim for claim in claims]
        if all(one is claim for one, claim in zip(at, claims, strict=True)):
            return tuple(claims)
        spans = own_spans([Placed(claim.text, claim.span) for claim in at], self._document.text)
        return tuple(self._quoting(claim, span) for claim, span in zip(at, spans, strict=True))

    def _at(self, claim: Claim, place: Span) -> Claim:
        if place[0] <= claim.span[0] and claim.span[1] <= place[1]:
            return claim
        number = next(number for number, one in enumerate(self._sentences) if one.span[0] == place[0])
        context = self._sentences[number].text
        moved = claim.model_copy(update={"sentence_index": number, "context": context})
        return self._quoting(moved, place)

    def _quoting(self, claim: Claim, span: Span) -> Claim:
        return claim.model_copy(update={"span": span, "quote": self._document.text[slice(*span)]})


def stems_of(text: str, title: str, published: PartialDate | None) -> frozenset[str]:
    """Return the stems that a claim may use without adding anything: those of the text, and the years around its publication."""
    year = published.first.year if published else None
    years = {str(year + ago) for ago in (-2, -1, 0, 1)} if year else set()
    return frozenset(content_stems(f"{title} {text}")) | years


def is_restated(claim: str, quote: str, stems: frozenset[str]) -> bool:
    """Tell whether a claim has most words of its quote, the same negations, and no word that is missing from the text."""
    own, quoted = content_stems(claim), content_stems(quote)
    return (
        bool(quoted)
        and own <= stems
        and len(own & quoted) >= _MOST_OF_THE_QUOTE * len(quoted)
        and denials(claim) == denials(quote)
    )


def _closest(claim: Claim, sentences: Sequence[Sentence]) -> Span | None:
    ranked = by_closeness(claim.text, [one.text for one in sentences])
    return sentences[ranked[0]].span if ranked else None


def _overlap(one: Span, other: Span) -> bool:
    return max(one[0], other[0]) < min(one[1], other[1])


def _around(wanted: str, sentences: Sequence[tuple[str, str]]) -> list[str]:
    """Return the sentences that contain these words and more; none if one of them is nothing else. `sentences` are given by their words."""
    found = [(words, text) for words, text in sentences if f" {wanted} " in f" {words} "]
    return [] if not wanted or any(words == wanted for words, _ in found) else [text for _, text in found]


def _spelt(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))


def _readable(claims: Sequence[Claim], document: Document) -> list[Claim]:
    """Return the claims that the network can read."""
    if not claims or detect_language(document.text[:_SAMPLE]) != _ENGLISH:
        return []
    return [claim for claim in claims if detect_language(claim.text) in (_ENGLISH, _UNKNOWN)]


def _doubtful(claims: Sequence[Claim], document: Document) -> list[Claim]:
    """Return the claims to check: those that are not in the text word for word and that the network can read."""
    readable = _readable(claims, document)
    own = word_for_word(readable, document) if readable else set()
    return [claim for claim in readable if claim.id not in own]
