"""What a run of summary or thorough mode makes of the whole document. Pure.

A language model that reads the article's evidence in one go gives a verdict on the article: summary mode is that verdict.
What the verdicts on the claims come to stands beside it where the two differ.
"""

from collections.abc import Sequence
from typing import NamedTuple

from veridic.decision.aggregation import article_summary, credibility_score, document_verdict
from veridic.domain.decision import Decision
from veridic.domain.evidence import Stance
from veridic.domain.report import WholeVerdict
from veridic.domain.validation import CitedSentence
from veridic.domain.verdicts import Scale, Verdict, say
from veridic.pipeline.readers import ArticleVerdict


class Whole(NamedTuple):
    verdict: Verdict
    credibility_score: int | None
    by_claims: WholeVerdict | None
    summary: tuple[CitedSentence, ...]
    notes: tuple[str, ...]
    """Sentences that cite nothing, to be put behind the summary."""


def in_all(decisions: Sequence[Decision], article: ArticleVerdict | None, *, unchecked: int) -> Whole:
    """`article` is what a model made of the document, if one was asked; `unchecked` claims got no decision.

    No verdict without a citation: where neither the model's own sentences nor any of the claims has one left that
    holds, its verdict on the article is left out.
    """
    ours = WholeVerdict(verdict=document_verdict(decisions), credibility_score=credibility_score(decisions))
    notes = _on_unchecked(len(decisions), unchecked)
    told = article_summary(decisions)
    if article is None:
        return Whole(ours.verdict, ours.credibility_score, None, told, notes)
    if article.verdict is not Verdict.UNVERIFIABLE and not (
        article.summary or any(map(_takes_a_side, decisions))
    ):
        left_out = (
            f"The model's verdict on the article, {_word(article.verdict)}, cites nothing that holds, "
            "and is left out."
        )
        return Whole(ours.verdict, ours.credibility_score, None, told, (left_out, *notes))
    score = article.credibility_score
    agrees = _word(article.verdict) == _word(ours.verdict)
    if score is None and agrees:
        score = ours.credibility_score
    differs = not agrees or score != ours.credibility_score
    if differs:
        notes = (_beside(ours), *notes)
    return Whole(article.verdict, score, ours if differs else None, article.summary or told, notes)


def _beside(ours: WholeVerdict) -> str:
    score = "with no score" if ours.credibility_score is None else f"{ours.credibility_score} of 100"
    return f"Taken one by one, the verdicts on its statements come to {_word(ours.verdict)}, {score}."


def _on_unchecked(decided: int, unchecked: int) -> tuple[str, ...]:
    """Nobody should take what was not checked for right."""
    return (f"{unchecked} of {decided + unchecked} claims could not be checked.",) if unchecked else ()


def _takes_a_side(decision: Decision) -> bool:
    return any(evidence.stance is not Stance.CONTEXTUAL for evidence in decision.evidence)


def _word(verdict: Verdict) -> str:
    return say(verdict, Scale.VALIDATION)
