import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.text.detect import detect_language

SENTENCES = {
    "en": [
        "France borders Spain, Italy and Germany.",
        "With about 27 million people, Australia is the world's sixth-largest country.",
        "The Amazon is longer than the Nile.",
        "Oslo is in Norway.",
        "I've visited so many communities.",
    ],
    "de": ["Berlin ist die Hauptstadt von Deutschland.", "Der Fluss ist 300 km lang."],
    "fr": ["Paris est la capitale de la France.", "Le fleuve fait 300 km de long."],
    "es": ["Madrid es la capital de España.", "El río tiene 300 km de largo."],
    "it": ["Roma è la capitale d'Italia.", "Il fiume è lungo 300 km e attraversa la città."],
    "pt": ["Lisboa é a capital de Portugal.", "O rio tem 300 km e não é navegável."],
    "nl": ["Amsterdam is de hoofdstad van Nederland.", "Het land heeft 17 miljoen inwoners."],
    "sv": ["Stockholm är Sveriges huvudstad.", "Staden ligger vid havet och har en miljon invånare."],
    "da": ["Byen ligger på Sjælland og har mange indbyggere."],
    "no": ["Byen ligger ved fjorden og ble grunnlagt av kong Harald."],
    "fi": ["Helsinki on Suomen pääkaupunki."],
    "pl": ["Warszawa jest stolicą Polski.", "Miasto leży nad Wisłą i ma dwa miliony mieszkańców."],
    "cs": ["Praha je hlavní město České republiky.", "Město leží na řece a má milion obyvatel."],
    "tr": ["Şehir çok büyük ve nüfusu beş milyon kadar."],
    "id": ["Jakarta adalah ibu kota Indonesia.", "Negara ini memiliki penduduk yang banyak."],
    "ru": ["Москва является столицей России.", "Река течёт на юг."],
    "uk": ["Київ є столицею України."],
    "ar": ["القاهرة هي عاصمة مصر."],
    "he": ["ירושלים היא בירת ישראל."],
    "zh": ["北京是中国的首都。"],
    "ja": ["東京は日本の首都です。"],
    "ko": ["서울은 대한민국의 수도이다."],
    "el": ["Η Αθήνα είναι η πρωτεύουσα της Ελλάδας."],
    "hi": ["नई दिल्ली भारत की राजधानी है।"],
}


@pytest.mark.parametrize(
    ("language", "text"), [(k, text) for k, texts in SENTENCES.items() for text in texts]
)
def test_one_sentence_is_enough(language: str, text: str) -> None:
    assert detect_language(text) == language


@pytest.mark.parametrize(
    "text",
    [
        "Rio de Janeiro and São Paulo are in Brazil.",
        "Lula da Silva met Müller of the Süddeutsche Zeitung in Łódź.",
        "Ludwig van Beethoven was born in Bonn.",
        "The magazine Der Spiegel and the paper Le Monde reported it.",
        "She won the Palme d'Or at Cannes for Et Dieu... créa la femme.",
    ],
)
def test_foreign_names_leave_a_sentence_english(text: str) -> None:
    assert detect_language(text) == "en"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "12 345",
        "NATO EU",
        "ABC DE LA",
        "OECD ON DE",
        "Ludwig van Beethoven",
        "Charles de Gaulle",
        "🙂🙂",
        "$500 per child",
    ],
)
def test_unclear_text_is_undetermined(text: str) -> None:
    assert detect_language(text) == "und"


def test_a_long_text_in_capitals_is_detected() -> None:
    assert detect_language("THE CAPITAL OF THIS COUNTRY WAS MOVED TO THE NORTH IN 1991") == "en"


def test_one_word_in_another_script_does_not_decide() -> None:
    assert detect_language("The word мир means both peace and world in the language.") == "en"


@given(st.text())
def test_any_text_gets_a_code(text: str) -> None:
    code = detect_language(text)
    assert code == "und" or (len(code) == 2 and code.isascii() and code.islower())
