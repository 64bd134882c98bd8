"""Detects the language of a text, by its script and then by its function words.

It uses no model and no letter statistics. A text with neither a distinctive script nor enough function words of a language is
`und`, because with a wrong language a checkable sentence would be left out. Capitalised words don't count, except the
first one: names occur in any language.
"""

import re
from collections import Counter

_SAMPLE = 6000
"""Characters to look at: far more than needed, and it limits the time."""

_SCRIPTS: tuple[tuple[str, int, int], ...] = (
    ("latin", 0x0041, 0x024F),
    ("latin", 0x1E00, 0x1EFF),
    ("el", 0x0370, 0x03FF),
    ("el", 0x1F00, 0x1FFF),
    ("cyrillic", 0x0400, 0x052F),
    ("hy", 0x0530, 0x058F),
    ("he", 0x0590, 0x05FF),
    ("arabic", 0x0600, 0x06FF),
    ("arabic", 0x0750, 0x077F),
    ("devanagari", 0x0900, 0x097F),
    ("bn", 0x0980, 0x09FF),
    ("pa", 0x0A00, 0x0A7F),
    ("gu", 0x0A80, 0x0AFF),
    ("ta", 0x0B80, 0x0BFF),
    ("te", 0x0C00, 0x0C7F),
    ("kn", 0x0C80, 0x0CFF),
    ("ml", 0x0D00, 0x0D7F),
    ("si", 0x0D80, 0x0DFF),
    ("th", 0x0E00, 0x0E7F),
    ("lo", 0x0E80, 0x0EFF),
    ("my", 0x1000, 0x109F),
    ("ka", 0x10A0, 0x10FF),
    ("ko", 0x1100, 0x11FF),
    ("am", 0x1200, 0x137F),
    ("km", 0x1780, 0x17FF),
    ("kana", 0x3040, 0x30FF),
    ("han", 0x3400, 0x4DBF),
    ("han", 0x4E00, 0x9FFF),
    ("ko", 0xAC00, 0xD7AF),
)

_FUNCTION_WORDS: dict[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "en": "the of and to in is are was were that which it its with as by for on at from this these be been "
        "has have had not an a or but they their he she his her we our you i will would can could there than "
        "who when after about into over between more most also during since until while because my your me us him "
        "them do did does what all one if up out just so no get got am been being said says say people years year "
        "first new many some any other only then now because where how why very than such each both under born "
        "called known made make good go going come take want think know like here",
        "de": "der die das und ist nicht ein eine einen einem einer den dem des mit auf für von zu sich auch als "
        "wird werden wurde wurden sind war waren hat haben bei nach aus im am zum zur über oder aber dass durch "
        "noch nur wie es er sie wir vor seit ihre seine keine liegt",
        "fr": "le la les de des du et est un une dans que qui pour pas sur au aux avec ce cette ces il elle ils "
        "sont été a ont par plus ne se son sa ses mais ou où nous vous leur leurs comme aussi depuis était être "
        "y en fut entre sous chez très",
        "es": "el la los las de del y es en un una que por con para no se su sus al lo como más pero fue son "
        "está han ha entre sobre desde hasta también este esta muy o era eran ser tiene cuando donde unos según",
        "it": "il lo la gli le di del della dei delle che è un una uno per con non si sono nel nella nei al alla "
        "da dal dalla anche come più ma ha hanno era fu stato questo questa sul sulla tra e o su fra degli "
        "dell nell molto essere",
        "pt": "o a os as de do da dos das e é em um uma que por com para não se na no nas nos ao à foi são mais "
        "mas como seu sua pelo pela entre também está tem foram ou até ser quando muito sobre já isso este esta",
        "nl": "de het een en van is dat die in op te niet met voor zijn was werd aan er ook als door bij naar om "
        "maar dan heeft hebben wordt worden uit over zij hij deze dit tot onder wat geen meer waren ligt",
        "sv": "och att det som är en ett på för av med den inte till har de om var sig från eller men vid så han "
        "hon kan ska efter där också när under över mellan blev mycket än utan i ligger huvudstad stad",
        "da": "og at det som er en et på for af med den ikke til har de om var sig fra eller men ved så han hun "
        "kan skal efter hvor også når under over mellem blev meget end uden være blevet havde jeg der hvad i ligger største by "
        "indbyggere mange nogle landets hovedstad",
        "no": "og at det som er en et på for av med den ikke til har de om var seg fra eller men ved så han hun "
        "kan skal etter hvor også når under over mellom ble mye enn uten være blitt hadde jeg hva noe i ligger største by "
        "innbyggere mange noen landets hovedstad hovedstaden",
        "fi": "ja on ei se että oli hän mutta ovat joka kuin myös tai sen ole ovat jotka niin kun mukaan vain sekä "
        "olla ollut olivat jossa vuonna sijaitsee",
        "pl": "i w na z się nie jest do to że o jak ale po od za przez który która które są był była było oraz "
        "dla jego jej ich tym ten tej tego przy został została ma także może lub czy u",
        "cs": "a v na se je že s z do to o jako ale po od za který která které jsou byl byla bylo pro jeho její "
        "jejich při nebo také ve k už má není podle mezi být jen i ze až",
        "sk": "a v na sa je že s z do to o ako ale po od za ktorý ktorá ktoré sú bol bola bolo pre jeho jej ich "
        "pri alebo tiež vo k už má nie podľa medzi byť len i zo až",
        "hu": "a az és hogy nem egy volt meg de csak már mint még ez ezt vagy amely aki azt lesz voltak "
        "után között szerint",
        "ro": "și în de la a cu pe este nu să se că un o din pentru care mai sunt fost prin au al ale lui dar sau "
        "după între fi era această acest",
        "tr": "ve bir bu da de için ile olarak çok daha olan en gibi kadar sonra ise değil var o ne ya veya ancak "
        "göre olduğu tarafından etti oldu yılında ki her",
        "id": "yang dan di dengan untuk pada dari ini itu adalah tidak ke dalam oleh akan atau juga sebagai telah "
        "bahwa karena lebih dapat ada mereka tersebut sudah serta antara merupakan",
        "vi": "và của là có được trong cho không một các với những này khi người đã ở từ đến như về cũng",
        "ru": "и в не на что с по как это он она они но из за от для к был была были его её их или у же о при "
        "также является года году",
        "uk": "і в не на що з та як це він вона вони але із за від для до був була були його її їх або у ж про "
        "при також є року році",
        "bg": "и в не на че с по като това той тя те но от за до е са беше бяха или при също през към със който "
        "която което се",
        "sr": "и у не на да с по као то он она они али из за од до је су био била били или при такође кроз ка са "
        "који која које се",
    }.items()
}

