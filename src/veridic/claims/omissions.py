"""What is left out of checking, and why: statements that evidence can't settle.

The rules look for wording, one reason each, in the order of `_RULES`: what a sentence does (asks,
orders) comes before what it says. A figure or a date keeps a sentence in that praises or blames
besides, because the figure can be checked.
"""

import re
from collections.abc import Callable

from veridic.claims.grammar import Certainty, Reading, has_assertion, read
from veridic.claims.tokens import ADVERBS, DETERMINERS, PREPOSITIONS, SUBORDINATORS, Token, opens_noun_phrase
from veridic.domain.claim import OmissionReason
from veridic.language.verbs import BE, Form, forms_of

Finding = tuple[OmissionReason, str | None]
"""The reason, and the words that gave it away."""


def reason_to_omit(sentence: str) -> Finding | None:
    """Why `sentence` (one clause, white space normalised) is not checked; `None` if it is to be checked."""
    reading = read(sentence)
    if not reading.tokens:
        return OmissionReason.NOT_A_CLAIM, None
    for reason, rule in _RULES:
        found = rule(reading)
        if found is not None:
            return reason, found or None
    return None


def _question(reading: Reading) -> str | None:
    return "?" if reading.text.rstrip(" \"'”’)]*_»").endswith(("?", "？", "؟")) else None


_NEVER_NOUNS = frozenset(
    "add allow ask avoid bear become begin bring buy choose click come compare complete configure consider create delete "
    "discover don't download enable ensure enjoy enter explore find follow forget get give go help imagine include insert "
    "install join keep learn leave let let's make meet please pick press provide put read remember remove replace "
    "say see select send sign stay stop subscribe take tell think try type use verify visit wait watch write".split()
)
_AFTER_ORDERS = frozenset("for in on to up at out into".split())
_SOMETIMES_NOUNS = frozenset(
    "act answer book build open call change check contact cook cut drink eat email file help look mix move note order pay plan "
    "play point post print protect question rate register report run save search set share show start study support "
    "swipe test turn update view vote walk work".split()
)


_REMINDER = re.compile(
    r"(?:note|remember|recall|bear in mind|keep in mind|don['’]t forget|consider) that\b", re.IGNORECASE
)
"""Orders in form only: what follows is asserted."""


def _instruction(reading: Reading) -> str | None:
    first = reading.tokens[0]
    following = next((token for token in reading.tokens[1:] if token.low not in ADVERBS), None)
    if (
        following is None
        or following.is_capitalised
        or following.text == ","
        or _REMINDER.match(reading.text)
    ):
        return None
    if first.low == "please" or (first.low in ("never", "always") and forms_of(following.low) == Form.BASE):
        return first.text
    if _has_subject_and_verb(reading):
        return None
    if first.low in _NEVER_NOUNS and following.low not in PREPOSITIONS - _AFTER_ORDERS:
        return first.text
    if first.low in _SOMETIMES_NOUNS and following.low in DETERMINERS | {
        "for",
        "with",
        "us",
        "up",
        "out",
        "at",
    }:
        return first.text
    return None


def _has_subject_and_verb(reading: Reading) -> bool:
    """ "Support for the party fell": a finite verb in the main clause, so the first word was a noun."""
    if len(reading.verbs) > 1 and reading.verbs[1]:
        return True  # "Help arrived"
    for token, certainty in zip(reading.tokens[1:], reading.verbs[1:], strict=True):
        if token.low in SUBORDINATORS or token.text in ",;:":
            return False
        if certainty is Certainty.CERTAIN:
            return True
    return False


_OUGHT = re.compile(
    r"\b(?:we|you|they|he|she|it|I|people|everyone|government|the [\w ]{3,40}?)\s+(should|ought to|must|needs? to)\b",
    re.IGNORECASE,
)
_SHOULD = re.compile(r"\b(?:should(?:n['’]t)?|ought to|had better)\b", re.IGNORECASE)
_BELIEF = re.compile(
    r"\b(?:I|we)\s+(?:\w+ly\s+)?(?:think|believe|feel|hope|love|hate|wish|want|guess|suppose|prefer|doubt|admire|suspect|consider|"
    r"am (?:\w+ )?(?:sure|certain|convinced|pleased|proud|delighted|grateful|happy|sorry|thrilled|honou?red|excited|confident|glad)|"
    r"are (?:\w+ )?(?:pleased|proud|delighted|grateful|happy|sorry|thrilled|honou?red|excited|confident|glad)|"
    r"look forward|can(?:'t|’t|not) wait|would like)\b"
    r"|\bI['’]m (?:\w+ )?(?:sure|certain|convinced|pleased|proud|delighted|grateful|happy|sorry|glad|excited)\b"
    r"|\bin (?:my|our) (?:(?:humble|personal) )?(?:opinion|view)\b|\b(?:to my mind|if you ask me|personally|frankly|arguably|"
    r"unfortunately|sadly|thankfully|hopefully|needless to say)\b",
    re.IGNORECASE,
)
_EVALUATION = frozenset(
    "amazing finest loveliest ugliest greatest coolest nicest astonishing astounding atrocious awesome awful bad beautiful best better boring breathtaking brilliant "
    "charming cowardly crazy cruel delicious delightful despicable disappointing disastrous disgraceful disgusting "
    "dreadful elegant evil excellent exciting extraordinary fabulous fantastic fascinating fine foolish funny ghastly "
    "glorious good gorgeous great greatest heartbreaking horrible horrific idiotic immoral impressive incredible "
    "inexcusable inspiring insulting interesting irresponsible laughable lovely magical magnificent marvellous marvelous "
    "miserable nice outrageous outstanding pathetic perfect pleasant pointless remarkable ridiculous scandalous senseless "
    "shameful shocking sickening spectacular splendid stunning stupid superb terrible terrific tragic ugly unacceptable "
    "unfair unforgettable unforgivable unjust useless vile wonderful worst worthless wrong".split()
)
_COUNTS = re.compile(r"\d|\b(?:million|billion|percent|per cent|dozen|hundred|thousand)\b", re.IGNORECASE)


