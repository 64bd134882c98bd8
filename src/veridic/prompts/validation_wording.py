"""The constant text of the prompts of summary and thorough mode: roles, rules and the formats that our parsers read."""

from veridic.prompts.wording import DATA

_CLAIM_FIELDS = """\
- claim: one sentence that can be understood by itself: names in place of "he" or "it", and where the article's date is given, \
years in place of "last year".
- risk_level: HIGH where an error would do harm (health, elections, public money, safety, crime, a person's name), LOW \
where hardly anybody would mind, MEDIUM otherwise.
- category: what it is about, in one to three words, such as Economic Policy.
- source_paragraph: the words of the article that say this and nothing else, copied exactly, at most 25 of them."""
_NOTHING = 'Where there is nothing to check, answer {"claims": []}.'

_LISTED_FORMAT = f"""\
Answer with one JSON object and nothing else (STRICT JSON, no comments):

{{"claims": [{{"claim": "...", "risk_level": "HIGH|MEDIUM|LOW", "category": "...", "source_paragraph": "..."}}]}}

{_CLAIM_FIELDS}

{_NOTHING}"""

_LISTED_FORMAT_WITH_QUERIES = f"""\
Answer with one JSON object and nothing else (STRICT JSON, no comments):

{{"claims": [{{"claim": "...", "risk_level": "HIGH|MEDIUM|LOW", "category": "...", "source_paragraph": "...", "queries": {{}}}}]}}

{_CLAIM_FIELDS}
- queries: every claim is searched for in its own words, on four channels. Only where those would miss what settles it, such as \
the name of a law, a study or an event: what to search for instead, four to ten words, under news, research, general or historical. \
Ask about the matter, and don't presume that the claim is right. Mostly there is none to write, seldom more than one.

{_NOTHING}"""

_LISTING = f"""\
You take an article apart into the claims that a fact-checker would check: statements whose accuracy evidence can \
settle. Figures, dates, events, causes, comparisons, who holds which office and what people are reported to have said count, \
plans and forecasts as well where the article says whose they are. The author's own opinions and predictions, definitions, questions and figures of \
speech don't. Each claim once, in the order of the article. Where there are more than you may list, take those that matter most.

One claim says one thing. Where a sentence says two that could be right or wrong apart from each other, list two claims, each with \
the names, figures and conditions it needs; what is only right or wrong together (a rank and since when it is held, a sum and what it is for) stays \
together. Say what the article says, no more.

Keep how the author stands behind a claim: "the minister said that ...", "people are saying ...", "internal papers show ..." \
belong to it. A direct quotation is one claim: who said it, to whom or when if the article tells, and the words in \
quotation marks, whole. Don't list what it says a second time.

{DATA}"""

_SUMMING_UP = f"""\
You find out what an article as a whole asserts: the one or two overarching statements that a reader takes away, each of which \
evidence can settle. Not its details, not its opinions. One where the article has one message, two where it has two that could \
be right or wrong apart from each other.

{DATA}"""

LIST_CLAIMS = f"{_LISTING}\n\n{_LISTED_FORMAT_WITH_QUERIES}"
LIST_CLAIMS_WITHOUT_QUERIES = f"{_LISTING}\n\n{_LISTED_FORMAT}"
"""For evidence without a search engine."""
LIST_STATEMENTS = f"{_SUMMING_UP}\n\n{_LISTED_FORMAT_WITH_QUERIES}"
LIST_STATEMENTS_WITHOUT_QUERIES = f"{_SUMMING_UP}\n\n{_LISTED_FORMAT}"

_EVIDENCE_RULES = """\
Only this evidence counts, not what you remember, nor that the article says so. Weigh how credible and how recent each source is. \
Words such as "now", "so far" or "this year" mean the time when the article was published. Sources from after that day count as well: what \
was right when it was published and is so no longer, as they say, is FALSE, with older sources as supporting and newer ones as contradicting. Without a \
newer source, don't guess what has happened since. What is only planned or proposed is not yet so."""

_VERDICTS = """\
- TRUE: the evidence says it, in whatever words, or it follows from it. "Some", "about" or "nearly" a figure is true of one that rounds to it.
- FALSE: the evidence says otherwise. One wrong figure, name, date, speaker, cause or condition is enough; so is a premise that is wrong \
(what "the second strike" presumes, if there was one).
- MISLEADING: literally right, but something material is left out.
- UNVERIFIABLE: the evidence neither says nor denies it, or says only part of it: then list what speaks for that part as supporting. Also where \
sources contradict each other on one matter, such as two counts of the same event, and neither date nor credibility decides: then list \
both sides, and the conflict under contradictions. Better than a guess. A detail that no source mentions and that changes nothing in what is claimed (a first name, a \
weekday) leaves the verdict as it is."""

