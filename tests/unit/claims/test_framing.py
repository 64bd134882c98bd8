import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.claims.framing import detect_framing
from veridic.domain.claim import FramingKind, VerificationType


@pytest.mark.parametrize(
    ("sentence", "speaker", "content"),
    [
        ("The minister said that unemployment fell to 4%.", "The minister", "Unemployment fell to 4%"),
        ('"Crime is down 15%," Smith told reporters.', "Smith", "Crime is down 15%"),
        ("“Crime is down 15%,” said Jane Doe.", "Jane Doe", "Crime is down 15%"),
        (
            "According to Mr Smith, the bridge was closed in 2010.",
            "Mr Smith",
            "The bridge was closed in 2010",
        ),
        ("The bridge cost $5 million, according to the mayor.", "The mayor", "The bridge cost $5 million"),
        ("Unemployment fell to 4%, the minister said.", "The minister", "Unemployment fell to 4%"),
        ("Smith claimed unemployment rose to 9% in 2020.", "Smith", "Unemployment rose to 9% in 2020"),
        ("NATO says it has 32 members.", "NATO", "NATO has 32 members"),
        (
            "Jane Doe, the finance minister, insisted that inflation was low.",
            "Jane Doe, the finance minister",
            "Inflation was low",
        ),
    ],
)
def test_hearsay_has_a_speaker_and_a_content(sentence: str, speaker: str, content: str) -> None:
    framing = detect_framing(sentence)
    assert framing.kind is FramingKind.HEARSAY
    assert framing.verification_type is VerificationType.TWO_STEP
    assert (framing.speaker, framing.underlying_claim) == (speaker, content)
    assert framing.hearsay_confidence > 0.5
    assert framing.patterns_matched


@pytest.mark.parametrize(
    ("sentence", "insinuated"),
    [
        ("People are saying the election was rigged.", "The election was rigged"),
        ("Many believe the moon landing was faked.", "The moon landing was faked"),
        ("Some say the mayor took bribes.", "The mayor took bribes"),
        ("It has been suggested that the company hid its losses.", "The company hid its losses"),
        ("I'm just asking questions, but the vaccine was never tested.", "The vaccine was never tested"),
        ("Rumour has it that the CEO is leaving.", "The CEO is leaving"),
        ("The CEO reportedly sold 5 million shares.", "The CEO sold 5 million shares"),
        ("The mayor is rumoured to have taken bribes.", "The mayor has taken bribes"),
        ("The law, critics say, violates rights.", "The law violates rights"),
    ],
)
def test_deniable_wording_gives_the_claim_underneath(sentence: str, insinuated: str) -> None:
    framing = detect_framing(sentence)
    assert framing.kind is FramingKind.PLAUSIBLE_DENIABILITY
    assert framing.verification_type is VerificationType.EXTRACT_UNDERLYING
    assert framing.underlying_claim == insinuated
    assert framing.deniability_score > 0.5


@pytest.mark.parametrize(
    "sentence",
    [
        "Our internal polling shows we lead by 10 points.",
        "Sources close to the president say he resigned.",
        "Confidential documents seen by us show that the firm paid $2 million.",
        "I can't reveal my source, but the minister took bribes.",
        "An official spoke on condition of anonymity about the raid.",
    ],
)
def test_private_data_can_not_be_verified(sentence: str) -> None:
    framing = detect_framing(sentence)
    assert framing.kind is FramingKind.PRIVATE_DATA
    assert framing.private_data_detected
    assert not framing.verifiable


@pytest.mark.parametrize(
    "sentence",
    [
        "According to FBI statistics, crime has decreased by 15%.",
        "According to the World Bank, Peru has 34 million people.",
        "The World Bank estimates that 9% of people live in poverty.",
        "A 2019 study found that coffee reduces the risk of stroke.",
        "Paris is the capital of France.",
        "The report was added to the list.",
        "Macron announced a new plan.",
        "The figures reported last year were wrong.",
        "The treaty states that all members have a vote.",
    ],
)
def test_plain_statements_and_public_records_are_direct(sentence: str) -> None:
    framing = detect_framing(sentence)
    assert framing.kind is FramingKind.DIRECT_FACTUAL
    assert framing.patterns_matched == ()
    assert framing.speaker is None


def test_several_patterns_make_it_more_deniable() -> None:
    one = detect_framing("People are saying the mayor took bribes.")
    two = detect_framing("People are saying the mayor allegedly took bribes.")
    assert two.deniability_score > one.deniability_score
    assert set(two.patterns_matched) == {"anonymous_crowd", "denying_adverb"}


@given(st.text(max_size=300))
def test_any_text_gets_a_framing(text: str) -> None:
    framing = detect_framing(text)
    assert (framing.kind is FramingKind.HEARSAY) == (framing.speaker is not None)


@pytest.mark.parametrize(
    ("sentence", "underlying"),
    [
        ("According to the United Nations, Chad has 20 million people.", "Chad has 20 million people"),
        ("Chad has 20 million people, according to the CIA.", "Chad has 20 million people"),
        ("According to FBI statistics, crime has decreased by 15%.", "Crime has decreased by 15%"),
    ],
)
def test_what_a_public_record_is_named_for_is_what_is_checked(sentence: str, underlying: str) -> None:
    framing = detect_framing(sentence)
    assert (framing.kind, framing.underlying_claim) == (FramingKind.DIRECT_FACTUAL, underlying)


@pytest.mark.parametrize(
    "sentence",
    ["My sources tell me that the bank is broke.", "According to internal emails, the firm lost 5 million."],
)
def test_sources_nobody_can_see_are_private_data(sentence: str) -> None:
    framing = detect_framing(sentence)
    assert (framing.kind, framing.private_data_detected) == (FramingKind.PRIVATE_DATA, True)
