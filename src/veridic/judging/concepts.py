"""Different words for the same relation: "people live in", "inhabitants" and "population" are one concept.

A concept is written `#name`. Patterns are tried on the text in order; a stretch of text belongs to
the first concept that claims it.
"""

import re
from typing import NamedTuple

from veridic.domain.document import Span

CURRENCY_WORDS = tuple(
    """
    dollar euro yen won pound peso krone krona kroner rupee real rand lira franc yuan renminbi ruble rouble riyal dinar
    dirham shekel baht ringgit rupiah dong zloty forint koruna leu lev lari som tenge hryvnia birr naira cedi kwacha
    shilling pula metical kwanza dalasi leone guarani boliviano sol quetzal lempira cordoba colon balboa gourde taka kyat
    kip riel tugrik afghani manat dram denar lek mark kina vatu tala paanga loti lilangeni nakfa ouguiya ariary rufiyaa
    ngultrum pataca bolivar escudo rial somoni sum dobra florin guilder crown
    """.split()
)
"""The common nouns that currencies go by."""

_PATTERNS: tuple[tuple[str, str], ...] = (
    ("highest_point", r"(?:highest|tallest) (?:point|peak|mountain|summit|elevation)(?: peak)?"),
    ("lowest_point", r"lowest (?:point|elevation)"),
    ("republic", r"republic(?! of (?-i:[A-Z]))"),
    ("monarchy", r"(?:constitutional |absolute |hereditary )?monarch(?:y|ies)"),
    ("landlocked", r"landlocked|no (?:coastline|access to the (?:sea|ocean)|sea access)"),
    ("coastline", r"coastlines?|shorelines?|sea ?coast|coasts?"),
    ("capital", r"capital cit(?:y|ies)|seat of government|capitals?(?! (?:punishment|investment|gains|letters))"),
    ("life_expectancy", r"life expectanc(?:y|ies)(?: at birth)?|(?:expected to|can expect to) live|live to an average age"),
    ("median_age", r"median age"),
    ("growth", r"growth rate|growth"),
    ("per_capita", r"per[ -]capita|per[ -]person|per head"),
    ("ppp", r"(?:at |in terms of |by |on a |adjusted for )?purchasing[ -]power(?:[ -]parity)?(?: basis)?(?: \(PPP\))?|\bPPP\b"),
    ("gdp", r"gross domestic product(?: \(GDP\))?|GDP|(?:size of (?:the|its) )?econom(?:y|ies)|economic output"),
    ("unemployment", r"unemployment(?: rate)?|jobless rate"),
    ("inflation", r"inflation(?: rate)?(?: \(consumer prices\))?"),
    ("literacy", r"literacy(?: rate)?|literate"),
    ("fertility", r"(?:total )?fertility rate"),
    ("border_length", r"(?:length of (?:the|its) (?:land )?(?:border|boundar)\w*|land boundaries (?:have|has|of))"),
    ("border", r"(?:shar(?:es|e|ed|ing) )?(?:a |its |an? (?:common|international) |the )?(?:land |common |international )?(?:borders?|bordering|bordered|boundar(?:y|ies)|frontiers?)(?! (?:areas?|regions?|zones?|crossings?|guards?|controls?|disputes?|patrols?|security|police|towns?))(?: on)?|neighbou?rs?|neighbou?ring|adjoins?|abuts?"),
    ("currency", r"(?:official |national |local )?currenc(?:y|ies)|legal tender|monetary unit|unit of currency|pa(?:y|ys|id|ying) (?:in|with)|(?:priced|quoted) in|money|us(?:es|e|ing|ed)(?= (?:the )?(?:[A-Z]\w+ )?(?:" + "|".join(CURRENCY_WORDS) + r")s?\b)"),
    ("official", r"(?:sole |only |co-)?official(?:ly)?"),
    ("language", r"languages?|lingua franca|speaks?|spoken|speakers?|speaking|spoke|tongues?"),
    ("population", r"populations?|populace|inhabitants?|people|residents|citizens|populous|populated"),
    ("area", r"(?:larger|bigger|smaller)(?= than\b)|(?:total |surface )?area|land mass|landmass|(?:by|in) size|square (?:kilomet(?:re|er)s?|miles?)|sq\.? ?(?:km|mi(?:les)?)\b|km²|km2"),
    ("head_of_state", r"head of state|chief of state"),
    ("head_of_government", r"head of government|prime minister|premier"),
    ("independence", r"(?:(?:gain|achiev|declar|secur)(?:ed|es|s|ing) |won )?(?:its |their |full )*independen(?:t|ce)"),
    ("export_partner", r"(?:main |largest |top |biggest )?(?:export (?:partner|market|destination)s?)"),
    ("import_partner", r"(?:main |largest |top |biggest )?(?:import (?:partner|source|supplier)s?)"),
    ("export", r"export(?:s|ed|ing)?"),
    ("import", r"import(?:s|ed|ing)?"),
    ("religion", r"religions?|religious|faiths?|adherents?"),
    ("government_type", r"(?:form|type|system) of government|government type|system of rule"),
    ("located", r"located|situated|lies|lying|found in"),
    ("elevation", r"above sea level|elevation|altitude|height|(?:rises|rose|rising|reaches|towers|stands|tops out)(?: at| to)?(?= (?:[a-z]+ )?[\d,.]+ ?(?:m|metres|meters|feet|ft)\b)"),
    ("length", r"in length|length|lengthy"),
    ("increase", r"gr(?:ew|ows?|owing|own)|increas(?:e|es|ed|ing)|r(?:ise|ises|ose|isen|ising)|climb(?:s|ed|ing)?|up by|went up|gain(?:s|ed)?|surg(?:e|ed|es)|jump(?:ed|s)?|expand(?:ed|s|ing)?"),
    ("decrease", r"decreas(?:e|es|ed|ing)|f(?:all|alls|ell|allen|alling)|declin(?:e|es|ed|ing)|drop(?:s|ped|ping)?|down by|went down|shr(?:ink|inks|ank|unk)|reduc(?:e|es|ed|tion)|cut by|slump(?:ed|s)?"),
    ("found", r"found(?:ed|ing|er|ers)|establish(?:ed|es|ing|ment)|set up|inception|creat(?:ed|ion)"),
    ("build", r"buil[dt](?:ing|s)?|construct(?:ed|ion|s)?|erected"),
    ("open", r"open(?:ed|s|ing)?(?! to question)|inaugurat(?:ed|ion)"),
    ("close", r"clos(?:ed|es|ing|ure)|shut(?: down)?|ceased"),
    ("complete", r"complet(?:ed|ion|es)|finished"),
    ("begin", r"beg(?:an|in|ins|inning|un)|start(?:ed|s|ing)?|commenced|broke ground|got under way"),
    ("buy", r"b(?:uy|uys|ought|uying)|purchas(?:e|es|ed|ing)|acqui(?:re|res|red|sition)|takeover|t(?:ook|ake) over"),
    ("cost", r"cost(?:s|ing)?|price tag"),
    ("revenue", r"revenues?|turnover|sales"),
    ("profit", r"(?:net )?(?:profits?|earnings|net income)"),
    ("employ", r"employ(?:s|ed|ees|ee|ing)?|staff|workforce|workers|headcount"),
    ("die", r"di(?:ed|es)|death|passed away|killed"),
    ("born", r"born|birthplace|birth(?! rate)"),
    ("win", r"(?<!the )(?<!Korean )w(?:on|ins?|inning)|victor(?:y|ious)|beat(?:ing|s)?|defeat(?:ed|s)?"),
    ("lose", r"los(?:t|es|e|ing)|defeat by"),
    ("approve", r"approv(?:ed|al|es|e)|adopt(?:ed|s|ion)|pass(?:ed|es)|ratif(?:ied|ication|y)"),
    ("reject", r"reject(?:ed|s|ion)|vot(?:ed|es) down|turn(?:ed|s) down|declin(?:ed) to"),
    ("visitor", r"visit(?:ors|or|s|ed)?|attendance|attendees?|attended"),
    ("design", r"design(?:ed|er|s)?|architects?"),
)  # fmt: skip
_ALL = re.compile(
    "|".join(
        rf"(?P<c{index}>(?<![\w-])(?:{pattern})(?![\w]))" for index, (_, pattern) in enumerate(_PATTERNS)
    ),
    re.IGNORECASE,
)