_LETTERS: dict[str, frozenset[str]] = {
    "de": frozenset("ßäöü"),
    "fr": frozenset("êèçœàùûîëï"),
    "es": frozenset("ñóíáúé"),
    "it": frozenset("ùòìàè"),
    "pt": frozenset("ãõçáâê"),
    "sv": frozenset("åäö"),
    "da": frozenset("æøå"),
    "no": frozenset("æøå"),
    "fi": frozenset("äö"),
    "pl": frozenset("łąęśżźćń"),
    "cs": frozenset("řěůčšž"),
    "sk": frozenset("ľĺŕôčšž"),
    "hu": frozenset("őűöü"),
    "ro": frozenset("țșăâî"),
    "tr": frozenset("ğışçöü"),
    "vi": frozenset("ơưđạảấầậắằặẹẽếềểệịọốồổộớờởợụứừửữựỳỵ"),
    "uk": frozenset("іїєґ"),
    "ru": frozenset("ыэъё"),
    "sr": frozenset("ђћџљњј"),
}

_LANGUAGE_COUNTS = Counter(word for vocabulary in _FUNCTION_WORDS.values() for word in vocabulary)
_WEIGHTS = {word: {1: 1.0, 2: 0.8}.get(sharers, 0.5) for word, sharers in _LANGUAGE_COUNTS.items()}
"""A word that many languages share counts less."""

_CYRILLIC = frozenset({"ru", "uk", "bg", "sr"})
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_LANGUAGES_OF = {
    word: frozenset(language for language, vocabulary in _FUNCTION_WORDS.items() if word in vocabulary)
    for word in _LANGUAGE_COUNTS
}
_ENGLISH_CONTRACTION = re.compile(r"(?:n['’]t|['’](?:s|m|re|ve|ll|d))\Z")
_PARTICLES = frozenset(
    "al bin da das de del della den der di do dos du e el ibn la las le les los ten ter van von y zu".split()
)
"""Parts of names if there is a capital on either side: "Ludwig van Beethoven" is not Dutch."""
_MIN_SCORE = 0.9
_SISTERS = ({"da", "no"}, {"cs", "sk"})
"""Pairs of languages that share most function words: the slightest lead decides."""
_SHOUTED_WORDS = 8
"""A text in capitals is read as words only if it has at least this many; shorter ones may be initials."""


