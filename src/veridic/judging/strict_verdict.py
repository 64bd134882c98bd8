"""Reads the words for a verdict, strictly and in the same way for every role that gives one.

What stands in a verdict's place is a verdict if it is nothing else: the word, at most with emphasis, a confidence, citations or a tick
that agrees with it. What follows must be set off from it, by a dash, a colon or a full stop, and must not turn it: "VERIFIED - opened in
1889" is a verdict with its evidence; "VERIFIED AS FALSE", "TRUE, but lacks context", "True: no" and "VERIFIED (no longer)" are no verdicts.
In a field (JSON, table), a supporting verdict may only be followed by words that confirm it. A negation has to say what it denies:
"not true" is FALSE, "not verified" is UNVERIFIABLE, "not false" is nothing.
"""

import re
from typing import NamedTuple

from veridic.domain.verdicts import Scale, Verdict, read, say
from veridic.judging.wordings import denials

_LIMIT = (
    r"(?:(?P<mostly>mostly|largely|mainly|substantially|broadly|generally|essentially|nearly|almost|overwhelmingly)|"
    r"(?P<partly>partly|partially|partial|part|half|somewhat|not (?:entirely|fully|completely|quite|wholly)))[ -]+"
)
_NOT = (
    r"(?P<not>not +|un(?=true|supported|proven|verified|verifiable|confirmed)|non-|"
    r"(?:can ?not|can['’]t|could not|couldn['’]t)(?: be)? +)"
)
_WORDS = (
    r"(?P<true>true|accurate|correct|confirmed|verified|verifiable|supported|proven|valid|factual|right)|"
    r"(?P<false>false|inaccurate|incorrect|refuted|debunked|contradicted|fabricated|wrong|fake|pants on fire)|"
    r"(?P<misleading>misleading|exaggerated|distorted|deceptive|out of context|missing context|lacks context|cherry-?picked|outdated)|"
    r"(?P<mixed>mixed|mixture|disputed|contested|conflicting)|"
    r"(?P<open>inconclusive|unknown|uncertain|undetermined|unclear|indeterminate|unsubstantiated|determined?|"
    r"(?:insufficient|not enough|no) (?:evidence|information|info|data))"
)
PHRASE = re.compile(rf"(?<![a-z])(?:{_LIMIT})?{_NOT}?(?:{_WORDS})(?![a-z])", re.IGNORECASE)
"""A word for a verdict, on any scale, with its degree and negation."""
_BEFORE = re.compile(r"[^a-zA-Z0-9]{0,12}")
_STRUCK_OUT = re.compile(r"~~[^~\n]{1,80}~~")
"""Struck-out text in Markdown."""
_LAST_STEP = re.compile(r"(?:[→⇒]|[-=]>)(?P<last>[^→⇒>]{1,60})\Z")
"""What a verdict was changed to: `VERIFIED → DISPUTED`."""
_TICKS, _CROSSES, _UNSURE = "✅✔✓☑🟢👍", "❌✘✗☒✖🚫🔴👎", "?!≠¬☐"
_DRESS = r"(?:\s{0,2}[*`\"'”’\])}\ufe0f✅✔✓🟢👍❌✘✗✖🚫🔴👎⚠❓❔])*+"
_DRESSED = re.compile(_DRESS)
_AMOUNT = (
    r"[~≈<>]?[0-9]{1,3}(?:[.,][0-9]{1,2})?\s?(?:%|percent|/\s?(?:5|10|100)|(?:out of|in|of) (?:5|10|100))?"
)
_CONFIDENCE = rf"(?:(?:very|high|medium|moderate|low|confidence|certainty|level|score|sure|confident|certain|{_AMOUNT})[\s:=,]{{0,3}}){{1,6}}"
_ASIDE = re.compile(
    rf"(?:[,;:]|\s[–—-])?\s{{0,2}}[(\[](?P<inside>[^)\]]{{0,160}})[)\]]{_DRESS}", re.IGNORECASE
)
_BARE_CONFIDENCE = re.compile(
    rf"(?:[,;:|]|\s[–—-])?\s{{0,2}}(?:{_CONFIDENCE}){_DRESS}(?=\s*[.;!]?\s*\Z|\s[–—-]|[.;:]\s)",
    re.IGNORECASE,
)
_NOTHING_SAID = re.compile(rf"(?:n/?a|[0-9\s,;–-]+|source[s\s0-9,]*|{_CONFIDENCE})", re.IGNORECASE)
_NOUN = re.compile(
    r" (?:claim|statement|evidence|information|accounts|reports|sources)(?=[\W_]*\Z)", re.IGNORECASE
)
"""What a verdict may be an adjective of: `FALSE CLAIM`, `CONFLICTING EVIDENCE`."""
_CITED = re.compile(r"[0-9\s,;–-]+")
_BEHIND = re.compile(
    r"\s*(?:,(?=[\"“])|[.!:：;|]+(?=\s|\Z|[*_])|(?:\s[–—-]{1,2}|—|–)(?=\s|\w)|\s[|])[\s*_`:]*+"
)
_AGENT = re.compile(r",?\s+(?=(?:by|because|since)\s)", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]{0,3}\s")
_CLAUSE_END = re.compile(r"[*_\"'”’)\]]{0,3}(?:[.,;:!?…]|\Z|\s{0,2}(?:because|since|as)\b)")
_COUNT = re.compile(
    r"(?:\s(?:claims?|statements?))?[\s*_]{0,4}[:：=–—-][\s*_]{0,4}[0-9]{1,4}(?:\s(?:claims?|statements?|of [0-9]{1,4}))?[\W_]{0,6}",
    re.IGNORECASE,
)
"""A count, as `Verified: 2` in a summary."""
_CONTRAST = r"\b(?:but|however|though|although|yet|except|albeit|unless|until|till|only|if|while|whereas|despite|otherwise|hardly|few|little|longer)\b"
_FAULT = (
    r"\b(?:mislead\w*|out of date|inaccura\w*|incorrect\w*|incomplete|exaggerat\w*|overstat\w*|oversimplif\w*|imprecise|distort\w*|"
    r"partial\w*|partly|in part|mostly|largely|half|errors?|mistake\w*|corrections?|(?:lack|miss|need|omit)\w* (?:\w+ )?(?:context|nuance)|"
    r"caveats?|reservations?|doubt\w*|technically|"
    r"(?:contradict|refut|disput|debunk|disprov)\w*)\b"
)
_TURNS = re.compile(rf"{_CONTRAST}|{_FAULT}|n['’]t\b", re.IGNORECASE)
"""Contrast, limits and faults: whatever follows them, they take something of a verdict back."""
_BOOLEAN = re.compile(r"[\W_]*(?:yes|no|true|false|y|n|[✅✔✓☑❌✘✗☒✖])[\W_]*", re.IGNORECASE)
_LONGEST = 240
"""Characters in which to look for a verdict."""
_LONGEST_PROSE = 4_000
"""Characters of prose in which to look for a retraction."""