OPPOSITES: dict[str, str] = {
    "#increase": "#decrease", "#decrease": "#increase", "#win": "#lose", "#lose": "#win", "#approve": "#reject",
    "#reject": "#approve", "#open": "#close", "#close": "#open", "#landlocked": "#coastline", "#coastline": "#landlocked", "#begin": "#complete",
    "#complete": "#begin", "#export": "#import", "#import": "#export", "#export_partner": "#import_partner",
    "#import_partner": "#export_partner", "#highest_point": "#lowest_point", "#lowest_point": "#highest_point",
    "#republic": "#monarchy", "#monarchy": "#republic",
}  # fmt: skip
CONTRARY = frozenset(
    (
        "#increase",
        "#decrease",
        "#win",
        "#lose",
        "#approve",
        "#reject",
        "#landlocked",
        "#coastline",
        "#republic",
        "#monarchy",
    )
)
"""Opposites that can't both hold of one thing at one time; a mere difference (#open, #close) can."""

KINDS = frozenset(("#landlocked", "#republic", "#monarchy"))
"""What a thing simply is, with nothing more to compare."""
SINGLE_VALUED = frozenset(
    ("#capital", "#currency", "#highest_point", "#lowest_point", "#head_of_state", "#head_of_government", "#government_type", "#design")
)  # fmt: skip
"""Relations that have one answer, so that another answer is a contradiction."""
QUALIFIERS = frozenset(("#ppp", "#per_capita", "#growth", "#official"))
"""Words that make another measure of the one they stand with."""
FAINT_CONCEPTS = frozenset(("#elevation", "#length", "#located"))
"""Relations that a figure's unit says already."""
ROLES = frozenset(
    """
    mayor ceo chair chairman chairwoman chairperson director president minister governor architect founder author owner
    coach captain manager winner editor head leader secretary treasurer spokesperson spokesman spokeswoman judge king
    queen chancellor engineer curator principal investigator composer painter inventor publisher sponsor contractor
    headquarter headquart host anthem
    """.split()
)
"""Nouns (stems) for which one name stands: two different mayors of one town contradict each other."""
OFFICES = frozenset(("#head_of_state", "#head_of_government")) | (
    ROLES
    - frozenset(
        "architect founder author winner investigator composer painter inventor contractor anthem".split()
    )
)
"""What passes from one holder to the next, so that today's says nothing of another time."""