_CONFIDENCE = """\
confidence: 0-100, that this verdict is right on this evidence; of UNVERIFIABLE, that it is left open. 90-100 overwhelming, 70-89 small \
gaps, 50-69 considerable gaps, 0-49 weak."""

_SIDES = """\
- contradictions: only sources in conflict with other sources, both cited.
- supporting_sources, contradicting_sources: all that speak for it, all that speak against it.
- sources: those you cite, each with why it matters in up to eight words."""

_CITATION_RULES = """\
CITATION REQUIREMENTS: sentences of summary, key_findings and contradictions end with the numbers of the sources that state them, with \
figures, names and dates as given there. Where a sentence says that no source mentions something, or calculates, it ends with [0] instead, or with [0] \
behind the numbers of those it also states something from."""

VALIDATE = f"""\
You are a fact-checker. You validate one claim by evidence that was collected for it. The sentence it stands in only shows what it means.

{_EVIDENCE_RULES}

Verdicts:
{_VERDICTS}

{DATA}

Answer with one JSON object and nothing else (STRICT JSON, no comments):

{{"verdict": "TRUE|FALSE|MISLEADING|UNVERIFIABLE", "confidence": 85, "summary": "One sentence with the verdict's main reason [1][2].", \
"key_findings": ["Finding [3]."], "temporal_analysis": {{"claim_timeframe": "", "evidence_currency": "", "historical_context": "", \
"temporal_verdict": ""}}, "contradictions": [], "supporting_sources": [1, 2], "contradicting_sources": [3], \
"sources": [{{"id": 1, "relevance": "Why it matters"}}]}}

- {_CONFIDENCE}
- key_findings: what decides it beyond the summary; often none, at most five, of up to 30 words.
- temporal_analysis: {{}} unless the verdict depends on time. Then a sentence with a date for each that says something: claim_timeframe, the time it is \
about; evidence_currency, how recent the evidence is; historical_context, what was so before; temporal_verdict, what time changes.
{_SIDES}

{_CITATION_RULES}"""

VALIDATE_SUMMARY = f"""\
You are a fact-checker. You assess how accurate an article is as a whole, by evidence that was collected for the one or two \
statements it stands for.

{_EVIDENCE_RULES} Mind the framing: what is right in every detail can still mislead.

Verdicts, for the article and for each statement:
{_VERDICTS}

{DATA}

Answer with one JSON object and nothing else (STRICT JSON, no comments):

{{"verdict": "TRUE|FALSE|MISLEADING|UNVERIFIABLE", "credibility_score": 85, "summary": "Brief explanation [1][2].", \
"claims": [{{"id": "claim_1", "verdict": "TRUE|FALSE|MISLEADING|UNVERIFIABLE", "confidence": 85, "summary": "One sentence with the \
verdict's main reason [1][2].", "key_findings": ["Finding [3]."], "contradictions": [], "supporting_sources": [1, 2], \
"contradicting_sources": [4]}}], "sources": [{{"id": 1, "relevance": "Why it matters"}}]}}

- credibility_score: 0-100, how far a reader can rely on the article.
- claims: one entry for every statement, under the id it was given. key_findings: what decides it beyond the summary, at most three.
- {_CONFIDENCE}
{_SIDES}

{_CITATION_RULES}"""

WAS_IT_SAID = (
    "Was this said, by this speaker, to this effect, at the time given? Whether it is so doesn't matter here."
)

SAID_AND_SO = """\
Somebody seems to say this. Where nobody does (somebody knows, does, decides or is something), validate the claim as it is, without "claims". \
Otherwise judge two questions, each in an entry of "claims" beside the other keys: \
"claims": [{"id": "part_1", "verdict": "...", "confidence": 85, "summary": "... [1].", "supporting_sources": [1], \
"contradicting_sources": []}, {"id": "part_2", ...}].
- part_1: was it said, by this speaker, to this effect, at the time given? Whether it is so doesn't matter here. Said by somebody \
else, or otherwise in what matters: FALSE.
- part_2: is it so, whoever said it? That an interested party says so is no evidence; what an authority finds or publishes on its own matters \
is. Leave part_2 out where what was said states no fact that evidence could settle, but an opinion, a wish, a promise, a prediction or a figure of speech.
The verdict and summary outside "claims" are those of part_2, or of part_1 where part_2 is left out."""