def _opinion(reading: Reading) -> str | None:
    for pattern in (_BELIEF, _OUGHT, _SHOULD):
        match = pattern.search(reading.text)
        if match is not None and not (pattern is _OUGHT and match[1].lower() == "must"):
            return match[0]
        if match is not None and re.match(r"(?:we|I|everyone|people)\b", match[0], re.IGNORECASE):
            return match[0]
    return None if _COUNTS.search(reading.text) else _evaluation(reading.tokens)


def _evaluation(tokens: list[Token]) -> str | None:
    """ "is beautiful", "was a wonderful idea": an evaluating word in what is said of the subject."""
    copula = next(
        (i for i, token in enumerate(tokens) if i and (token.low in BE or token.low.endswith("'s"))), None
    )
    if copula is None:
        return None
    for token in tokens[copula + 1 : copula + 7]:
        if token.low in _EVALUATION and not token.is_capitalised:
            return token.text
        if token.text in ",;:" or token.low in PREPOSITIONS - {"like", "by"}:
            return None
    return None


_FUTURE_PHRASE = re.compile(
    r"\b(?:(?:is|are|was|were)\s+(?:\w+ly\s+)?(?:expected|projected|forecast|forecasted|predicted|anticipated|slated|set|due|poised|scheduled|bound|"
    r"going|about|likely|unlikely)\s+to\s+(?!(?:have|be)\s+(?:been|had)\b)\w+|gonna|in the (?:coming|next) (?:\w+ )?(?:years?|months?|decades?|weeks?)|"
    r"(?<!had )(?<!has )(?<!have )(?:forecasts?|predicts?|projects|expects?|foresees?) (?:that |a |an |the |to )|by the end of this (?:year|century|decade)|on track to|"
    r"is (?:tomorrow|next))\b",
    re.IGNORECASE,
)
_PAST_FUTURE = frozenset(
    "later eventually go become be come take remain serve win lead die prove have".split()
)


def _prediction(reading: Reading) -> str | None:
    for index, token in enumerate(reading.tokens):
        if not reading.verbs[index]:
            continue
        if token.low in ("will", "won't", "shall") or token.low.endswith("'ll"):
            return token.text
        if token.low in ("would", "wouldn't") and not _tells_the_past(reading, index):
            return token.text
    match = _FUTURE_PHRASE.search(reading.text)
    return match[0] if match else None


def _tells_the_past(reading: Reading, index: int) -> bool:
    """ "He would later become president" tells what happened."""
    following = reading.tokens[index + 1].low if index + 1 < len(reading.tokens) else ""
    return following in ("later", "eventually", "go", "subsequently") or (
        following in _PAST_FUTURE and re.search(r"\b1[0-9]{3}\b", reading.text) is not None
    )


_HEDGE = re.compile(
    r"\b(?:possibly|perhaps|maybe|presumably|conceivably|seemingly|ostensibly|probably|supposedly|potentially|"
    r"(?:seems?|seemed|appears?|appeared) (?:to|that|as if|like|likely)|"
    r"(?:is|are|was|were) (?:\w+ly )?(?:thought|believed|considered likely|assumed|presumed|suspected) to|"
    r"it is (?:possible|likely|conceivable|unclear|uncertain|unknown|not (?:clear|known))|(?:there is|with) (?:a|some|little) (?:chance|possibility)|"
    r"(?:most|quite|very) likely|in all likelihood|is not certain|remains (?:unclear|to be seen)|"
    r"(?:suggests?|suggested|hint(?:s|ed)?|speculat\w+) that)\b",
    re.IGNORECASE,
)
_COMPARED_LIKELIHOOD = re.compile(
    r"\b(?:more|less|times(?: more)?|as|equally)(?: \w+)? likely\b", re.IGNORECASE
)
_PEOPLE = frozenset("he she they we i you who people".split())
_ABILITY = frozenset(
    "no only not speak read write see hear afford walk swim find remember understand".split()
)