def detect_language(text: str) -> str:
    """Return the ISO 639-1 code of the language of `text`, or `und` if it is unclear."""
    sample = text[:_SAMPLE]
    script = _main_script(sample)
    if script is None:
        return "und"
    if script in ("latin", "cyrillic"):
        return _by_words(sample, script)
    return _by_script(sample, script)


def _main_script(sample: str) -> str | None:
    counts: Counter[str] = Counter()
    for character, count in Counter(sample).items():
        if character.isalpha():
            counts[_script_of(ord(character))] += count
    if not counts:
        return None
    # One Han or kana letter counts as much as a Latin word.
    weighted = {name: n * (3 if name in ("han", "kana", "ko") else 1) for name, n in counts.items()}
    if weighted.get("kana") and weighted.get("han"):
        weighted["kana"] += weighted.pop("han")
    best = max(weighted, key=lambda name: weighted[name])
    return best if best != "other" else None


def _script_of(code: int) -> str:
    for name, first, last in _SCRIPTS:
        if first <= code <= last:
            return name
    return "other"


def _by_script(sample: str, script: str) -> str:
    if script == "arabic":
        if any(letter in sample for letter in "ٹڈڑےں"):
            return "ur"
        return "fa" if sum(sample.count(letter) for letter in "پچژگیک") * 12 > len(sample) / 2 else "ar"
    return {"han": "zh", "kana": "ja", "devanagari": "hi"}.get(script, script)


def _by_words(sample: str, script: str) -> str:
    words = _counted_words(sample)
    if not words:
        return "und"
    scores = _scores(words, cyrillic=script == "cyrillic")
    if script == "latin" and scores["en"] >= _MIN_SCORE and scores["en"] == max(scores.values()):
        return "en"
    ranking = sorted(scores, key=lambda language: -scores[language])
    first, second = ranking[0], ranking[1]
    margin = 0.01 if {first, second} in _SISTERS else 0.25
    if scores[first] < _MIN_SCORE or scores[first] - scores[second] < margin:
        return "und"
    if first != "en" and (scores[first] < 1.4 * scores.get("en", 0.0) or _indicators(words, first) < 2):
        return "und"
    return first


def _counted_words(sample: str) -> Counter[str]:
    words = _WORD.findall(sample)
    if len(words) >= _SHOUTED_WORDS and not any(word.islower() for word in words):
        return Counter(word.lower() for word in words)
    if words and words[0].isupper() and len(words[0]) > 1:
        words = words[1:]
    # "I" counts as the English pronoun, not as the Polish or Danish word.
    return Counter(
        "I'm" if word == "I" else word.lower().replace("’", "'")
        for position, word in enumerate(words)
        if (word.islower() and not _inside_name(words, position)) or position == 0 or word == "I"
    )


def _inside_name(words: list[str], position: int) -> bool:
    if words[position] not in _PARTICLES:
        return False
    return words[position - 1][:1].isupper() and any(
        word[:1].isupper() for word in words[position + 1 : position + 3]
    )


def _indicators(words: Counter[str], language: str) -> int:
    """Count the different words that indicate a language: a single short one may be a loanword or a mistake."""
    letters = _LETTERS.get(language, frozenset())
    return sum(
        2 if word in _FUNCTION_WORDS[language] and len(word) > 5 and _LANGUAGE_COUNTS[word] == 1 else 1
        for word in words
        if word in _FUNCTION_WORDS[language] or not letters.isdisjoint(word)
    )


def _scores(words: Counter[str], *, cyrillic: bool) -> dict[str, float]:
    scores = {language: 0.0 for language in _FUNCTION_WORDS if (language in _CYRILLIC) == cyrillic}
    for word, count in words.items():
        speakers = _LANGUAGES_OF.get(word, frozenset())
        for language in speakers & scores.keys():
            scores[language] += count * _WEIGHTS[word]
        if not word.isascii():
            for language, letters in _LETTERS.items():
                if language in scores and language not in speakers and not letters.isdisjoint(word):
                    scores[language] += 0.5 * count
        elif "'" in word and not cyrillic and _ENGLISH_CONTRACTION.search(word):
            scores["en"] += count
    return scores
