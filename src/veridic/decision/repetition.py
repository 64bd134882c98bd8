"""Evidence that is none: a checker that points at the content it was asked to check, or says the claim again."""

import re
from collections.abc import Iterable, Mapping

from veridic.domain.consensus import ClaimVerification, ConsensusVerdict
from veridic.text.words import content_stems, find_words, stem

_THE_TEXT = "article content context document excerpt paragraph passage sentence text"
_OF_THE_TEXT = frozenset(
    map(
        stem,
        f"{_THE_TEXT} accept accord account accuracy accurate accurately agree align aligned assert assertion claim clear clearly "
        "confirm confirmed consistent contain correct correctly describe direct directly evidence exact exactly "
        "explicit explicitly fact factual give given include indeed indicate information line mention "
        "mentioned note original present provide provided quote reference report right say said show specify "
        "state stated statement support supported true truth verify verified verdict widely wording word write written".split(),
    )
)
"""What speaks about the content, or agrees with it, and says nothing of the matter."""
_POINTS = re.compile(
    rf"\b(?:the|this|that|original|provided|given|above|user(?:'s)?)\s+(?:{_THE_TEXT.replace(' ', '|')})\b",
    re.IGNORECASE,
)
_MOST_BESIDES = 2
"""Words that evidence which points at the content may have beside it ("which is generally known")."""


def mark_repetitions(
    said: Iterable[ClaimVerification], *, content: str, claims: Mapping[str, str]
) -> tuple[ClaimVerification, ...]:
    """What a checker said, marked where its evidence only repeats the content. A cited source is evidence always.

    `claims` are the claims' words by id.
    """
    known = content_stems(content)
    return tuple(
        one.model_copy(update={"repeats_content": True})
        if _takes_a_side_alone(one) and _repeats(one, known | content_stems(claims.get(one.claim_id, "")))
        else one
        for one in said
    )


def _takes_a_side_alone(said: ClaimVerification) -> bool:
    return said.verdict is not ConsensusVerdict.UNVERIFIABLE and not said.citations


def _repeats(said: ClaimVerification, known: set[str]) -> bool:
    """True where every word that carries meaning is known, or speaks about the content; where the content is pointed at in
    so many words, there may be one or two others, but no figure and no name."""
    evidence = f"{said.evidence} {said.correction or ''}"
    besides = content_stems(evidence) - known - _OF_THE_TEXT
    if not besides:
        return True
    if len(besides) > _MOST_BESIDES or _POINTS.search(evidence) is None:
        return False
    return not any(
        stem(word.text) in besides and _names_something(evidence, word.start) for word in find_words(evidence)
    )


def _names_something(text: str, start: int) -> bool:
    """A figure, or a capital that no sentence begins with."""
    if text[start].isdigit():
        return True
    before = text[:start].rstrip(" \"'“‘(")
    return text[start].isupper() and bool(before) and before[-1] not in ".!?:\n"
