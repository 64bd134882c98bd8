"""Combines all decisions into the document's verdict, credibility score and summary."""

from collections.abc import Iterable, Sequence

from veridic.decision.account import is_citable
from veridic.decision.wording import quote_with_origin, quoted
from veridic.domain.claim import Risk
from veridic.domain.decision import Decision
from veridic.domain.evidence import Evidence, Source, Stance
from veridic.domain.phrases import count, listed
from veridic.domain.validation import CitedSentence
from veridic.domain.verdicts import Scale, Verdict, say

# The worth of each verdict, from 0 (wrong) to 1 (right). Verdicts that leave a claim undecided are not in it.
WORTH: dict[Verdict, float] = {
    Verdict.SUPPORTED: 1.0,
    Verdict.MOSTLY_SUPPORTED: 0.85,
    Verdict.PARTIAL: 0.5,
    Verdict.CONTESTED: 0.5,
    Verdict.MISLEADING: 0.25,
    Verdict.OUTDATED: 0.25,
    Verdict.REFUTED: 0.0,
}
LEAST_DECIDED = 1 / 3
"""The share of claims that must be decided for a score, or for any verdict if no claim is refuted."""
_RISK_WEIGHT = {"HIGH": 1.5, "MEDIUM": 1.0, "LOW": 0.75}


def credibility_score(decisions: Sequence[Decision]) -> int | None:
    """Return the score from 0 to 100, or None if fewer than a third of the claims were decided.

    Each decided claim has the worth in `WORTH`, moved toward the middle if its confidence is low, and weighted by its
    risk. The mean is moved toward the middle by the share of undecided claims. If all claims are supported, the score
    is 90 to 100; if all are refuted, 0 to 20.
    """
    decided = [d for d in decisions if d.verdict in WORTH]
    if not decided or len(decided) < LEAST_DECIDED * len(decisions):
        return None
    weights = [_RISK_WEIGHT[d.claim.risk] for d in decided]
    worths = [0.5 + (WORTH[d.verdict] - 0.5) * (0.5 + 0.5 * d.confidence) for d in decided]
    mean = 100 * sum(w * x for w, x in zip(weights, worths, strict=True)) / sum(weights)
    score = 50 + (mean - 50) * (0.5 + 0.5 * len(decided) / len(decisions))
    if all(d.verdict is Verdict.SUPPORTED for d in decisions):
        score = max(score, 90)
    elif all(d.verdict is Verdict.REFUTED for d in decisions):
        score = min(score, 20)
    return round(score)


def document_verdict(decisions: Sequence[Decision]) -> Verdict:
    """Return the document's verdict; see `overall_verdict`."""
    return overall_verdict([decision.verdict for decision in decisions])


def overall_verdict(verdicts: Sequence[Verdict]) -> Verdict:
    """Return the verdict for all claims: refuted if most decided claims are, supported if none is refuted and most are
    supported, misleading in between; unverifiable if none is refuted and less than a third are decided.
    """
    worths = [WORTH[verdict] for verdict in verdicts if verdict in WORTH]
    refuted = sum(verdict is Verdict.REFUTED for verdict in verdicts)
    if not worths or (not refuted and len(worths) < LEAST_DECIDED * len(verdicts)):
        return Verdict.UNVERIFIABLE
    if refuted * 2 > len(worths):
        return Verdict.REFUTED
    mean = sum(worths) / len(worths)
    if not refuted and mean >= 0.85:
        return Verdict.SUPPORTED if mean == 1.0 else Verdict.MOSTLY_SUPPORTED
    return Verdict.MISLEADING


def overall_rating(verdicts: Sequence[Verdict], overall: Verdict | None = None) -> str:
    """Return the verdict for all claims on the scale of ratings, which has two words where the others have "misleading":
    mixed if the mean of the decided claims is nearer to it than to mostly false.

    `overall` takes the place of `overall_verdict`, where a model has given another one.
    """
    overall = overall or overall_verdict(verdicts)
    worths = [WORTH[verdict] for verdict in verdicts if verdict in WORTH]
    between = (WORTH[Verdict.PARTIAL] + WORTH[Verdict.MISLEADING]) / 2
    if overall is Verdict.MISLEADING and worths and sum(worths) / len(worths) > between:
        overall = Verdict.PARTIAL
    return say(overall, Scale.RATING)


