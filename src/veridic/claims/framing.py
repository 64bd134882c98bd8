"""How the author stands behind a claim, by named wording patterns.

Four kinds, looked for in this order, because the first takes the ground from the next:

1. `private_data`: it rests on something no reader can get at ("our internal polling shows").
2. `plausible_deniability`: it is put into the world without anyone standing for it ("people are saying").
   What is insinuated is the underlying claim.
3. `hearsay`: a named or described speaker said it. Two things to verify: that it was said, and that it is so.
   A public record ("according to FBI statistics") is no speaker: that is a direct claim that names its source.
4. `direct_factual`: everything else.

The scores say how clearly the wording shows it: the strongest pattern's weight, and a tenth more for each other one.
"""

import re
from typing import NamedTuple

from veridic.claims.grammar import has_assertion, read
from veridic.domain.claim import Framing, FramingKind


class _Pattern(NamedTuple):
    name: str
    weight: float
    regex: re.Pattern[str]
    """A group `claim` is the underlying claim, `speaker` who said it."""


def _pattern(name: str, weight: float, regex: str) -> _Pattern:
    return _Pattern(name, weight, re.compile(regex, re.IGNORECASE | re.DOTALL))


_THAT = r"(?:,?\s+that)?[,:]?\s+"
_REST = r"(?P<claim>.+)\Z"

_PRIVATE = (
    _pattern(
        "internal_data",
        0.9,
        r"\b(?:our|my|their|its|his|her|the \w+'s)\s+(?:own\s+)?(?:internal|private|confidential|proprietary|unpublished|"
        r"classified)\s+(?:\w+\s+)?(?:poll(?:s|ing)?|data|numbers|figures|research|surveys?|records?|analysis|documents?|"
        r"memos?|emails?|estimates?|studies|study|reports?|sources?)\b",
    ),
    _pattern(
        "internal_data",
        0.9,
        r"\b(?:internal|private|confidential|classified|secret|leaked|unpublished)\s+(?:\w+\s+)?(?:poll(?:s|ing)?|data|numbers|figures|"
        r"documents?|memos?|emails?|briefings?|reports?|files?)\s+(?:seen|obtained|reviewed|shared|show|shows|showed|"
        r"suggest|indicate|indicates|reveal|reveals|revealed|prove|proves)\b",
    ),
    _pattern(
        "undisclosed_source",
        0.85,
        r"\b(?:sources?|people|officials?|insiders?|persons?|someone|an? \w+)\s+(?:close to|familiar with|with (?:direct )?knowledge of|"
        r"briefed on|inside)\b",
    ),
    _pattern(
        "undisclosed_source",
        0.85,
        r"\b(?:(?:an?|two|three|several|some|multiple|my|our|the)\s+)?(?:anonymous|unnamed|undisclosed|confidential)\s+"
        r"(?:\w+\s+)?(?:sources?|officials?|insiders?|whistleblowers?|donors?)\b",
    ),
    _pattern("undisclosed_source", 0.8, r"\A(?:according to )?(?:my|our) sources?\b"),
    _pattern("internal_data", 0.85, r"\Aaccording to (?:\w+ )?(?:internal|confidential|leaked|secret) \w+"),
    _pattern(
        "undisclosed_source", 0.8, r"\bon condition of anonymity\b|\basked not to be (?:named|identified)\b"
    ),
    _pattern(
        "withheld",
        0.9,
        r"\b(?:I|we)\s+(?:can(?:'t|’t|not)|won(?:'t|’t)|am not (?:able|allowed) to|are not (?:able|allowed) to)\s+"
        r"(?:reveal|disclose|share|say (?:how|where|who)|name|tell you)\b",
    ),
    _pattern(
        "private_conversation",
        0.8,
        r"\b(?:told (?:me|us) (?:privately|in confidence|off the record)|in private conversations?|behind closed doors,? (?:he|she|they)|"
        r"off the record)\b",
    ),
)

_WHO_KNOWS = (
    r"(?:(?:many|some|a lot of|lots of|most|other|certain|plenty of|several)(?:\s+(?:people|folks|critics|observers|experts|"
    r"analysts|commentators|voters|insiders|scientists|scholars|historians|Americans|citizens|residents))?|people|folks|"
    r"critics|observers|everyone|everybody|insiders|they)"
)
_SAYS = (
    r"(?:are saying|say|says|said|have said|are asking|believe|believes|think|thinks|claim|claims|argue|suspect|suspects|"
    r"have suggested|suggest|feel|knows|know|are wondering|wonder|have been saying|keep saying|are talking about how)"
)

