"""Words of which only one can hold of the same thing: a text that has "decreased" doesn't bear out "increased"."""

import re
from collections.abc import Sequence

from veridic.judging.reading import Reading
from veridic.language.words import content_stems, find_words

_SIDES = """
increase increased increases increasing rise rose risen rises grew higher elevated enhance enhanced enhances enhancing
improve improved improves greater promote promotes promoted upregulated activates activated induces induced longer more
: decrease decreased decreases decreasing fall fell fallen falls declined lower reduced reduce reduces reducing inhibit
inhibits inhibited worsen worsened worsens fewer less impaired impairs suppress suppresses suppressed downregulated
prevents prevented shorter diminished attenuated blocks
/ won win wins winning winner victory victorious : lost lose loses losing loser defeat
/ first earliest : last final latest
/ north northern northeast northwest : south southern southeast southwest
/ east eastern : west western
/ older oldest elder eldest : younger youngest
/ largest biggest highest most richest best tallest longest : smallest lowest least poorest worst shortest
/ positive acclaimed acclaim praised : negative panned criticized criticised
/ success successful hit : failure unsuccessful flop bombed failed
/ married : divorced unmarried
/ alive living : dead deceased
/ male man boy actor husband father son brother king he his
: female woman girl actress wife mother daughter sister queen she her
/ fiction fictional : nonfiction
/ legal : illegal
/ urban : rural
/ supported support favored favoured : opposed oppose opposes
/ allowed permits permitted : prohibited banned forbidden
/ imports imported : exports exported
/ rich wealthy : poor
/ public : private
/ winter : summer
/ comedy : tragedy
/ began started : ended
/ predecessor preceded : successor succeeded
/ hot : cold
/ safe effective beneficial : harmful ineffective unsafe
/ same : different
/ always : never
/ major : minor
/ domestic : foreign
/ common frequent : rare uncommon
"""


def _by_word() -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    """For each word, those that say the same of a thing and those that say the opposite."""
    table: dict[str, tuple[frozenset[str], frozenset[str]]] = {}
    for pair in _SIDES.split("/"):
        one, other = (frozenset(side.split()) for side in pair.split(":"))
        table |= dict.fromkeys(one, (one, other)) | dict.fromkeys(other, (other, one))
    return table


_OPPOSITES = _by_word()
_DENIES = re.compile(
    r"\b(?:not|never|no|without|neither|nor|cannot|at least|at most)\b|n['’]t\b", re.IGNORECASE
)


def says_opposite(claim: Reading, parts: Sequence[Reading]) -> bool:
    """Whether the sentence closest to the claim has the opposite of one of its words, and no sentence has that word
    or one like it. Where either of them denies something it may be the same after all."""
    said = _plain_words(claim.text)
    telling = said & _OPPOSITES.keys()
    if not telling or _DENIES.search(claim.text):
        return False
    wanted = content_stems(claim.text)
    closest = max(parts, key=lambda part: len(wanted & content_stems(part.text)), default=None)
    if closest is None or _DENIES.search(closest.text):
        return False
    there = _plain_words(closest.text)
    anywhere = set().union(*(_plain_words(part.text) for part in parts))
    return any(
        alike.isdisjoint(anywhere) and not opposite.isdisjoint(there) and opposite.isdisjoint(said)
        for alike, opposite in (_OPPOSITES[word] for word in telling)
    )


def _plain_words(text: str) -> set[str]:
    """In lower case; a capital within a sentence makes a name of a word ("the West Coast")."""
    words = [word.text for word in find_words(text)]
    opens_with_a_name = len(words) > 1 and words[1][0].isupper()
    return {word.lower() for word in words[opens_with_a_name:1]} | {w for w in words[1:] if w[0].islower()}
