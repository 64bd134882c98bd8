import pytest

from veridic.claims.extract import extract_claims
from veridic.claims.omissions import reason_to_omit
from veridic.domain.claim import OmissionReason
from veridic.domain.document import Document

KEPT = """France borders Spain, Italy and Germany.
With about 27 million people, Australia is the world's sixth-largest country.
Mount Kosciuszko, at 2,228 metres, is Australia's highest point.
The Amazon is longer than the Nile.
Wheat exports to Egypt rose by 5 percent.
Canberra is the capital of Australia.
May 5 is a holiday in Mexico.
She could speak five languages.
Men are twice as likely to smoke.
Trade grew by 5% last year.
Will Smith won an Oscar in 2022.
The will of the people was ignored in 1933.
He would later become president.
The best-selling album of 1982 was Thriller.
Great Britain is an island.
Paris hosts UNESCO.
Lisbon straddles seven hills.
Study participants lost 5 kg on average.
Support for the party fell to 12%.
Help arrived after three days.
There are 50 states in the United States.
A man was arrested in London on Monday.
Open source software powers most servers.
Most Finns speak Finnish.
About 63% of the Swiss speak German.
Water boils at 100 degrees Celsius at sea level.
Vaccines cause autism.
The vaccine is estimated to have saved 14 million lives.
Applicants must be 18 years old.
Note that Peru borders Chile.
Switzerland is landlocked.""".splitlines()

LEFT_OUT = {
    OmissionReason.OPINION: [
        "I think taxes are too high.",
        "The government should act now.",
        "It was a wonderful evening.",
        "Paris is the most beautiful city in the world.",
        "In my opinion, the law is wrong.",
        "We must act.",
    ],
    OmissionReason.HEDGED: [
        "The economy might shrink.",
        "The drug may cause headaches.",
        "It could lead to war.",
        "The fort possibly dates from 1200.",
        "The manuscript is thought to be from 1200.",
    ],
    OmissionReason.PREDICTION: [
        "Inflation will fall to 2% next year.",
        "GDP is expected to grow by 3% in 2027.",
        "The population is projected to reach 10 billion by 2050.",
        "The plan would cost $5 billion.",
    ],
    OmissionReason.QUESTION: ["Is Paris the capital of France?", '"Did he go?"'],
    OmissionReason.TAUTOLOGY: [
        "A rose is a rose.",
        "Business is business.",
        "Either it will rain or it won't.",
    ],
    OmissionReason.DEFINITION: [
        "A triangle is a polygon with three sides.",
        "Inflation means a rise in prices.",
        "GDP is defined as the value of all goods.",
        "Photosynthesis is the process by which plants make food.",
    ],
    OmissionReason.INSTRUCTION: [
        "Click the button below.",
        "Please call us.",
        "Don't forget to vote.",
        "Check the figures before you publish.",
        "Visit our website for more.",
    ],
    OmissionReason.NOT_A_CLAIM: [
        "A beautiful day in Paris.",
        "Population: 5 million",
        "Thank you very much.",
        "Table 3.",
        "Key facts:",
        "...",
    ],
}


@pytest.mark.parametrize("sentence", KEPT)
def test_checkable_statements_are_kept(sentence: str) -> None:
    assert reason_to_omit(sentence) is None


@pytest.mark.parametrize(
    ("reason", "sentence"), [(r, s) for r, sentences in LEFT_OUT.items() for s in sentences]
)
def test_what_evidence_can_not_settle_is_left_out(reason: OmissionReason, sentence: str) -> None:
    found = reason_to_omit(sentence)
    assert found is not None
    assert found[0] is reason


def test_the_telling_words_are_given() -> None:
    assert reason_to_omit("The economy might shrink.") == (OmissionReason.HEDGED, "might")


def test_a_plural_with_a_phrase_after_it_is_a_subject() -> None:
    for sentence in ("People in Austria speak German.", "Visitors under 18 pay half price."):
        assert [claim.text for claim in extract_claims(Document(text=sentence, source="-")).claims] == [
            sentence
        ]