_DENIABLE = (
    _pattern("anonymous_crowd", 0.9, rf"\A(?:and |but |so |now,? )?{_WHO_KNOWS}\s+{_SAYS}{_THAT}{_REST}"),
    _pattern(
        "crowd_insert", 0.8, r"\A(?P<head>.+?),\s+(?:some|many|people|critics|they)\s+say,\s+(?P<tail>.+)\Z"
    ),
    _pattern(
        "impersonal_report",
        0.85,
        r"\A(?:and |but )?it(?:'s| is| has been| was|’s)\s+(?:\w+ly\s+)?(?:being\s+)?(?:been\s+)?(?:suggested|said|rumou?red|alleged|claimed|"
        rf"whispered|reported|believed|thought|argued){_THAT}{_REST}",
    ),
    _pattern(
        "rumour",
        0.9,
        r"\A(?:rumou?r has it|rumou?rs? (?:are|is|have been) (?:circulating|swirling|flying|spreading)|there (?:are|is|have been|has been) (?:a )?"
        rf"(?:rumou?rs?|talk|whispers|speculation|reports|claims|allegations)|word (?:is|has it)|legend has it){_THAT}{_REST}",
    ),
    _pattern(
        "just_asking",
        0.95,
        r"\A(?:I(?:'m|’m| am)|we(?:'re|’re| are))\s+(?:just|only|simply|merely)\s+(?:asking(?: (?:the )?questions?)?|raising (?:the )?questions?|"
        rf"wondering|saying)(?: here)?,?(?:\s+but)?[,:]?\s+{_REST}",
    ),
    _pattern(
        "disclaimer",
        0.9,
        rf"\A(?:I(?:'m|’m| am) not saying|I don(?:'t|’t) know if (?:it|this)(?:'s|’s| is) true),?(?:\s+(?:that|but))?,?\s+{_REST}",
    ),
    _pattern(
        "heard_somewhere",
        0.85,
        rf"\A(?:I(?:'ve|’ve| have)? (?:heard|read|been told)|we(?:'ve|’ve| have)? heard|from what I hear){_THAT}{_REST}",
    ),
    _pattern(
        "passive_rumour",
        0.8,
        r"\A(?P<head>.+?)\s+(?P<be>is|are|was|were)\s+(?:widely\s+)?(?:said|rumou?red|alleged|reported|reputed)\s+to\s+(?P<verb>.+)\Z",
    ),
    _pattern(
        "denying_adverb", 0.75, r"\b(?P<adverb>reportedly|allegedly|supposedly|purportedly|apparently)\b,?\s*"
    ),
    _pattern(
        "vague_authority",
        0.7,
        rf"\A(?:some|many|several|various) (?:reports|studies|sources|experts|scientists|analysts) (?:suggest|say|claim|indicate|believe|argue){_THAT}{_REST}",
    ),
)

_VERB = (
    r"(?P<verb>said|says|stated|states|claimed|claims|announced|announces|insisted|insists|argued|argues|asserted|asserts|told(?: \w+){1,4}?|"
    r"warned|warns|added|declared|declares|alleged|alleges|maintained|maintains|testified|confirmed|confirms|denied|denies|reported|reports|"
    r"acknowledged|admitted|admits|boasted|promised|vowed|contends|contended|explained|explains|tweeted|wrote|noted|notes|"
    r"believes?|believed|say|claim|argue|warn|estimates|estimated|suggested|suggests|revealed|accused)"
)
_SPEAKER = r"(?P<speaker>[^,;:\"“”]{2,90}?(?:,\s[^,;:\"“”]{2,80}?,)?)"
_WHEN = r"(?:\s+(?:on|in|at|last|this|yesterday|today|late|early|earlier)\b[^,;:]{0,40}?)?"
_OPEN, _CLOSE = r"[\"“]", r"[\"”]"

