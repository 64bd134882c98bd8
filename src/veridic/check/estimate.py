"""Estimates what an order will cost without any request: the embedded extractor counts the claims."""

from typing import NamedTuple

from veridic.check.choose_readers import chosen_models
from veridic.check.model_reader import LONGEST_PART
from veridic.check.run import most_claims
from veridic.claims.extract import extract_claims
from veridic.claims.selection import MAIN_STATEMENTS, high_risk_only, limit_claims, parts_of
from veridic.config.settings import Settings
from veridic.domain.claim import FramingKind
from veridic.domain.document import Document
from veridic.domain.errors import UnknownModelError, UsageError
from veridic.domain.modes import EngineChoice, Mode
from veridic.domain.usage import CostEstimate
from veridic.engine.order import CheckOrder, document_to_validate
from veridic.providers.llm.roles import EMBEDDED, default_models
from veridic.providers.llm.services import service_for
from veridic.providers.search.base import search_price
from veridic.providers.search.channels import channels_for
from veridic.providers.search.connect import connect_search

_CHARACTERS_PER_TOKEN = 4
# Tokens, as measured with our prompts and typical answers (docs/reference/benchmarks.md).
_INSTRUCTIONS = 800
_CLAIM_LISTED = 80
_EVIDENCE_OF_A_CLAIM = 3_500
_EVIDENCE_OF_DOCUMENTS = 900
_VALIDATION_WRITTEN = 350
_SUMMARY_WRITTEN = 500
_VERIFICATION_WRITTEN = 110
_PASSAGES_OF_A_CLAIM = 700
_REPORT_WRITTEN = 900


class _Call(NamedTuple):
    model: str
    input_tokens: int
    output_tokens: int


class _Counted(NamedTuple):
    claims: int
    questions: int
    """Questions that are searched for and read: hearsay has two, which a model answers in one call."""


def estimate(order: CheckOrder, settings: Settings) -> CostEstimate:
    """Return the likely cost of an order; raises `UsageError` if the order can't be run."""
    if order.mode is Mode.CONSENSUS:
        calls, searches, claims = _consensus(order, settings)
    else:
        calls, searches, claims = _validation(order, settings)
    asked = [call for call in calls if not call.model.startswith("embedded/")]
    prices = {call: _price(call, settings) for call in asked}
    return CostEstimate(
        claims=claims,
        calls=len(asked),
        input_tokens=sum(call.input_tokens for call in asked),
        output_tokens=sum(call.output_tokens for call in asked),
        searches=len(searches),
        model_cost_usd=sum(prices[call] or 0.0 for call in asked),
        search_cost_usd=sum(map(search_price, searches)),
        unpriced_models=tuple(dict.fromkeys(call.model for call in asked if prices[call] is None)),
    )


def _validation(order: CheckOrder, settings: Settings) -> tuple[list[_Call], list[str], int]:
    names = chosen_models(order, settings)
    web = () if order.against else tuple(provider.name for provider in connect_search(settings))
    asks_outside = bool(web) or not all(name.startswith("embedded/") for name in names)
    document = document_to_validate(order)
    reads_both = not names.validator.startswith("embedded/")
    counted = _count(document, order.mode, settings, asks_outside=asks_outside, reads_both=reads_both)
    evidence = _INSTRUCTIONS + (_EVIDENCE_OF_A_CLAIM if web else _EVIDENCE_OF_DOCUMENTS)
    listing = [
        _Call(names.extractor, _INSTRUCTIONS + _tokens(part), _CLAIM_LISTED * counted.claims)
        for part in parts_of(document.text, LONGEST_PART)
    ]
    if order.mode is Mode.SUMMARY:
        readings, rounds = [_Call(names.validator, evidence, _SUMMARY_WRITTEN)], 1
    else:
        reading = _Call(names.validator, evidence, _VALIDATION_WRITTEN)
        readings, rounds = [reading] * counted.questions, counted.questions
    if not counted.claims:
        readings, rounds = [], 0
    searches = [name for _ in range(rounds) for _ in channels_for(settings) for name in web]
    return [*listing, *readings], searches, counted.claims


def _consensus(order: CheckOrder, settings: Settings) -> tuple[list[_Call], list[str], int]:
    wanted = order.models
    names = (
        EMBEDDED
        if order.engine is EngineChoice.EMBEDDED
        else default_models(
            settings,
            extractor=wanted.extractor,
            checkers=wanted.checkers,
            reporter=wanted.reporter,
            generator=wanted.generator,
        )
    )
    if order.document is None:
        raise UsageError(
            "What a check of an answer costs depends on the answer: give the text itself to estimate."
        )
    claims = len(extract_claims(order.document).claims)
    text = _tokens(order.document.text[: order.max_content_length])
    web = () if order.against else tuple(provider.name for provider in connect_search(settings))
    evidence = _PASSAGES_OF_A_CLAIM * claims if web or order.against else 0
    answer_tokens = _VERIFICATION_WRITTEN * claims
    calls = [_Call(names.extractor, _INSTRUCTIONS + text, _CLAIM_LISTED * claims)]
    calls += [
        _Call(name, _INSTRUCTIONS + text + _CLAIM_LISTED * claims + evidence, answer_tokens)
        for name in names.checkers
    ]
    calls.append(
        _Call(
            names.reporter, _INSTRUCTIONS + text + answer_tokens * len(names.checkers), _REPORT_WRITTEN + text
        )
    )
    searches = [name for _ in range(claims) for _ in channels_for(settings) for name in web]
    return calls, searches, claims


def _count(
    document: Document, mode: Mode, settings: Settings, *, asks_outside: bool, reads_both: bool
) -> _Counted:
    extraction = extract_claims(document)
    if mode is Mode.SUMMARY:
        claims = min(MAIN_STATEMENTS, len(extraction.claims))
        return _Counted(claims, claims)
    if settings.validate_high_risk_only:
        extraction = high_risk_only(extraction)
    extraction = limit_claims(extraction, most_claims(settings, asks_outside=asks_outside))
    checked = [claim for claim in extraction.claims if claim.framing.verifiable]
    hearsay = sum(
        claim.framing.kind is FramingKind.HEARSAY and bool(claim.framing.underlying_claim)
        for claim in checked
    )
    return _Counted(len(extraction.claims), len(checked) + (0 if reads_both else hearsay))


def _price(call: _Call, settings: Settings) -> float | None:
    try:
        service = service_for(call.model, settings)
    except UnknownModelError as error:
        raise UsageError(str(error)) from None
    return service.price(call.model, call.input_tokens, call.output_tokens) if service.is_paid else 0.0


def _tokens(text: str) -> int:
    return len(text) // _CHARACTERS_PER_TOKEN + 1
