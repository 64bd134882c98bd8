"""What the judge makes of a claim and one sentence of a source."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.domain.dates import PartialDate
from veridic.domain.evidence import Assessment, Passage, Source, Stance
from veridic.judging.reading import Reader
from veridic.judging.rules import RulesJudge
from veridic.language.names import Aliases

NAMES = {
    "Argentina": (),
    "Bolivia": (),
    "Australia": ("Australian", "Australians"),
    "Austria": ("Austrian",),
    "Brazil": ("Brazilian", "Brazilians"),
    "Cambodia": (),
    "Chad": (),
    "Egypt": ("Egyptian",),
    "France": ("French",),
    "Ghana": (),
    "Iceland": ("Icelander", "Icelandic"),
    "Japan": ("Japanese",),
    "Kenya": (),
    "Laos": (),
    "Nigeria": (),
    "Poland": ("Polish", "Poles"),
    "Portugal": ("Portuguese",),
    "Spain": ("Spanish",),
    "Thailand": ("Thai",),
    "the United Kingdom": ("UK", "Britain", "British"),
    "Vietnam": ("Vietnamese",),
}
S, C, N = Stance.SUPPORTING, Stance.CONTRADICTING, Stance.CONTEXTUAL
JUDGE = RulesJudge(Reader(Aliases(NAMES)))


def passage(text: str, title: str = "A book", date: str | None = None) -> Passage:
    source = Source(title=title, path=f"{title}.txt", channel="test")
    return Passage(
        id=text[:40],
        source=source,
        text=text,
        start=0,
        end=len(text),
        date=PartialDate.parse(date) if date else None,
    )


def judge(claim: str, *texts: str) -> list[Assessment]:
    return JUDGE.assess(claim, [passage(text) for text in texts])


CASES: list[tuple[str, str, Stance]] = [
    # capitals and other things that have one answer
    ("The capital of Australia is Canberra.", "The capital of Australia is Canberra.", S),
    ("Canberra is Australia's capital.", "The capital of Australia is Canberra.", S),
    ("The capital of Australia is Sydney.", "The capital of Australia is Canberra.", C),
    ("Sydney is the Australian capital.", "The capital of Australia is Canberra.", C),
    ("The capital of Austria is Canberra.", "The capital of Australia is Canberra.", N),
    ("The capital of Australia is Sydney.", "The time in the capital of Australia is UTC+10.", N),
    ("The capital of Nigeria is Abuja, not Lagos.", "The capital of Nigeria is Abuja.", S),
    ("English is spoken by 72 percent of the population.", "Languages spoken in Ghana: English 20%.", N),
    ("The currency of Japan is the won.", "The currency of Japan is the yen (JPY).", C),
    ("Japan uses the yen.", "The currency of Japan is the yen (JPY).", S),
    ("Icelanders use the euro.", "The currency of Iceland is the Icelandic krona (ISK).", C),
    ("The official language of Brazil is Spanish.", "The official language of Brazil is Portuguese.", C),
    ("Portuguese is the official language of Brazil.", "The official language of Brazil is Portuguese.", S),
    ("The official language of Portugal is Spanish.", "The official language of Portugal is Portuguese.", C),
    (
        "The official language of Brazil is Spanish.",
        "Languages spoken in Brazil: Portuguese (official), Spanish near the borders.",
        N,
    ),
    # figures
    ("Around 27 million people live in Australia.", "The population of Australia is 27,490,921 (2025 est.).", S),
    ("Around 72 million people live in Australia.", "The population of Australia is 27,490,921 (2025 est.).", C),
    ("Australia covers 7.7 million square kilometres.", "The total area of Australia is 7,741,220 square kilometres.", S),
    ("Australia covers 1.7 million square kilometres.", "The total area of Australia is 7,741,220 square kilometres.", C),
    ("More than 110 million people live in Egypt.", "Cairo, the capital of Egypt, has a population of 22.183 million.", N),
    (
        "Mount Kosciuszko, at 2,228 metres, is Australia's highest point.",
        "The highest point in Australia is Mount Kosciuszko, at 2,228 metres.",
        S,
    ),
    (
        "Mount Kosciuszko, at 3,228 metres, is Australia's highest point.",
        "The highest point in Australia is Mount Kosciuszko, at 2,228 metres.",
        C,
    ),
    ("The highest mountain in Kenya is Kilimanjaro.", "Kilimanjaro is the highest point in Africa.", N),
    ("In 2023 inflation in Japan was 3.3%.", "The inflation rate of Japan was 2.5% in 2022 (est.).", N),
    ("In 2022 inflation in Japan was 3.3%.", "The inflation rate of Japan was 2.5% in 2022 (est.).", C),
    # lists
    ("Brazil borders Portugal.", "Brazil has land borders with 2 countries: Argentina (1,263 km) and Bolivia (3,403 km).", C),
    ("Brazil borders Bolivia.", "Brazil has land borders with 2 countries: Argentina (1,263 km) and Bolivia (3,403 km).", S),
    ("Brazil borders two countries.", "Brazil has land borders with 2 countries: Argentina and Bolivia.", S),
    ("Brazil borders three countries.", "Brazil has land borders with 2 countries: Argentina and Bolivia.", C),
    (
        "Vietnam borders Cambodia, Laos and Thailand.",
        "Cambodia has land borders with 3 countries: Laos (555 km), Thailand (817 km) and Vietnam (1,158 km).",
        N,
    ),
    ("Australia shares a land border with Japan.", "Australia has no land borders with any other country.", C),
    ("Ghana's only official language is French.", "The official languages of Ghana are French and Portuguese.", C),
    ("Ghana has four official languages.", "Ghana: However, the country did not officially join until 2002.", N),
    ("Ghana has three official languages.", "The official languages of Ghana are French, Spanish and Portuguese.", S),
    ("Ghana has five official languages.", "The official languages of Ghana are French, Spanish and Portuguese.", C),
    ("Nairobi serves as the capital of Egypt.", "The capital of Egypt is Cairo.", C),
    (
        "Brazil's land border with Bolivia is 3,403 km long.",
        "Brazil has land borders with 2 countries: Argentina (1,263 km) and Bolivia (3,403 km).",
        S,
    ),
    (
        "Brazil's land border with Argentina is 3,403 km long.",
        "Brazil has land borders with 2 countries: Argentina (1,263 km) and Bolivia (3,403 km).",
        C,
    ),
    # dates
    ("Ghana became independent in 1957.", "Ghana became independent on 6 March 1957 (from the UK).", S),
    ("Ghana became independent in 1967.", "Ghana became independent on 6 March 1957 (from the UK).", C),
    ("Ghana became independent from France in 1957.", "Ghana became independent on 6 March 1957 (from the UK).", C),
    ("The Harbour Bridge opened in 1932.", "The Harbour Bridge opened to traffic in March 1932.", S),
    ("The Harbour Bridge opened in 1950.", "The Harbour Bridge opened in 1932. The River Bridge opened in 1950.", C),
    ("The Harbour Bridge opened before 1940.", "The Harbour Bridge opened to traffic in March 1932.", S),
    # names and roles
    ("The mayor of Wendle is Ann Cole.", "The mayor of Wendle, Ravi Shah, cut the ribbon.", C),
    ("The town hall was designed by Ann Cole.", "The town hall was designed by Ravi Shah.", C),
    ("The town hall was designed by Ann Cole.", "Ann Cole designed the town hall.", S),
    (
        "The mayor of Harwick is Edna Marsh.",
        "Harwick's mayor is Tobias Lund, elected in May after Edna Marsh stood down.",
        C,
    ),
    # ranks, negation, contraries
    ("Brazil is the largest country in South America.", "Brazil is the largest country in South America.", S),
    ("Brazil is the second-largest country in South America.", "Brazil is the largest country in South America.", C),
    ("Chad is landlocked.", "Chad is landlocked and has no coastline.", S),
    ("Chad has a long coastline.", "Chad is landlocked and has no coastline.", C),
    ("Poland is a monarchy.", "Poland is a republic.", C),
    ("A toll was never charged on the Harbour Bridge.", "A toll is charged on the Harbour Bridge.", C),
    ("Sales of the Acme Group rose in 2023.", "Sales of the Acme Group fell in 2023.", C),
    # denials
    ("Sydney is not the capital of Australia.", "The capital of Australia is Canberra.", S),
    ("Canberra is not the capital of Australia.", "The capital of Australia is Canberra.", C),
    ("Australia's capital isn't Sydney.", "The capital of Australia is Canberra.", S),
    ("It is false that Sydney is the capital of Australia.", "The capital of Australia is Canberra.", S),
    ("Brazil does not border Portugal.", "Brazil has land borders with 2 countries: Argentina and Bolivia.", S),
    ("Brazil does not border Bolivia.", "Brazil has land borders with 2 countries: Argentina and Bolivia.", C),
    ("The currency of Japan is not the won.", "The currency of Japan is the yen (JPY).", S),
    ("Australia has no land borders.", "Australia has no land borders with any other country.", S),
    ("Thailand was never colonized.", "Thailand was never colonized by a European power.", S),
    ("Chad has no coastline.", "Chad is landlocked and has no coastline.", S),
    # sentences that name the same things and say something else
    ("Spain borders Portugal.", "Languages of Brazil: Portuguese, Spanish (border areas and schools), German, Italian.", N),
    ("France does not border Spain.", "Brazil has land borders with 2 countries: France (730 km) and Spain (1 km).", N),
    ("Austria is south of France.", "France is south of the United Kingdom and west of Austria.", N),
    ("Egypt covers 443 square kilometres.", "The total area of Egypt is 442.6 square kilometres (Sinai 1.6 square kilometres).", S),
    ("The capital of Nigeria was Lagos.", "The capital of Nigeria is Abuja.", N),
    ("Egypt has more than 50 million people.", "The population of Egypt is 112,870,457.", S),
    ("Nobody lives in Chad.", "The conventional short form of the name of Chad is Chad.", N),
    ("The Tarn bridge opened in 1932.", "The Tarn observatory opened in 1988.", N),
    ("Kenya is a NATO member.", "Sweden became a NATO member after long debate about the war that began when Kenya was hit.", N),
    ("Australia has the largest population in the world.", "New South Wales has, by far, the largest population.", N),
    ("Iceland became independent in 1944.", "Iceland became independent on 1 December 1918 (under the Crown); 17 June 1944 (from Denmark).", S),
    ("The capital of Japan is Naypyidaw.", "The capital of Japan is Nay Pyi Taw.", S),
    # not settled
    ("Australia is famous for its beaches.", "The capital of Australia is Canberra.", N),
    ("The treaty entered into force before the war ended.", "The treaty was signed in Paris.", N),
    ("Brazil is larger than Egypt.", "The total area of Brazil is 8,515,770 square kilometres.", N),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "text", "stance"), CASES)
def test_what_a_sentence_says_about_a_claim(claim: str, text: str, stance: Stance) -> None:
    (assessment,) = judge(claim, text)
    assert assessment.stance is stance, assessment


def test_a_contradiction_names_the_words_to_exchange() -> None:
    (assessment,) = judge("The capital of Australia is Sydney.", "The capital of Australia is Canberra.")
    assert (assessment.replaces, assessment.value) == ("Sydney", "Canberra")
    (assessment,) = judge(
        "About 5 million people live in Australia.", "The population of Australia is 27,490,921."
    )
    assert (assessment.replaces, assessment.value) == ("About 5 million", "27,490,921")


def test_the_quote_is_the_sentence_that_decided() -> None:
    text = "Australia is large. The capital of Australia is Canberra. It lies inland."
    (assessment,) = judge("The capital of Australia is Sydney.", text)
    assert assessment.quote == "The capital of Australia is Canberra."


def test_a_sentence_about_a_town_says_nothing_of_the_country_in_its_title() -> None:
    town = passage("Sollen lies on a lake. The town had 48,300 inhabitants in 2021.", title="Veltria")
    (assessment,) = JUDGE.assess("Veltria has a population of about 6 million.", [town])
    assert assessment.stance is N


def test_the_very_thing_counts_before_something_similar() -> None:
    total, land = judge(
        "Brazil covers 8,515,770 square kilometres.",
        "The total area of Brazil is 8,515,770 square kilometres.",
        "The land area of Brazil is 8,358,140 square kilometres.",
    )
    assert (total.stance, land.stance) == (S, N)


def test_a_compound_claim_is_read_statement_by_statement() -> None:
    claim = "Poland, a republic of nearly 39 million people, borders seven countries."
    people, borders = (
        "The population of Poland is 38,746,310.",
        "Poland has land borders with 7 countries: Belarus, ...",
    )
    government = "Poland is a parliamentary republic."
    assert {a.stance for a in judge(claim, people, borders, government)} == {S}
    wrong = claim.replace("39", "93")
    assert judge(wrong, people, borders, government)[0].stance is C


@pytest.mark.parametrize(
    ("claim", "stance"),
    [
        ("Brazil is larger than Egypt.", S),
        ("Egypt is larger than Brazil.", C),
        ("Egypt is smaller than Brazil.", S),
        ("Egypt has more people than Brazil.", C),
        ("Brazil has a larger population than Egypt.", S),
        ("Brazil is older than Egypt.", N),
    ],
)
def test_two_facts_settle_a_comparison(claim: str, stance: Stance) -> None:
    found = judge(
        claim,
        "The total area of Brazil is 8,515,770 square kilometres.",
        "The total area of Egypt is 1,001,450 square kilometres.",
        "The population of Brazil is 221,359,387 (2025 est.).",
        "The population of Egypt is 112,870,457 (2025 est.).",
        "The land area of Egypt is 9,995,450 square kilometres.",
    )
    settled = {assessment.stance for assessment in found} - {N}
    assert settled == ({stance} - {N})


def test_the_newest_figure_of_a_series_weighs_most() -> None:
    texts = [
        f"The unemployment rate of Japan was {rate}% in {year} (est.)."
        for year, rate in ((2022, 2.6), (2024, 2.5))
    ]
    passages = [passage(text, title="Japan", date=text[-12:-8]) for text in texts]
    old, new = JUDGE.assess("The unemployment rate of Japan is 2.6%.", passages)
    assert old.stance is S
    assert new.stance is C
    assert old.relevance < new.relevance


@given(st.text(max_size=200), st.lists(st.text(max_size=200), max_size=3))
def test_any_text_is_judged_without_an_error_and_quoted_word_for_word(claim: str, texts: list[str]) -> None:
    for text, assessment in zip(texts, judge(claim, *texts), strict=True):
        assert assessment.quote in text
        assert 0 <= assessment.probability <= 1


def test_a_huge_passage_is_read() -> None:
    text = "The capital of Australia is Canberra. " + "Nothing much happens here. " * 5_000
    assert judge("The capital of Australia is Sydney.", text)[0].stance is C


@pytest.mark.parametrize(
    ("claim", "sentence", "date", "stance"),
    [
        ("Maria Lund was the chancellor of Japan in 2019.", "Erik Sand is the chancellor of Japan.", "2026-11-01", N),
        ("Maria Lund was the chancellor of Japan in 2019.", "Erik Sand is the chancellor of Japan.", "2019-11-01", C),
        ("Maria Lund was the chancellor of Japan in 2019.", "Erik Sand was the chancellor of Japan.", "2026-11-01", C),
        ("Maria Lund was the chancellor of Japan in 2019.", "Maria Lund is the chancellor of Japan.", "2019-03-01", S),
        ("Maria Lund was the chancellor of Japan in 2019.", "Maria Lund is the chancellor of Japan.", "2019", S),
        ("Maria Lund was the chancellor of Japan in 2019.", "Maria Lund is the chancellor of Japan.", "2020-03-01", N),
        ("In 2019 the capital of Japan was Osaka.", "The capital of Japan is Tokyo.", "2026-01", C),
        ("In 2019 the author of the Japan report was Lund.", "The author of the Japan report is Sand.", "2026-01", C),
    ],
)  # fmt: skip
def test_who_holds_an_office_is_told_of_the_time_of_the_source(
    claim: str, sentence: str, date: str, stance: Stance
) -> None:
    (assessment,) = JUDGE.assess(claim, [passage(sentence, date=date)])
    assert assessment.stance is stance