_HEARSAY = (
    _pattern(
        "quote_then_speaker",
        0.95,
        rf"\A{_OPEN}(?P<claim>[^\"“”]+?)[,.]?{_CLOSE},?\s+{_SPEAKER}\s+{_VERB}\b.*\Z",
    ),
    _pattern(
        "quote_then_verb",
        0.95,
        rf"\A{_OPEN}(?P<claim>[^\"“”]+?)[,.]?{_CLOSE},?\s+(?:said|says|added|wrote|explained|warned|argued|insisted)\s+(?P<speaker>[^.;:\"“”]{{2,90}}).*\Z",
    ),
    _pattern(
        "speaker_then_quote",
        0.95,
        rf"\A{_SPEAKER}\s+{_VERB}[,:]?\s*(?:that\s+)?{_OPEN}(?P<claim>[^\"“”]+?)[,.]?{_CLOSE}.*\Z",
    ),
    _pattern("reported_speech", 0.85, rf"\A{_SPEAKER}\s+{_VERB}{_WHEN}\s*(?:,\s)?that\s+{_REST}"),
    _pattern(
        "reported_speech",
        0.8,
        rf"\A{_SPEAKER}\s+{_VERB}\s+(?P<claim>(?!by\b|to\b|in\b|on\b|at\b|as\b|for\b|a\b|an\b|against\b|of\b|with\b|from\b).+)\Z",
    ),
    _pattern("according_to", 0.8, rf"\Aaccording to\s+(?P<speaker>[^,;\"“”]{{2,90}}),\s+{_REST}"),
    _pattern(
        "according_to", 0.8, r"\A(?P<claim>.{8,}?),?\s+according to\s+(?P<speaker>[^;\"“”]{2,90}?)[.]?\Z"
    ),
    _pattern(
        "trailing_speaker",
        0.85,
        r"\A(?P<claim>[^\"“”]{12,}?),\s+(?P<speaker>(?:[^,;\s]+\s){0,7}?[^,;\s]+)\s+(?:said|says|added|told [\w ]{2,30}|announced|claimed|argued|insisted)(?:\s+(?:on|in|at|during|last|this|yesterday|today)\b[^,;]{0,60})?[.]?\Z",
    ),
    _pattern(
        "view_of",
        0.7,
        rf"\A(?:in the (?:view|words|opinion) of|as)\s+(?P<speaker>[A-Z][^,;]{{2,60}}?)(?:\s+(?:put it|said|says|noted))?,\s+{_REST}",
    ),
)

_NO_SUBJECT = frozenset(
    "last next above below here earlier yesterday today only more less up down about around".split()
)

_NEEDS_CLAUSE = frozenset({"reported_speech", "trailing_speaker", "view_of", "according_to"})
"""Patterns loose enough that what they take for the content has to be a clause itself."""

_PUBLIC_RECORD = re.compile(
    r"\b(?:statistics|data|figures|census|reports?|surveys?|poll|polls|study|studies|records?|register|database|index|estimates?|"
    r"factbook|encyclop(?:ae|e)dia|journal|atlas|treaty|constitution|law|act|court (?:documents|records|filings)|article \d+)\b",
    re.IGNORECASE,
)
_INSTITUTION = re.compile(
    r"\b(?:Bureau|Office|Agency|Ministry|Department|Bank|Fund|Organi[sz]ation|Commission|Institute|Institution|Observatory|"
    r"Administration|Authority|FBI|CIA|CDC|WHO|IMF|OECD|NASA|NOAA|UN|UNESCO|UNICEF|Eurostat|Nations|Reserve|Centers?)\b"
)
_RECORDING = ("estimate", "report", "note", "state")
"""What an institution does when it publishes a figure; "the ministry said" stays hearsay."""
_SPOKEN_FOR = re.compile(
    r"\b(?:spokes\w+|minister|president|chief|director|secretary|chair\w*|Mr|Mrs|Ms|Dr|official|officials)\b",
    re.IGNORECASE,
)


_ENDS_ABBREVIATED = re.compile(r"\b(?:[A-Za-z]\.){2,}\Z")


def detect_framing(sentence: str) -> Framing:
    """How `sentence` (white space normalised) is framed, with the names of the patterns that show it."""
    private = [pattern for pattern in _PRIVATE if pattern.regex.search(sentence)]
    if private:
        underlying = _first(_HEARSAY, sentence)
        return Framing(
            kind=FramingKind.PRIVATE_DATA,
            patterns_matched=_names(private),
            private_data_detected=True,
            hearsay_confidence=underlying[0].weight if underlying else 0.0,
        )
    deniable = _deniable(sentence)
    if deniable is not None:
        return deniable
    return _hearsay(sentence) or Framing()


def _deniable(sentence: str) -> Framing | None:
    matched = [(pattern, match) for pattern in _DENIABLE if (match := pattern.regex.search(sentence))]
    if not matched:
        return None
    insinuated = _tidy(_insinuation(sentence, *matched[0]))
    if len(insinuated.split()) < 2:
        return None
    patterns = [pattern for pattern, _ in matched]
    return Framing(
        kind=FramingKind.PLAUSIBLE_DENIABILITY,
        patterns_matched=_names(patterns),
        deniability_score=_score(patterns),
        underlying_claim=insinuated,
    )