class VerdictRead(NamedTuple):
    verdict: Verdict
    """On the canonical scale."""
    word: str
    end: int
    """Where the text after the verdict begins: its evidence, with citations."""


def read_verdict_words(value: str, scale: Scale, *, is_field: bool) -> VerdictRead | None:
    """Return the verdict that `value` consists of or, in a line, begins with. None if there is none, or several, or if it is qualified."""
    if not begins_with_verdict(value):
        return None
    start = _start_of(value)
    flat = _flat(value[:_LONGEST_PROSE])
    if (last := _LAST_STEP.search(flat[start:_LONGEST])) is not None:
        start += last.start("last")
    before = _BEFORE.match(flat, start)
    begins = before.end() if before else start
    phrase = PHRASE.match(flat, begins)
    verdict = meaning(phrase) if phrase else None
    if phrase is None or verdict is None or set(_UNSURE).intersection(flat[start:begins]):
        return None
    end = _end_of_verdict(flat, phrase, verdict, scale, is_field=is_field)
    if end is None or not _marks_agree(flat[start:begins] + flat[phrase.end() : end], verdict, scale):
        return None
    return VerdictRead(verdict, _word(phrase), end)


def begins_with_verdict(value: str) -> bool:
    """Whether a word for a verdict comes first, whatever becomes of it behind."""
    flat = _flat(value[:_LONGEST])
    before = _BEFORE.match(flat, _start_of(value))
    return before is not None and PHRASE.match(flat, before.end()) is not None