def summarise(decisions: Sequence[Decision]) -> str:
    """Return one sentence that counts the claims by outcome, in words that need no knowledge of the scale."""
    if not decisions:
        return "No verifiable claims identified."
    total = len(decisions)
    counts = {
        "supported": sum(d.verdict in (Verdict.SUPPORTED, Verdict.MOSTLY_SUPPORTED) for d in decisions),
        "refuted": sum(d.verdict is Verdict.REFUTED for d in decisions),
        "out of date": sum(d.verdict is Verdict.OUTDATED for d in decisions),
        "mixed": sum(
            d.verdict in (Verdict.PARTIAL, Verdict.MISLEADING, Verdict.CONTESTED) for d in decisions
        ),
        "unverifiable": sum(d.verdict in (Verdict.UNVERIFIABLE, Verdict.AMBIGUOUS) for d in decisions),
    }
    parts = [f"{number} {word}" for word, number in counts.items() if number]
    return f"Of {count(total, 'claim')} checked: {listed(parts)}."


_SUPPORTED = (Verdict.SUPPORTED, Verdict.MOSTLY_SUPPORTED)
_FAILED = {
    Verdict.REFUTED: "refuted",
    Verdict.MISLEADING: "misleading",
    Verdict.OUTDATED: "out of date",
    Verdict.CONTESTED: "contested",
    Verdict.PARTIAL: "true in part",
}
"""The most important for the reader first."""
_MAX_CLAIMS_LISTED = 2
_MAX_SOURCES = 10
_CLAIM_LEADS = {
    Verdict.SUPPORTED: "The sources support {claim}",
    Verdict.MOSTLY_SUPPORTED: "The sources support, except for a detail, {claim}",
    Verdict.REFUTED: "The sources refute {claim}",
    Verdict.MISLEADING: "The sources show that {claim} is misleading",
    Verdict.OUTDATED: "The sources show that {claim} is out of date",
    Verdict.CONTESTED: "The sources disagree on {claim}",
    Verdict.PARTIAL: "The sources support only part of {claim}",
}
_UNVERIFIABLE_LEAD = "{claim} is unverifiable; the closest passage"


def article_summary(decisions: Sequence[Decision]) -> tuple[CitedSentence, ...]:
    """Return the summary of an article: a sentence for each of one or two claims; for more, one each for the supported,
    the failed and the unverifiable claims.

    Every sentence cites its sources; the last one also counts the claims without a citation. If there is nothing to
    cite at all, the only sentence is that of `summarise`.
    """
    sentences_of = _sentence_per_claim if len(decisions) <= _MAX_CLAIMS_LISTED else _sentence_per_verdict
    return tuple(sentences_of(decisions)) or (CitedSentence(text=summarise(decisions)),)


def _sentence_per_claim(decisions: Sequence[Decision]) -> list[CitedSentence]:
    sentences = [_claim_sentence(decision) for decision in decisions if _citable_evidence(decision)]
    return _with_uncited_count(sentences, len(decisions) - len(sentences))


def _sentence_per_verdict(decisions: Sequence[Decision]) -> list[CitedSentence]:
    total = len(decisions)
    supported = [d for d in decisions if d.verdict in _SUPPORTED]
    failed = [d for d in decisions if d.verdict in _FAILED]
    undecided = [d for d in decisions if d.verdict not in (*_SUPPORTED, *_FAILED)]
    decided = [*_supported_sentence(supported, total), *_failed_sentence(failed, total)]
    if any(map(_citable_evidence, undecided)):
        return [*decided, _unverifiable_sentence(undecided, total)]
    return _with_uncited_count(decided, len(undecided))


def _with_uncited_count(sentences: list[CitedSentence], number: int) -> list[CitedSentence]:
    """Add the number of claims without a citation to the last sentence."""
    if not sentences or not number:
        return sentences
    text = f"{sentences[-1].text.removesuffix('.')}; {count(number, 'claim')} {'is' if number == 1 else 'are'} unverifiable."
    return [*sentences[:-1], sentences[-1].model_copy(update={"text": text})]


def _claim_sentence(decision: Decision) -> CitedSentence:
    evidence = _citable_evidence(decision)
    lead = _CLAIM_LEADS.get(decision.verdict, _UNVERIFIABLE_LEAD).format(claim=quoted(decision.claim.text))
    says = " while ".join(map(quote_with_origin, _strongest(decision, evidence)))
    return CitedSentence(text=f"{lead}: {says}.", sources=_sources([evidence]))


