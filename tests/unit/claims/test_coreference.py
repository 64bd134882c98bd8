import pytest

from veridic.claims.coreference import Mentions


def follow(*statements: str, title: str | None = None) -> list[str]:
    """The statements with their subjects; `#` begins a section, `¶` a paragraph."""
    mentions = Mentions(title)
    resolved = []
    for statement in statements:
        if statement.startswith("#"):
            mentions.start_section(statement[1:])
        elif statement == "¶":
            mentions.start_block()
        else:
            resolved.append(mentions.resolve(statement))
            mentions.observe(resolved[-1])
    return resolved


@pytest.mark.parametrize(
    ("before", "statement", "expected"),
    [
        (
            "The Eiffel Tower stands in Paris.",
            "It was completed in 1889.",
            "The Eiffel Tower was completed in 1889.",
        ),
        ("The Eiffel Tower stands in Paris.", "The tower is 330 m tall.", "The Eiffel Tower is 330 m tall."),
        ("Australia is in Oceania.", "Its capital is Canberra.", "Australia's capital is Canberra."),
        (
            "Australia is in Oceania.",
            "The country has 27 million people.",
            "Australia has 27 million people.",
        ),
        (
            "Australia is in Oceania.",
            "The country's capital is Canberra.",
            "Australia's capital is Canberra.",
        ),
        (
            "Australia is in Oceania.",
            "The official language is English.",
            "The official language of Australia is English.",
        ),
        ("Australia is in Oceania.", "Canberra is its capital.", "Canberra is Australia's capital."),
        (
            "The population of Japan is 125 million.",
            "It is an island country.",
            "Japan is an island country.",
        ),
        ("Canada's population is 40 million.", "Ottawa is the capital.", "Ottawa is the capital of Canada."),
        ("Marie Curie was born in Warsaw.", "She won two Nobel Prizes.", "Marie Curie won two Nobel Prizes."),
        ("Finland and Sweden joined NATO.", "They share a border.", "Finland and Sweden share a border."),
        ("The Nile is a river in Africa.", "In 1970, it was dammed.", "In 1970, the Nile was dammed."),
        ("Macron visited Germany.", "The country has 84 million people.", "Germany has 84 million people."),
        ("A new bridge opened in 1990.", "It cost $5 million.", "The new bridge cost $5 million."),
        (
            "The United States has 50 states.",
            "Its capital is Washington.",
            "The United States' capital is Washington.",
        ),
        ("Apple was founded in 1976.", "The company has 160,000 employees.", "Apple has 160,000 employees."),
    ],
)
def test_the_subject_named_before_is_filled_in(before: str, statement: str, expected: str) -> None:
    assert follow(before, statement)[1] == expected


def test_a_paragraph_may_start_with_the_headings_subject() -> None:
    assert follow("# France", "Its capital is Paris.", "Paris hosts UNESCO.", "¶", "It borders Spain.") == [
        "France's capital is Paris.",
        "Paris hosts UNESCO.",
        "France borders Spain.",
    ]


def test_the_country_spoken_of_stays_in_mind() -> None:
    assert follow(
        "Kazakhstan is landlocked.",
        "Astana became the capital in 1997.",
        "Before that, the capital was Almaty.",
        "The tenge is its currency.",
        "Its neighbours are Russia and China.",
    )[1:] == [
        "Astana became the capital of Kazakhstan in 1997.",
        "Before that, the capital of Kazakhstan was Almaty.",
        "The tenge is Kazakhstan's currency.",
        "Kazakhstan's neighbours are Russia and China.",
    ]


def test_a_new_section_forgets_the_old_one() -> None:
    assert (
        follow("Peru borders Chile.", "# History", "It was founded in 1900.")[1] == "It was founded in 1900."
    )


def test_the_documents_title_lends_its_subject() -> None:
    assert follow("It borders ten countries.", title="Brazil: key facts") == ["Brazil borders ten countries."]


@pytest.mark.parametrize(
    ("before", "statement"),
    [
        ("The capital of Peru is Lima.", "It has 10 million people."),  # Peru or Lima?
        ("Peru borders Chile.", "It is estimated that 5,000 people fled."),
        ("Peru borders Chile.", "It is clear that he won."),
        ("Finland and Sweden joined NATO.", "The country has 84 million people."),
        ("Marie Curie was born in Warsaw.", "They moved to Paris."),
        ("Peru borders Chile.", "The country singer Dolly Parton was born in 1946."),
    ],
)
def test_an_unclear_subject_is_left_as_it_is(before: str, statement: str) -> None:
    assert follow(before, statement)[1] == statement
