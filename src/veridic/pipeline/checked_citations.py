"""What a checker of consensus mode cites, read as thorough mode reads what a validator cites (`cited_sources`).

A checker cites passages without saying for which side: those of VERIFIED are for the claim, those of DISPUTED against it. A source that
clearly bears out what is disputed is taken out only where no other citation is left: it may be there as the other side.
"""

from collections.abc import Callable, Collection, Mapping, Sequence

from veridic.domain.consensus import ClaimVerification, Confidence, ConsensusVerdict, ExtractedClaim
from veridic.domain.evidence import Passage, Source, Stance
from veridic.judging.base import SourceJudge
from veridic.judging.citing import keep_real_citations
from veridic.pipeline.cited_sources import (
    MOST_READ,
    Asked,
    Standing,
    beliefs_in,
    named,
    standing,
    why_taken_out,
)

NONE_SAYS_SO = "None of the passages cited for a verdict can be read as saying so."
NOT_READ = "There was no time to read what it cites."
_SIDES = {
    ConsensusVerdict.VERIFIED: Stance.SUPPORTING,
    ConsensusVerdict.DISPUTED: Stance.CONTRADICTING,
}


def with_citations_read(
    found: Sequence[ClaimVerification],
    claims: Mapping[str, ExtractedClaim],
    given: Mapping[str, Mapping[int, Passage]],
    judge: SourceJudge,
    *,
    is_time_left: Callable[[], bool],
) -> tuple[ClaimVerification, ...]:
    """The checker's word on each claim with the citations that stand. `given` are the passages for each claim by their numbers; a
    checker may cite those of another one. What can't be read in time stands, and says so."""
    numbered = {number: passage for own in given.values() for number, passage in own.items()}
    read = []
    for said in found:
        stance = _SIDES.get(said.verdict)
        if stance is None or not said.citations:
            read.append(said)
        elif not is_time_left():
            read.append(said.model_copy(update={"evidence": f"{said.evidence} {NOT_READ}"}))
        else:
            cited = {number: numbered[number] for number in said.citations}
            claim = claims[said.claim_id]
            passages = ({**given.get(said.claim_id, {}), **cited}).values()
            left = _standings(Asked(claim.claim, claim.context), cited, list(passages), stance, judge)
            read.append(_with_standings(said, cited, left, stance))
    return tuple(read)


def _standings(
    asked: Asked,
    cited: Mapping[int, Passage],
    passages: Sequence[Passage],
    stance: Stance,
    judge: SourceJudge,
) -> Mapping[str, Standing]:
    """By the location of a cited source, as far as it was read."""
    locations = list(dict.fromkeys(passage.source.location for passage in cited.values()))
    beliefs = beliefs_in(asked, locations[:MOST_READ], passages, judge)
    left = {location: standing(belief, stance) for location, belief in beliefs.items()}
    if stance is Stance.CONTRADICTING and any(
        not left.get(one, Standing()).is_taken_out for one in locations
    ):
        return {one: Standing() if own.says_the_opposite else own for one, own in left.items()}
    return left


def _with_standings(
    said: ClaimVerification, cited: Mapping[int, Passage], left: Mapping[str, Standing], stance: Stance
) -> ClaimVerification:
    sources = {passage.source.location: passage.source for passage in cited.values()}
    taken_out = [location for location, own in left.items() if own.is_taken_out]
    kept = [number for number, passage in cited.items() if passage.source.location not in taken_out]
    reasons = [why_taken_out(sources[location], stance, left[location]) for location in taken_out]
    if not kept:
        return said.model_copy(
            update={
                "verdict": ConsensusVerdict.UNVERIFIABLE,
                "evidence": " ".join([NONE_SAYS_SO, *reasons]),
                "correction": None,
                "confidence": Confidence.LOW,
                "citations": (),
                "repeats_content": None,
            }
        )
    doubts = _doubts([sources[location] for location, own in left.items() if own.in_doubt])
    evidence, _ = keep_real_citations(said.evidence, kept)
    correction, _ = keep_real_citations(said.correction or "", kept)
    return said.model_copy(
        update={
            "evidence": " ".join([evidence, *reasons, *doubts]),
            "correction": correction or None,
            "citations": tuple(kept),
        }
    )


def _doubts(sources: Collection[Source]) -> list[str]:
    return [f"Whether {named(source)} says so is in doubt." for source in sources]