def is_count(value: str) -> bool:
    """Whether it is a count of claims: `Verified: 2`."""
    flat = _flat(value[:_LONGEST])
    before = _BEFORE.match(flat)
    phrase = PHRASE.match(flat, before.end() if before else 0)
    return phrase is not None and _COUNT.fullmatch(flat, phrase.end()) is not None


def exact_verdict(words: str) -> tuple[Verdict, str] | None:
    """Return the verdict that `words` consist of, and its word."""
    phrase = PHRASE.fullmatch(_flat(words.strip()))
    verdict = meaning(phrase) if phrase else None
    return (verdict, _word(phrase)) if phrase and verdict else None


def supports(verdict: Verdict, scale: Scale) -> bool:
    """Whether a verdict says on `scale` that the claim holds. In consensus mode only what holds entirely is VERIFIED."""
    if scale is Scale.CONSENSUS:
        return verdict is Verdict.SUPPORTED
    return say(verdict, scale) == "TRUE"


def is_taken_back(verdict: Verdict, text: str) -> bool:
    """Whether prose after a verdict gives a different one: "on reflection this is wrong". Words for both sides retract nothing:
    "the claim is false, the correct figure is 38" says what is right."""
    named = {say(one, Scale.VALIDATION) for one in _concluded(text)}
    return bool(named) and say(verdict, Scale.VALIDATION) not in named


def _flat(value: str) -> str:
    """Return the text with a space for each white space and underscore, so that positions stay."""
    return re.sub(r"[\s_]", " ", value)


def _start_of(value: str) -> int:
    """Return where a verdict may begin: behind one that is struck out."""
    struck = None
    for struck in _STRUCK_OUT.finditer(value[:_LONGEST]):
        pass
    return struck.end() if struck and PHRASE.search(value, struck.end(), _LONGEST) else 0


def _end_of_verdict(
    flat: str, phrase: re.Match[str], verdict: Verdict, scale: Scale, *, is_field: bool
) -> int | None:
    """Return where the text after the verdict begins; None if what follows is joined to it, or turns it."""
    if _COUNT.fullmatch(flat, phrase.end()):
        return None
    cited: int | None = None
    noun = _NOUN.match(flat, phrase.end())
    end = _past_dress(flat, noun.end() if noun else phrase.end())
    while (aside := _ASIDE.match(flat, end) or _BARE_CONFIDENCE.match(flat, end)) is not None:
        inside = aside.groupdict().get("inside")
        if inside is not None and not _is_harmless(inside, verdict, scale):
            return None
        if inside is not None and _CITED.fullmatch(inside):
            cited = end if cited is None else cited
        end = aside.end()
    if not flat[end:].strip(" .;!|"):
        return len(flat) if cited is None else cited
    behind = _BEHIND.match(flat, end) or (None if is_field else _AGENT.match(flat, end))
    is_partly = phrase["partly"] is not None
    if behind is None and verdict is Verdict.UNVERIFIABLE and not is_field:
        return end if _says_why(flat[end:]) else None
    if behind is None or (not is_partly and _turns(flat[behind.end() :], verdict, scale, is_field=is_field)):
        return None
    return behind.end() if cited is None else cited


def _says_why(rest: str) -> bool:
    """Whether "could not be verified with what I know" goes on without another word of judgement."""
    return rest.startswith(" ") and not (
        _TURNS.search(rest) or denials(rest) or PHRASE.search(rest) or rest[1:2].isupper()
    )