def _insinuation(sentence: str, pattern: _Pattern, match: re.Match[str]) -> str:
    groups = match.groupdict()
    if pattern.name == "denying_adverb":
        return sentence[: match.start()] + sentence[match.end() :]
    if pattern.name == "crowd_insert":
        return f"{groups['head']} {groups['tail']}"
    if pattern.name == "passive_rumour":
        return f"{groups['head']} {_finite(groups['be'], groups['verb'])}"
    return re.sub(r"\A(?:if|whether|that)\s+", "", groups["claim"])


def _finite(be: str, verb_phrase: str) -> str:
    """ "is rumoured to have taken bribes" → "has taken bribes"; "to be in debt" → "is in debt"."""
    plural = be in ("are", "were")
    first, _, rest = verb_phrase.partition(" ")
    if first == "be":
        return f"{'are' if plural else 'is'} {rest}"
    if first == "have":
        return f"{'have' if plural else 'has'} {rest}"
    return verb_phrase if plural else f"{_third_person(first)} {rest}"


def _third_person(verb: str) -> str:
    if verb.endswith(("s", "x", "ch", "sh", "o")):
        return verb + "es"
    return verb[:-1] + "ies" if verb.endswith("y") and verb[-2:-1] not in "aeiou" else verb + "s"


def _hearsay(sentence: str) -> Framing | None:
    found = _first(_HEARSAY, sentence)
    if found is None:
        return None
    pattern, match = found
    speaker = re.sub(
        r"\A(?:and|but|so|yet|also|however,?)\s+", "", match["speaker"].strip(" ,"), flags=re.IGNORECASE
    )
    verb = match.groupdict().get("verb") or ""
    if _is_record(speaker, published=pattern.name == "according_to" or verb.startswith(_RECORDING)):
        return Framing(underlying_claim=_tidy(match["claim"]))
    return Framing(
        kind=FramingKind.HEARSAY,
        patterns_matched=(pattern.name,),
        hearsay_confidence=pattern.weight,
        speaker=speaker[:1].upper() + speaker[1:],
        underlying_claim=None if verb.startswith("den") else _of_speaker(_tidy(match["claim"]), speaker),
    )


def _is_record(source: str, *, published: bool) -> bool:
    """Whether the source is a public record rather than someone who speaks."""
    if _SPOKEN_FOR.search(source):
        return False
    return bool(_PUBLIC_RECORD.search(source)) or (published and bool(_INSTITUTION.search(source)))


def _of_speaker(claim: str, speaker: str) -> str:
    """ "NATO says it has 32 members" is about NATO."""
    match = re.match(r"(?:It|He|She)\s+(?!is (?:clear|true|likely|possible)\b)|(?:Its|His|Her)\s+", claim)
    if match is None or len(speaker.split()) > 6:
        return claim
    name = speaker.split(",", maxsplit=1)[0]
    name = name[:1].upper() + name[1:]
    owner = "" if match[0].strip() in ("It", "He", "She") else "'" if name.endswith("s") else "'s"
    return f"{name}{owner} {claim[match.end() :]}"


def _first(patterns: tuple[_Pattern, ...], sentence: str) -> tuple[_Pattern, re.Match[str]] | None:
    for pattern in patterns:
        match = pattern.regex.search(sentence)
        if match is None or not _is_speaker(match["speaker"]):
            continue
        if pattern.name in _NEEDS_CLAUSE and not _is_statement(match["claim"]):
            continue
        return pattern, match
    return None


def _is_speaker(text: str) -> bool:
    _, tokens, verbs = read(text.strip(" ,"))
    if (
        not tokens
        or len(tokens) > 16
        or tokens[0].low in ("it", "there", "this", "that", "what", "which", "if", "when")
    ):
        return False
    return not any(verbs) or "," in text or " who " in text


def _is_statement(text: str) -> bool:
    """A clause with its subject first: "reported last year were wrong" and "added to the list" are none."""
    reading = read(text)
    if not reading.tokens or reading.tokens[0].low in _NO_SUBJECT or reading.verbs[0]:
        return False
    return has_assertion(reading)


def _names(patterns: list[_Pattern]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(pattern.name for pattern in patterns))


def _score(patterns: list[_Pattern]) -> float:
    return min(1.0, round(max(pattern.weight for pattern in patterns) + 0.1 * (len(_names(patterns)) - 1), 2))


def _tidy(text: str) -> str:
    text = " ".join(text.split()).strip(" ,;:")
    if not _ENDS_ABBREVIATED.search(text):
        text = text.rstrip(".!?… ")
    text = text.strip(' ,"“”')
    return text[:1].upper() + text[1:]
