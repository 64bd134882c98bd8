"""Evidence of checkers that only repeats the content they were asked about.

Evidence has a figure, a name or a word of its own: something that neither the content nor the claim says. A sentence that points at the
content ("the provided text states that ...") counts only for a figure or a name of its own, whatever words it is put in. In languages other
than English, where we know no words for that, evidence without a figure of its own that consists mostly of the content's words has none.
"""

import re
from collections.abc import Iterable, Mapping

from veridic.domain.consensus import ClaimVerification, ConsensusVerdict
from veridic.text.detect import detect_language
from veridic.text.sentences import split_sentences
from veridic.text.words import content_stems, find_words, stem

_CONTENT_NOUNS = (
    "article content context document excerpt input material paragraph passage prompt sentence statement text"
)
_CONTENT_WORDS = frozenset(
    map(
        stem,
        f"{_CONTENT_NOUNS} accept accord account accuracy accurate accurately agree align aligned assert assertion claim clear clearly "
        "confirm confirmed consistent contain correct correctly describe direct directly evidence exact exactly "
        "explicit explicitly fact factual give given include indeed indicate information line mention "
        "mentioned note original present provide provided quote reference report right say said show specify "
        "state stated support supported true truth verify verified verdict widely wording word write written".split(),
    )
)
"""Words that refer to the content or agree with it, and say nothing about the subject."""
_POINTS_AT_CONTENT = re.compile(
    rf"\b(?:the|this|that|its|your|original|provided|given|above|user['’]s)\s+(?:\w+\s+){{0,2}}?(?:{_CONTENT_NOUNS.replace(' ', '|')})\b",
    re.IGNORECASE,
)
_ENGLISH, _UNKNOWN = "en", "und"
_STEM_LENGTH = 5
"""Letters that two forms of a word share, in any language."""
_SHORTEST_WORD = 4
_WORD = re.compile(r"[^\W_]+")


def mark_repetitions(
    said: Iterable[ClaimVerification], *, content: str, claims: Mapping[str, str]
) -> tuple[ClaimVerification, ...]:
    """Return a checker's verifications, marked with `repeats_content` where the evidence only repeats the content.

    A verification that cites a source is never marked. `claims` has the claims' texts by id.
    """
    return tuple(
        one.model_copy(update={"repeats_content": True})
        if _takes_side_without_citation(one)
        and _repeats(f"{one.evidence} {one.correction or ''}", f"{content}\n{claims.get(one.claim_id, '')}")
        else one
        for one in said
    )


def _takes_side_without_citation(said: ClaimVerification) -> bool:
    return said.verdict is not ConsensusVerdict.UNVERIFIABLE and not said.citations


def _repeats(evidence: str, content: str) -> bool:
    if detect_language(evidence) not in (_ENGLISH, _UNKNOWN):
        return _says_nearly_the_same(evidence, content)
    known = content_stems(content) | _CONTENT_WORDS
    return not any(_adds(evidence[start:end], known) for start, end in split_sentences(evidence))


def _adds(sentence: str, known: set[str]) -> bool:
    """Whether a sentence says something of its own about the subject."""
    own = content_stems(sentence) - known
    if not own or _POINTS_AT_CONTENT.search(sentence) is None:
        return bool(own)
    return any(
        stem(word.text) in own and _is_figure_or_name(sentence, word.start) for word in find_words(sentence)
    )


def _says_nearly_the_same(evidence: str, content: str) -> bool:
    known = {word[:_STEM_LENGTH] for word in _WORD.findall(content.casefold())}
    words = [word for word in _WORD.findall(evidence.casefold()) if len(word) >= _SHORTEST_WORD]
    own = [word for word in words if word[:_STEM_LENGTH] not in known]
    has_figure = any(number not in known for number in _WORD.findall(evidence) if number[0].isdigit())
    return not has_figure and 0 < len(own) <= len(words) - len(own)


def _is_figure_or_name(text: str, start: int) -> bool:
    """Whether the word is a figure, or capitalised inside a sentence."""
    if text[start].isdigit():
        return True
    before = text[:start].rstrip(" \"'“‘(")
    return text[start].isupper() and bool(before) and before[-1] not in ".!?:\n"