class Concept(NamedTuple):
    key: str
    span: Span


def find_concepts(text: str) -> list[Concept]:
    """Every concept a text names, in reading order."""
    found = []
    for match in _ALL.finditer(text):
        index = int(match.lastgroup[1:]) if match.lastgroup else 0
        found.append(Concept(f"#{_PATTERNS[index][0]}", match.span()))
    return found


_SEARCH_WORDS: dict[str, str] = {
    "#population": "population", "#area": "area", "#border": "land borders", "#language": "languages",
    "#currency": "currency", "#capital": "capital", "#highest_point": "highest point", "#lowest_point": "lowest point",
    "#gdp": "GDP", "#coastline": "coastline", "#landlocked": "coastline", "#life_expectancy": "life expectancy",
    "#independence": "independent", "#unemployment": "unemployment", "#inflation": "inflation",
    "#head_of_state": "chief of state", "#head_of_government": "head of government", "#export": "exports",
    "#import": "imports", "#government_type": "government", "#republic": "government",
    "#monarchy": "government", "#religion": "religions", "#found": "founded",
    "#build": "built", "#open": "opened", "#complete": "completed", "#employ": "employees", "#visitor": "visitors",
}  # fmt: skip


def search_words(text: str) -> list[tuple[str, str]]:
    """For what a text speaks of in whatever words: those words, and the usual ones."""
    return [
        (text[slice(*concept.span)].lower(), _SEARCH_WORDS[concept.key])
        for concept in find_concepts(text)
        if concept.key in _SEARCH_WORDS
    ]
