"""All decisions → the document's verdict, its credibility score, and what they come to in words."""

from collections.abc import Iterable, Sequence

from veridic.decision.account import can_be_followed
from veridic.decision.wording import count, listed, quoted, told
from veridic.domain.claim import Risk
from veridic.domain.decision import Decision
from veridic.domain.evidence import Evidence, Source, Stance
from veridic.domain.validation import CitedSentence
from veridic.domain.verdicts import Verdict

# What each verdict is worth, from 0 (wrong) to 1 (right). Verdicts that settle nothing are left out.
WORTH: dict[Verdict, float] = {
    Verdict.SUPPORTED: 1.0,
    Verdict.MOSTLY_SUPPORTED: 0.85,
    Verdict.PARTIAL: 0.5,
    Verdict.CONTESTED: 0.5,
    Verdict.MISLEADING: 0.25,
    Verdict.OUTDATED: 0.25,
    Verdict.REFUTED: 0.0,
}
_RISK_WEIGHT = {"HIGH": 1.5, "MEDIUM": 1.0, "LOW": 0.75}


def credibility_score(decisions: Sequence[Decision]) -> int | None:
    """From 0 to 100, or None where nothing could be verified.

    Each settled claim is worth `WORTH`, pulled toward the middle by what its confidence lacks, and
    weighted by its risk; the mean is pulled toward the middle by the share of claims that were not
    settled. All claims supported lands in 90 to 100, all refuted in 0 to 20.
    """
    settled = [d for d in decisions if d.verdict in WORTH]
    if not settled:
        return None
    weights = [_RISK_WEIGHT[d.claim.risk] for d in settled]
    worths = [0.5 + (WORTH[d.verdict] - 0.5) * (0.5 + 0.5 * d.confidence) for d in settled]
    mean = 100 * sum(w * x for w, x in zip(weights, worths, strict=True)) / sum(weights)
    score = 50 + (mean - 50) * (0.5 + 0.5 * len(settled) / len(decisions))
    if all(d.verdict is Verdict.SUPPORTED for d in decisions):
        score = max(score, 90)
    elif all(d.verdict is Verdict.REFUTED for d in decisions):
        score = min(score, 20)
    return round(score)


def document_verdict(decisions: Sequence[Decision]) -> Verdict:
    """What the claims say about the whole: refuted when most of what was settled is, supported when nothing
    of it is refuted and most is supported, misleading in between; unverifiable when nothing is refuted
    and less than a third could be settled."""
    worths = [WORTH[d.verdict] for d in decisions if d.verdict in WORTH]
    refuted = sum(d.verdict is Verdict.REFUTED for d in decisions)
    if not worths or (not refuted and len(worths) * 3 < len(decisions)):
        return Verdict.UNVERIFIABLE
    if refuted * 2 > len(worths):
        return Verdict.REFUTED
    mean = sum(worths) / len(worths)
    if not refuted and mean >= 0.85:
        return Verdict.SUPPORTED if mean == 1.0 else Verdict.MOSTLY_SUPPORTED
    return Verdict.MISLEADING


def summarise(decisions: Sequence[Decision]) -> str:
    """One sentence a reader understands without knowing the scale."""
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
        "without evidence": sum(d.verdict in (Verdict.UNVERIFIABLE, Verdict.AMBIGUOUS) for d in decisions),
    }
    parts = [f"{number} {word}" for word, number in counts.items() if number]
    return f"Of {count(total, 'claim')} checked: {listed(parts)}."


_HOLDS = (Verdict.SUPPORTED, Verdict.MOSTLY_SUPPORTED)
_FAILS = {
    Verdict.REFUTED: "refuted",
    Verdict.MISLEADING: "misleading",
    Verdict.OUTDATED: "out of date",
    Verdict.CONTESTED: "contested",
    Verdict.PARTIAL: "true in part",
}
"""What a reader must know first comes first."""
_TOLD_ONE_BY_ONE = 2
_MOST_SOURCES = 10
_TELLING = {
    Verdict.SUPPORTED: "The sources bear out {claim}",
    Verdict.MOSTLY_SUPPORTED: "The sources bear out, but for a detail, {claim}",
    Verdict.REFUTED: "The sources refute {claim}",
    Verdict.MISLEADING: "The sources show that {claim} misleads",
    Verdict.OUTDATED: "The sources show that {claim} is out of date",
    Verdict.CONTESTED: "The sources disagree on {claim}",
    Verdict.PARTIAL: "The sources bear out only part of {claim}",
}
_OPEN = "Nothing that was read settles {claim}"


def article_summary(decisions: Sequence[Decision]) -> tuple[CitedSentence, ...]:
    """One or two claims are told a sentence each. Of more it says what holds, what does not and why, and what is open.

    Every sentence cites, and claims that nothing can be cited for are counted behind the last one. Only where
    there is nothing to cite at all, the one sentence is that of `summarise`.
    """
    tell = _one_by_one if len(decisions) <= _TOLD_ONE_BY_ONE else _by_verdict
    return tuple(tell(decisions)) or (CitedSentence(text=summarise(decisions)),)


def _one_by_one(decisions: Sequence[Decision]) -> list[CitedSentence]:
    sentences = [_told(decision) for decision in decisions if _grounds(decision)]
    return _with_the_rest(sentences, len(decisions) - len(sentences))


