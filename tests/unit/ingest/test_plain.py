"""Plain text blocks contain every word of the text, once, in order."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veridic.domain.document import BlockKind
from veridic.ingest.plain import plain_blocks

_TEXTS = st.one_of(
    st.text(),
    st.text(alphabet=st.sampled_from(list("ab A.\n\r\t>-*1)=•é\u200b\u2028"))),
)


@settings(max_examples=300, deadline=None)
@given(_TEXTS)
def test_runs_are_in_order_and_not_blank(text: str) -> None:
    blocks = plain_blocks(text)
    runs = [run for block in blocks for run in block.runs]
    assert all(0 <= start < end <= len(text) for start, end in runs)
    assert all(first[1] <= second[0] for first, second in itertools.pairwise(runs))
    assert all(block.plain(text).strip() for block in blocks)


@settings(deadline=None)
@given(
    st.lists(st.text(alphabet="abcdeÄß", min_size=1), min_size=1),
    st.sampled_from([" ", "\n", "\r\n", "\n\n"]),
)
def test_no_word_is_lost(words: list[str], gap: str) -> None:
    text = gap.join(words)
    assert " ".join(block.plain(text) for block in plain_blocks(text)).split() == words


@pytest.mark.parametrize(
    ("line", "heading"),
    [
        ("ECONOMY", True),
        ("The Rise and Fall of Rome", True),
        ("France has 68 million people", False),
        ("The capital of Australia is Sydney", False),
        ("Paris.", False),
        ("a small thing", False),
    ],
)
def test_only_a_heading_like_line_is_a_heading(line: str, heading: bool) -> None:
    assert (plain_blocks(f"{line}\n\nText.")[0].kind is BlockKind.HEADING) == heading
