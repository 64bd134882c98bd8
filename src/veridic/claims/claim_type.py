"""What kind of assertion a claim makes.

One type a claim, the first that fits in this order:

1. ATTRIBUTION: it reports what someone said (hearsay framing, or a quotation).
2. CAUSAL: it says that one thing brings about another ("because of", "led to", "reduces the risk").
3. COMPARISON: it ranks or compares ("longer than", "sixth-largest", "twice as many").
4. STATISTIC: it gives a quantity other than a date ("27 million people", "15%").
5. DATE: it places something in time.
6. TECHNICAL: everything else. A plain statement of what is so ("The capital of Australia is Canberra") has no
   number, date or comparison to hold it by; like a technical statement, it is checked by looking it up.

Cause and comparison come before the figures in them, because "rose 5% because of the war" stands or falls with
the cause, and "the sixth-largest country, with 27 million people" with the rank.
"""

import re

from veridic.claims.features import Features
from veridic.domain.claim import ClaimType, Framing, FramingKind

_CAUSAL = re.compile(
    r"\b(?:because(?: of)?|due to|owing to|thanks to|as a result|results? in|resulted in|resulting from|causes|caused|causing|(?<!the )(?<!a )cause(?! of)|"
    r"le(?:ads?|d) to|leading to|trigger(?:s|ed)|brought about|prevent(?:s|ed)|(?:reduc|increas|rais|lower)(?:es|ed) (?:the )?risk|"
    r"responsible for|consequently|therefore|stem(?:s|med) from|sparked|prompted|contribut(?:es?|ed) to)\b",
    re.IGNORECASE,
)
_COMPARISON = re.compile(
    r"\b(?:(?:more|less|fewer|greater|lower|higher|rather|other|\w+er)(?:\s+[\w%$€£.,-]+){0,6}?\s+than(?!\s+(?:[\d$€£]|an? (?:hundred|thousand|million|dozen|quarter|third)|half|one|two|three|four|five|six|seven|eight|nine|ten|twenty|fifty))|compared (?:to|with)|"
    r"(?:twice|three times|\w+ times|half) (?:as|the|more|larger|bigger)|as \w+ as|equal to|outranks?|outnumbers?|surpass\w*|exceed(?:s|ed)|"
    r"(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(?:st|nd|rd|th))[- ](?:most|least|\w+est)|"
    r"(?:the|world's|world’s|'s|’s|its|their|one of the)\s+(?:single\s+)?(?:most|least|largest|biggest|smallest|highest|lowest|longest|shortest|"
    r"oldest|youngest|tallest|deepest|richest|poorest|fastest|slowest|greatest|strongest|busiest|hottest|coldest|wettest|driest|earliest|"
    r"latest|heaviest|widest|densest|best-selling|northernmost|southernmost|westernmost|easternmost)|"
    r"rank(?:s|ed) (?:\w+ )?(?:first|second|third|fourth|fifth|among|\d+|number)|larger|smaller|longer|shorter|taller|higher)\b",
    re.IGNORECASE,
)


def claim_type(features: Features, framing: Framing) -> ClaimType:
    """The type of a claim with these features and this framing."""
    if framing.kind is FramingKind.HEARSAY:
        return ClaimType.ATTRIBUTION
    if _CAUSAL.search(features.text):
        return ClaimType.CAUSAL
    if _COMPARISON.search(features.text):
        return ClaimType.COMPARISON
    if features.has_figure:
        return ClaimType.STATISTIC
    return ClaimType.DATE if features.has_date else ClaimType.TECHNICAL