def _supported_sentence(supported: Sequence[Decision], total: int) -> list[CitedSentence]:
    cited = sorted(filter(_citable_evidence, supported), key=_risk_order)
    if not cited:
        return []
    examples = listed([quoted(d.claim.text) for d in cited[:_MAX_CLAIMS_LISTED]])
    which = ":" if len(supported) <= _MAX_CLAIMS_LISTED else ", such as"
    text = f"{_share(supported, total)} supported{which} {examples}."
    return [CitedSentence(text=text, sources=_sources(map(_citable_evidence, cited)))]


def _failed_sentence(failed: Sequence[Decision], total: int) -> list[CitedSentence]:
    order = list(_FAILED)
    cited = sorted(filter(_citable_evidence, failed), key=lambda d: (order.index(d.verdict), _risk_order(d)))
    if not cited:
        return []
    worst = cited[0]
    why = " while ".join(map(quote_with_origin, _strongest(worst, _citable_evidence(worst))))
    above_all = ", above all" if len(failed) > 1 else ","
    text = f"{_share(failed, total)} {_failed_words(failed)}{above_all} {quoted(worst.claim.text)}: {why}."
    return [CitedSentence(text=text, sources=_sources(map(_citable_evidence, cited)))]


def _failed_words(failed: Sequence[Decision]) -> str:
    """`refuted` if all are; otherwise `not supported as stated (2 refuted and 1 contested)`."""
    verdicts = [decision.verdict for decision in failed]
    kinds = [f"{verdicts.count(verdict)} {word}" for verdict, word in _FAILED.items() if verdict in verdicts]
    return _FAILED[verdicts[0]] if len(kinds) == 1 else f"not supported as stated ({listed(kinds)})"


def _unverifiable_sentence(undecided: Sequence[Decision], total: int) -> CitedSentence:
    cited = sorted(filter(_citable_evidence, undecided), key=_risk_order)
    riskiest = cited[0]
    closest = quote_with_origin(_citable_evidence(riskiest)[0])
    text = f"{_share(undecided, total)} unverifiable; the closest passage, for {quoted(riskiest.claim.text)}, is {closest}."
    return CitedSentence(text=text, sources=_sources(map(_citable_evidence, cited)))


def _share(some: Sequence[Decision], total: int) -> str:
    number = len(some)
    return (
        f"{'All' if number == total else f'{number:,} of'} {total:,} claims {'is' if number == 1 else 'are'}"
    )


def _citable_evidence(decision: Decision) -> list[Evidence]:
    """Return the citable evidence of a verdict, strongest first; for an unverifiable claim, the closest passages."""
    evidence = [e for e in decision.evidence if is_citable(e)]
    if decision.verdict not in (*_SUPPORTED, *_FAILED):
        return evidence
    on_a_side = [e for e in evidence if e.stance is not Stance.CONTEXTUAL]
    if decision.verdict in (Verdict.CONTESTED, Verdict.PARTIAL):
        return on_a_side
    side = Stance.SUPPORTING if decision.verdict in _SUPPORTED else Stance.CONTRADICTING
    return [e for e in on_a_side if e.stance is side] or on_a_side


def _strongest(decision: Decision, evidence: Sequence[Evidence]) -> list[Evidence]:
    """Return the strongest passage; if the sources disagree, the strongest of each side."""
    if decision.verdict not in (Verdict.CONTESTED, Verdict.PARTIAL):
        return list(evidence[:1])
    sides = {e.stance: e for e in reversed(evidence)}
    return [sides[stance] for stance in (Stance.SUPPORTING, Stance.CONTRADICTING) if stance in sides]


def _risk_order(decision: Decision) -> tuple[int, float]:
    return list(Risk).index(decision.claim.risk), -decision.confidence


def _sources(evidence_by_claim: Iterable[Sequence[Evidence]]) -> tuple[Source, ...]:
    """Return the best source of each claim, then the second best, up to the limit."""
    ranked = [(rank, e.source) for evidence in evidence_by_claim for rank, e in enumerate(evidence)]
    chosen: dict[str, Source] = {}
    for _, source in sorted(ranked, key=lambda pair: pair[0]):
        chosen.setdefault(source.location, source)
    return tuple(chosen.values())[:_MAX_SOURCES]