def _past_dress(flat: str, end: int) -> int:
    dress = _DRESSED.match(flat, end)
    return dress.end() if dress else end


def _is_harmless(inside: str, verdict: Verdict, scale: Scale) -> bool:
    """Whether what stands in brackets behind a verdict leaves it as it is."""
    inside = inside.strip(" *")
    if not inside or _NOTHING_SAID.fullmatch(inside):
        return True
    also = exact_verdict(inside)
    if also is not None:
        return supports(also[0], scale) == supports(verdict, scale)
    if supports(verdict, scale):
        return False
    is_short = inside.count(" ") < 2
    return verdict is Verdict.UNVERIFIABLE or not (
        _BOOLEAN.fullmatch(inside) or (is_short and denials(inside))
    )


def _turns(rest: str, verdict: Verdict, scale: Scale, *, is_field: bool) -> bool:
    """Whether what follows a verdict makes another one of it."""
    rest = rest[:_LONGEST_PROSE]
    if not rest.strip():
        return False
    if _BOOLEAN.fullmatch(rest):
        return True
    if supports(verdict, scale):
        first = _SENTENCE_END.split(rest, maxsplit=1)[0]
        named = [meaning(one) for one in PHRASE.finditer(first)]
        confirms = bool(named) and all(one is not None and supports(one, scale) for one in named)
        if _TURNS.search(first) or denials(first) or (named and not confirms) or (is_field and not confirms):
            return True
        return is_taken_back(verdict, rest)
    if verdict not in (Verdict.REFUTED, Verdict.PARTIAL):
        return False
    concluded = _concluded(rest)
    return bool(concluded) and all(supports(one, Scale.VALIDATION) for one in concluded)


def _concluded(text: str) -> list[Verdict]:
    """Return the verdicts that stand at the end of a sentence or clause in prose."""
    flat = _flat(text[:_LONGEST_PROSE])
    return [
        one
        for said in PHRASE.finditer(flat)
        if _CLAUSE_END.match(flat, said.end()) and (one := meaning(said)) is not None
    ]


def _marks_agree(dress: str, verdict: Verdict, scale: Scale) -> bool:
    """Whether no tick stands at what doesn't hold, and no cross at what does."""
    wrong = _CROSSES if supports(verdict, scale) else _TICKS
    return not set(wrong).intersection(dress)


def _word(phrase: re.Match[str]) -> str:
    return str(
        phrase["true"] or phrase["false"] or phrase["misleading"] or phrase["mixed"] or phrase["open"]
    ).lower()


def meaning(phrase: re.Match[str]) -> Verdict | None:
    """Return the verdict of a match of `PHRASE`; None for words that decide nothing, as "not false"."""
    if phrase["open"]:
        is_determined = phrase["open"].lower().startswith("determine")
        return Verdict.UNVERIFIABLE if bool(phrase["not"]) == is_determined else None
    if phrase["misleading"]:
        return None if phrase["not"] else Verdict.MISLEADING
    if phrase["mixed"] and phrase["not"]:
        return Verdict.UNVERIFIABLE if phrase["mixed"].lower() == "disputed" else None
    if phrase["mixed"]:
        return Verdict.PARTIAL
    if phrase["partly"]:
        return Verdict.PARTIAL
    if phrase["false"]:
        if phrase["not"]:
            return None
        return Verdict.MISLEADING if phrase["mostly"] else read("FALSE", Scale.VALIDATION)
    return _supported(phrase)


def _supported(phrase: re.Match[str]) -> Verdict | None:
    word = phrase["true"].lower()
    if phrase["not"]:
        is_open = word in ("verified", "verifiable", "supported", "proven", "confirmed")
        return Verdict.UNVERIFIABLE if is_open else read("FALSE", Scale.VALIDATION)
    if word == "verifiable":
        return None
    return Verdict.MOSTLY_SUPPORTED if phrase["mostly"] else read("TRUE", Scale.VALIDATION)
