"""Finding the code blocks that are marked as examples."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.verify.evidence.examples import find_examples

MARKED = """# Guide

<!-- veridic: example -->
```python
print(1)
```

```python example
print(2)
```

```python
print("not marked")
```

1. Step:

   ```sh example
   echo 3
   ```

~~~js example
console.log("```")
~~~
"""


def test_finds_marked_blocks_with_their_lines() -> None:
    found = find_examples("guide.md", MARKED)
    assert [(example.line, example.language, example.code) for example in found] == [
        (5, "python", "print(1)\n"),
        (9, "python", "print(2)\n"),
        (19, "shell", "echo 3\n"),
        (23, "javascript", 'console.log("```")\n'),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "```python example\nprint(1)\n",
        "``` example\nprint(1)\n```\n",
        "```brainfuck example\n+\n```\n",
        "````\n```python example\nshown, not run\n```\n````\n",
        "<!-- veridic: example -->\n\n\n\n\n```python\nfar below\n```\n",
        "```example\nprint(1)\n```\n",
    ],
    ids=[
        "empty",
        "never closed",
        "no language",
        "unknown language",
        "within a block",
        "far below",
        "only the word",
    ],
)
def test_ignores_other_blocks(text: str) -> None:
    assert find_examples("a.md", text) == []


def test_claim_says_that_the_example_runs() -> None:
    first, second, *_ = find_examples("guide.md", MARKED)
    assert first.claim.text == "This python example runs: print(1)"
    assert (first.claim.document, first.claim.line) == ("guide.md", 5)
    assert first.claim.id != second.claim.id


@given(st.text(alphabet=st.sampled_from("`~ \n\texamplpython<!-: >\u202e"), max_size=300))
def test_any_text_can_be_searched(text: str) -> None:
    for example in find_examples("a.md", text):
        assert example.line <= len(text.splitlines())
