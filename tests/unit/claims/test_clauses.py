"""Splitting a sentence into clauses: each worded to be read alone, with its place in the author's text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.claims.clauses import Clause, ClauseKind, split_clauses
from veridic.text.english import parse

JOINED, RELATIVE, PARTICIPLE = ClauseKind.JOINED, ClauseKind.RELATIVE, ClauseKind.PARTICIPLE
APPOSITION, CONCESSION = ClauseKind.APPOSITION, ClauseKind.CONCESSION


def clauses_of(text: str) -> list[Clause]:
    return [clause for sentence in parse(text).sents for clause in split_clauses(sentence)]


def wordings(text: str) -> list[str]:
    return [clause.wording for clause in clauses_of(text)]


@pytest.mark.parametrize(
    "sentence",
    [
        "The tower was designed and built by Gustave Eiffel",
        "France and Germany were at war",
        "The official languages of Belgium are Dutch, French and German",
        "Iceland has a population of about 380,000 and a GDP of $30 billion",
        "Mount Kosciuszko, at 2,228 metres, is Australia's highest point",
        "If the tax is raised and spending is cut, the deficit shrinks",
        "The road was closed because the river flooded and the bridge collapsed",
        "The bridge was closed when the river flooded in May",
        "The bridge that spans the river was closed in May",
        "While working in Paris, he wrote three novels",
        "Anna Berg said that exports rose by 5% and imports fell by 3%",
    ],
)
def test_connected_clause_is_not_split(sentence: str) -> None:
    assert wordings(f"{sentence}.") == [sentence]


@pytest.mark.parametrize(
    ("sentence", "kind", "quote", "wording"),
    [
        (
            "The council approved the plan in May, and work began in June.",
            JOINED,
            "work began in June",
            "Work began in June",
        ),
        (
            "The mill was founded in 1900 and destroyed in 1950.",
            JOINED,
            "destroyed in 1950",
            "The mill was destroyed in 1950",
        ),
        (
            "He was born in Oslo, raised in Bergen and educated in Paris.",
            JOINED,
            "educated in Paris",
            "He was educated in Paris",
        ),
        (
            "The bridge was closed in May and will be reopened in June.",
            JOINED,
            "will be reopened in June",
            "The bridge will be reopened in June",
        ),
        (
            "The museum, which opened in 1998, has 40 rooms.",
            RELATIVE,
            "which opened in 1998",
            "The museum opened in 1998",
        ),
        (
            "The museum, whose director resigned in May, has 40 rooms.",
            RELATIVE,
            "whose director resigned in May",
            "The museum’s director resigned in May",
        ),
        (
            "The plan, to which the council agreed in May, costs $5 million.",
            RELATIVE,
            "to which the council agreed in May",
            "The council agreed in May to the plan",
        ),
        (
            "The council (which has 45 members) approved the plan in June.",
            RELATIVE,
            "which has 45 members",
            "The council has 45 members",
        ),
        (
            "Martin Oakes, a Conservative, won the seat in 2019.",
            APPOSITION,
            "Martin Oakes, a Conservative",
            "Martin Oakes is a Conservative",
        ),
        (
            "She lives in Oslo, the capital of Norway.",
            APPOSITION,
            "Oslo, the capital of Norway",
            "Oslo is the capital of Norway",
        ),
        (
            "Two players, Tom Hill and Anna Berg, were injured.",
            APPOSITION,
            "Two players, Tom Hill and Anna Berg",
            "Two players are Tom Hill and Anna Berg",
        ),
        (
            "The firm, founded in 1990, employs 200 people.",
            PARTICIPLE,
            "founded in 1990",
            "The firm was founded in 1990",
        ),
        (
            "Built in 1890, the bridge spans the river Tay.",
            PARTICIPLE,
            "Built in 1890",
            "The bridge was built in 1890",
        ),
        (
            "Having won the vote, Anna Berg resigned in June.",
            PARTICIPLE,
            "Having won the vote",
            "Anna Berg has won the vote",
        ),
        (
            "Although visits to the museum fell, revenue rose by 4%.",
            CONCESSION,
            "Although visits to the museum fell",
            "Visits to the museum fell",
        ),
        (
            "Germany has 84 million people, while France has 68 million.",
            CONCESSION,
            "while France has 68 million",
            "France has 68 million",
        ),
    ],
)
def test_added_statement_becomes_own_clause(
    sentence: str, kind: ClauseKind, quote: str, wording: str
) -> None:
    found = [(one.kind, sentence[one.start : one.end], one.wording) for one in clauses_of(sentence)]
    assert (kind, quote, wording) in found


@pytest.mark.parametrize(
    ("sentence", "rest"),
    [
        ("Martin Oakes, a Conservative, won the seat in 2019.", "Martin Oakes won the seat in 2019"),
        ("The firm, founded in 1990, employs 200 people.", "The firm employs 200 people"),
        ("The council (which has 45 members) approved the plan.", "The council approved the plan"),
        (
            "The council approved the plan – a park with 300 trees – in June.",
            "The council approved the plan in June",
        ),
    ],
)
def test_remaining_clause_reads_smoothly(sentence: str, rest: str) -> None:
    main = next(clause for clause in clauses_of(sentence) if clause.kind is ClauseKind.MAIN)
    assert main.wording == rest


def test_semicolon_splits_statements() -> None:
    assert wordings("Exports rose by 5%; imports fell by 3%.") == ["Exports rose by 5%", "Imports fell by 3%"]


@pytest.mark.parametrize("figure", ["4%", "4 %", "$5", "20°C"])
def test_figure_keeps_trailing_sign(figure: str) -> None:
    (clause,) = clauses_of(f"The rate rose in May to {figure}.")
    assert clause.wording == f"The rate rose in May to {figure}"


def test_negation_is_shared_unless_opposed_by_but() -> None:
    assert wordings("The bridge was not closed in May or repaired in June.")[1] == (
        "The bridge was not repaired in June"
    )
    assert wordings("The bridge was not closed in May but repaired in June.")[1] == (
        "The bridge was repaired in June"
    )


@pytest.mark.parametrize(
    ("sentence", "second"),
    [
        ("In 2020, exports rose by 5% and imports fell by 3%.", "In 2020, imports fell by 3%"),
        (
            "In 2020 the council closed the pool and opened a library.",
            "In 2020, the council opened a library",
        ),
        ("In 2020, exports rose by 5% and imports fell in May.", "Imports fell in May"),
        ("In 2015 Berg joined the board and later became its chair.", "Berg later became its chair"),
        ("In Norway, exports rose by 5% and imports fell by 3%.", "Imports fell by 3%"),
    ],
)
def test_leading_date_applies_to_undated_clauses(sentence: str, second: str) -> None:
    assert wordings(sentence)[1] == second


def test_misparsed_subject_is_not_split() -> None:
    """The parser reads "France and Berlin" as one phrase; the sentence is then not split."""
    said = wordings("Paris is the capital of France and Berlin is the capital of Germany.")
    assert "Paris is the capital of Germany" not in said


WORDS = st.sampled_from(
    'Paris the is was and , ; : but which whose who founded has borders in 1900 that ( ) [ ] " “ ” it they rose of ten '
    ". ' it's although while 5 % — – having said 🙂 é مرحبا \n \t will not".split(" ")
)
SENTENCES = st.lists(WORDS, min_size=1, max_size=40).map(" ".join) | st.text(max_size=200)


@given(SENTENCES)
def test_any_text_gives_ordered_clauses(text: str) -> None:
    for sentence in parse(text).sents:
        position = sentence.start_char
        for clause in split_clauses(sentence):
            assert position <= clause.start < clause.end <= sentence.end_char
            assert text[clause.start : clause.end].strip() == text[clause.start : clause.end]
            assert clause.wording.strip()
            position = clause.start


@given(st.lists(WORDS, min_size=1, max_size=40).map(" ".join))
def test_wording_adds_only_auxiliary_verbs(text: str) -> None:
    """Every word of a clause is the author's, except the auxiliary verb that a shortened clause lacks."""
    for clause in clauses_of(text):
        words = clause.wording.replace("’s ", " ").lower().split()
        known = text.lower()
        assert [
            word
            for word in words
            if word.strip("()") not in known and word not in ("is", "are", "was", "were", "has", "have")
        ] == []
