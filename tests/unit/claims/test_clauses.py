import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.claims.clauses import split_clauses

WHOLE = [
    "A, B and C are members of the union.",
    "France borders Spain, Italy and Germany.",
    "With about 27 million people, Australia is the world's sixth-largest country.",
    "Mount Kosciuszko, at 2,228 metres, is Australia's highest point.",
    "The Amazon is longer than the Nile.",
    "The distance between Paris and London is 340 km.",
    "The tower was designed and built by Gustave Eiffel.",
    "He knew that Paris and London were rivals.",
    "1870 was the year France and Germany were at war.",
    "If the tax is raised and spending is cut, the deficit shrinks.",
    "Spain is a country that borders Portugal and has 47 million people.",
    "The official languages of Belgium are Dutch, French and German.",
    "Iceland has a population of about 380,000 and a GDP of $30 billion.",
    "The region known for Paris and London is large.",
    "The company founded in 1900 and closed in 1950 was big.",
    "The economy relies on oil and gas exports and tourism.",
    "The second set of talks, as well as the third, were held in Geneva.",
    "The war ended after the army and the police were disarmed.",
    "It has trade routes and borders with Spain.",
]

SPLIT = [
    (
        "Paris is the capital of France and Berlin is the capital of Germany.",
        ["Paris is the capital of France", "Berlin is the capital of Germany"],
        ["Paris is the capital of France.", "Berlin is the capital of Germany."],
    ),
    (
        "The mill was founded in 1900 and closed in 1950.",
        ["The mill was founded in 1900", "closed in 1950"],
        ["The mill was founded in 1900.", "The mill was closed in 1950."],
    ),
    (
        "She was born in Bonn in 1770 and died in Vienna in 1827.",
        ["She was born in Bonn in 1770", "died in Vienna in 1827"],
        ["She was born in Bonn in 1770.", "She died in Vienna in 1827."],
    ),
    (
        "Brazil covers 8.5 million km², has 212 million people and borders ten countries.",
        ["Brazil covers 8.5 million km²", "has 212 million people", "borders ten countries"],
        ["Brazil covers 8.5 million km².", "Brazil has 212 million people.", "Brazil borders ten countries."],
    ),
    (
        "In 2020, exports rose by 5% and imports fell by 3%.",
        ["In 2020, exports rose by 5%", "imports fell by 3%"],
        ["In 2020, exports rose by 5%.", "In 2020, imports fell by 3%."],
    ),
    (
        "The capital is Canberra, which has 450,000 people.",
        ["The capital is Canberra", "which has 450,000 people"],
        ["The capital is Canberra.", "Canberra has 450,000 people."],
    ),
    (
        "Tokyo is the capital of Japan; Osaka is a port.",
        ["Tokyo is the capital of Japan", "Osaka is a port"],
        ["Tokyo is the capital of Japan.", "Osaka is a port."],
    ),
    (
        "Germany has 84 million people, while France has 68 million.",
        ["Germany has 84 million people", "France has 68 million"],
        ["Germany has 84 million people.", "France has 68 million."],
    ),
    (
        "Madrid, the capital of Spain, has 3.3 million people and lies on the Manzanares.",
        ["Madrid, the capital of Spain, has 3.3 million people", "lies on the Manzanares"],
        ["Madrid, the capital of Spain, has 3.3 million people.", "Madrid lies on the Manzanares."],
    ),
    (
        "The firm was founded by Larry Page and Sergey Brin and is based in California.",
        ["The firm was founded by Larry Page and Sergey Brin", "is based in California"],
        ["The firm was founded by Larry Page and Sergey Brin.", "The firm is based in California."],
    ),
]


@pytest.mark.parametrize("sentence", WHOLE)
def test_a_sentence_with_one_claim_stays_whole(sentence: str) -> None:
    assert [clause.text for clause in split_clauses(sentence)] == [sentence]


@pytest.mark.parametrize(("sentence", "quotes", "texts"), SPLIT)
def test_clauses_get_their_own_words_and_their_subject(
    sentence: str, quotes: list[str], texts: list[str]
) -> None:
    clauses = split_clauses(sentence)
    assert [sentence[clause.start : clause.end] for clause in clauses] == quotes
    assert [clause.text for clause in clauses] == texts


@given(
    st.lists(
        st.sampled_from(
            "Paris the is was and , ; but which founded has borders in 1900 that ( ) \" “ ” it they rose of ten . ' it's".split()
        ),
        min_size=1,
    ).map(" ".join)
    | st.text(min_size=1)
)
def test_clauses_are_ordered_pieces_of_any_sentence(sentence: str) -> None:
    position = 0
    for clause in split_clauses(sentence):
        assert position <= clause.start < clause.end <= len(sentence)
        assert clause.text
        position = clause.end