def _by_verdict(decisions: Sequence[Decision]) -> list[CitedSentence]:
    total = len(decisions)
    holds = [d for d in decisions if d.verdict in _HOLDS]
    fails = [d for d in decisions if d.verdict in _FAILS]
    still_open = [d for d in decisions if d.verdict not in (*_HOLDS, *_FAILS)]
    settled = [*_what_holds(holds, total), *_what_fails(fails, total)]
    if any(map(_grounds, still_open)):
        return [*settled, _what_is_open(still_open, total)]
    return _with_the_rest(settled, len(still_open))


def _with_the_rest(sentences: list[CitedSentence], number: int) -> list[CitedSentence]:
    """The last sentence says too how many claims there was nothing to cite for."""
    if not sentences or not number:
        return sentences
    text = f"{sentences[-1].text.removesuffix('.')}; {count(number, 'claim')} could not be settled."
    return [*sentences[:-1], sentences[-1].model_copy(update={"text": text})]


def _told(decision: Decision) -> CitedSentence:
    grounds = _grounds(decision)
    lead = _TELLING.get(decision.verdict, _OPEN).format(claim=quoted(decision.claim.text))
    says = " while ".join(map(told, _most_telling(decision, grounds)))
    return CitedSentence(text=f"{lead}: {says}.", sources=_sources([grounds]))


def _what_holds(holds: Sequence[Decision], total: int) -> list[CitedSentence]:
    cited = sorted(filter(_grounds, holds), key=_riskiest_first)
    if not cited:
        return []
    examples = listed([quoted(d.claim.text) for d in cited[:_TOLD_ONE_BY_ONE]])
    which = ":" if len(holds) <= _TOLD_ONE_BY_ONE else ", such as"
    text = f"{_share(holds, total)} borne out{which} {examples}."
    return [CitedSentence(text=text, sources=_sources(map(_grounds, cited)))]


def _what_fails(fails: Sequence[Decision], total: int) -> list[CitedSentence]:
    order = list(_FAILS)
    cited = sorted(filter(_grounds, fails), key=lambda d: (order.index(d.verdict), _riskiest_first(d)))
    if not cited:
        return []
    worst = cited[0]
    why = " while ".join(map(told, _most_telling(worst, _grounds(worst))))
    above_all = ", above all" if len(fails) > 1 else ","
    text = f"{_share(fails, total)} {_failing(fails)}{above_all} {quoted(worst.claim.text)}: {why}."
    return [CitedSentence(text=text, sources=_sources(map(_grounds, cited)))]


def _failing(fails: Sequence[Decision]) -> str:
    """`refuted` where all are; else `not borne out as stated (2 refuted and 1 contested)`."""
    verdicts = [decision.verdict for decision in fails]
    kinds = [f"{verdicts.count(verdict)} {word}" for verdict, word in _FAILS.items() if verdict in verdicts]
    return _FAILS[verdicts[0]] if len(kinds) == 1 else f"not borne out as stated ({listed(kinds)})"


def _what_is_open(still_open: Sequence[Decision], total: int) -> CitedSentence:
    cited = sorted(filter(_grounds, still_open), key=_riskiest_first)
    nearest = cited[0]
    text = f"{_share(still_open, total)} open; nearest to {quoted(nearest.claim.text)} comes {told(_grounds(nearest)[0])}."
    return CitedSentence(text=text, sources=_sources(map(_grounds, cited)))


def _share(some: Sequence[Decision], total: int) -> str:
    number = len(some)
    return (
        f"{'All' if number == total else f'{number:,} of'} {total:,} claims {'is' if number == 1 else 'are'}"
    )


def _grounds(decision: Decision) -> list[Evidence]:
    """What a verdict rests on and a reader can follow, strongest first; of an open claim what came nearest."""
    evidence = [e for e in decision.evidence if can_be_followed(e)]
    if decision.verdict not in (*_HOLDS, *_FAILS):
        return evidence
    on_a_side = [e for e in evidence if e.stance is not Stance.CONTEXTUAL]
    if decision.verdict in (Verdict.CONTESTED, Verdict.PARTIAL):
        return on_a_side
    side = Stance.SUPPORTING if decision.verdict in _HOLDS else Stance.CONTRADICTING
    return [e for e in on_a_side if e.stance is side] or on_a_side


def _most_telling(decision: Decision, grounds: Sequence[Evidence]) -> list[Evidence]:
    """The strongest piece; where the sources disagree, the strongest of each side."""
    if decision.verdict not in (Verdict.CONTESTED, Verdict.PARTIAL):
        return list(grounds[:1])
    sides = {e.stance: e for e in reversed(grounds)}
    return [sides[stance] for stance in (Stance.SUPPORTING, Stance.CONTRADICTING) if stance in sides]


def _riskiest_first(decision: Decision) -> tuple[int, float]:
    return list(Risk).index(decision.claim.risk), -decision.confidence


def _sources(grounds: Iterable[Sequence[Evidence]]) -> tuple[Source, ...]:
    """The best source of each claim, then the second best, as far as there is room."""
    ranked = [(rank, e.source) for evidence in grounds for rank, e in enumerate(evidence)]
    chosen: dict[str, Source] = {}
    for _, source in sorted(ranked, key=lambda pair: pair[0]):
        chosen.setdefault(source.location, source)
    return tuple(chosen.values())[:_MOST_SOURCES]
