"""What a claim is about, for a reader: one of a fixed list, by the words it uses.

Each category has its words; a claim belongs to the one it shares most words with. A tie goes to the
category named first in `CATEGORIES`; no word at all is "General".
"""

from veridic.text.words import find_words, stem

_WORDS: dict[str, str] = {
    "Crime and Law": "crime criminal murder homicide theft fraud bribe bribery corruption court judge jury trial convict conviction sentence "
    "prison police arrest charge lawsuit sue law illegal guilty verdict attorney prosecutor terrorism assault rape smuggling embezzle "
    "indict felony victim shooting violence",
    "Health": "health disease virus vaccine vaccination hospital doctor patient cancer drug medicine medical infection epidemic pandemic covid "
    "mortality obesity smoking diabetes heart stroke symptom treatment surgery nurse diet nutrition mental abortion hiv malaria pregnancy",
    "Economy": "economy economic gdp inflation unemployment jobs wage tax taxes budget debt deficit trade export import currency dollar euro bank "
    "interest market stock price income poverty investment industry growth revenue profit company business billion finance financial "
    "tariff spending pension rates fiscal recession krone yen peso rupee pound",
    "Politics": "election vote voter president minister parliament senate congress party government policy political politician campaign democracy "
    "republic constitution treaty law senator governor mayor referendum ballot coalition chancellor monarch nato eu union sanctions "
    "diplomat ambassador administration legislation bill monarchy legislature",
    "Environment": "climate emission carbon temperature warming pollution environment species forest deforestation wildlife recycling renewable solar "
    "wind energy drought flood hurricane glacier ice biodiversity conservation greenhouse co2 coal oil gas electricity",
    "Science": "science scientist research study physics chemistry biology atom molecule planet star galaxy space gene dna evolution theory experiment "
    "light gravity universe element cell species telescope nobel mathematics boils degrees celsius orbit moon",
    "Technology": "technology computer software internet smartphone app data algorithm robot artificial intelligence chip satellite online website "
    "user network digital cyber battery electric engine device google apple microsoft",
    "Sports": "football soccer basketball tennis olympic olympics medal championship league team player goal match tournament cup coach athlete race "
    "score stadium baseball cricket rugby season fifa marathon",
    "Geography": "capital country city river mountain lake island border coast coastline continent area square kilometre kilometer mile metre meter "
    "population region north south east west located lies highest longest ocean sea desert territory province inhabitants "
    "landlocked peak elevation village town flows peninsula volcano",
    "History": "war battle century empire king queen emperor founded independence revolution ancient dynasty treaty colony colonial medieval "
    "historical born died army soldier invasion conquered discovered signed established ruled",
    "Society": "people population religion language ethnic immigrant immigration education school student university women men children "
    "family marriage gender race rights refugee housing literacy media culture census speakers church muslim christian official",
}
CATEGORIES = (*_WORDS, "General")

_STEMS = {category: frozenset(stem(word) for word in words.split()) for category, words in _WORDS.items()}


def categorise(text: str) -> str:
    """The category of a claim; always one of `CATEGORIES`."""
    words = {stem(word.text) for word in find_words(text)}
    best = max(_STEMS, key=lambda category: len(words & _STEMS[category]))
    return best if words & _STEMS[best] else "General"