def _hedged(reading: Reading) -> str | None:
    for index, token in enumerate(reading.tokens):
        if not reading.verbs[index]:
            continue
        if token.low in ("might", "mightn't"):
            return token.text
        if token.low == "may" and not token.is_capitalised and not _before_figure(reading.tokens, index):
            return token.text
        if token.low == "could" and not _is_past_ability(reading.tokens, index):
            return token.text
    match = _HEDGE.search(reading.text)
    if match is None or (match[0].lower().endswith("likely") and _COMPARED_LIKELIHOOD.search(reading.text)):
        return None
    return match[0]


def _before_figure(tokens: list[Token], index: int) -> bool:
    return index + 1 < len(tokens) and tokens[index + 1].is_number


def _is_past_ability(tokens: list[Token], index: int) -> bool:
    following = tokens[index + 1].low if index + 1 < len(tokens) else ""
    if following in _ABILITY:
        return True
    return tokens[index - 1].low in _PEOPLE and following not in (
        "be",
        "have",
        "become",
        "face",
        "lose",
        "also",
    )


_SAME_BOTH_SIDES = re.compile(
    r"\A(?:(?:an?|the|all|every)\s+)?(?P<thing>[^\W\d_][\w ]{0,40}?)\s+(?:is|are|was|were|will be|means)\s+(?:(?:an?|the|just|simply|always)\s+)*"
    r"(?P=thing)\s*[.!]*\Z",
    re.IGNORECASE,
)
_EITHER_WAY = re.compile(
    r"\beither\b.{1,80}\bor\b.{0,20}\b(?:not|n['’]t|does|won['’]t|isn['’]t|doesn['’]t)\s*[.!]*\Z|\bit is what it is\b|\bwhatever (?:will be )?will be\b",
    re.IGNORECASE,
)


def _tautology(reading: Reading) -> str | None:
    match = _SAME_BOTH_SIDES.match(reading.text) or _EITHER_WAY.search(reading.text)
    return match[0].rstrip(".! ") if match else None


_DEFINING_PHRASE = re.compile(
    r"\b(?:(?:is|are) defined as|(?:is|are) (?:a|the) (?:term|name|word) (?:for|used|given|that)|by definition|the (?:term|word|phrase|acronym|"
    r"abbreviation)\s+[\"“'‘*_]?[\w -]{1,40}[\"”'’*_]?\s+(?:means|refers|denotes|describes|stands)|stands for|refers to|denotes)\b"
    r"|\A[\"“'‘]?[\w -]{1,40}[\"”'’]? means (?!(?:that|people|we|you|they|it|he|she|the)\b)",
    re.IGNORECASE,
)
_GENERAL_KIND = re.compile(
    r"\A(?:An?|Any)\s+(?P<thing>[a-z][a-z -]{1,40}?)\s+is\s+(?:an?|any)\s+[a-z][^\d]*\Z"
    r"|\A[A-Z]?[a-z -]{3,40}?\s+is\s+(?:the|an?)\s+(?:process|act|practice|study|branch|science|art|method|technique|theory)\s+(?:of|by|in|that|where|used|for)\b",
)


def _definition(reading: Reading) -> str | None:
    match = _DEFINING_PHRASE.search(reading.text)
    if match is not None:
        return match[0]
    match = _GENERAL_KIND.match(reading.text)
    names = any(token.is_capitalised and token.is_word for token in reading.tokens[1:])
    return match[0][:40].rstrip(" .") if match is not None and not names else None


_COURTESIES = re.compile(
    r"\A(?:thank(?:s| you)|good (?:morning|evening|afternoon|night)|hello|hi|dear|welcome|congratulations|sincerely|best (?:regards|wishes)|god bless)\b",
    re.IGNORECASE,
)
_ANAPHORA = re.compile(
    r"\A(?:and |but |so )?(?:that|this|it)(?:'s|’s| is| was) (?:it|all|why|how|true|right|correct|not true|the point|a fact)\b[^,;]{0,20}\Z",
    re.IGNORECASE,
)


def _no_assertion(reading: Reading) -> str | None:
    tokens = reading.tokens
    if _COURTESIES.match(reading.text):
        return tokens[0].text
    if _ANAPHORA.match(reading.text) or sum(token.is_word or token.is_number for token in tokens) < 2:
        return ""
    if opens_noun_phrase(tokens[0]) and tokens[-1].text == ":":
        return ":"
    return None if has_assertion(reading) else ""


_RULES: tuple[tuple[OmissionReason, Callable[[Reading], str | None]], ...] = (
    (OmissionReason.QUESTION, _question),
    (OmissionReason.INSTRUCTION, _instruction),
    (OmissionReason.NOT_A_CLAIM, _no_assertion),
    (OmissionReason.TAUTOLOGY, _tautology),
    (OmissionReason.DEFINITION, _definition),
    (OmissionReason.OPINION, _opinion),
    (OmissionReason.PREDICTION, _prediction),
    (OmissionReason.HEDGED, _hedged),
)
