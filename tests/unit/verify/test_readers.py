"""Runs the examples of every reader."""

from typing import Any

import pytest

from veridic.verify.facts.declarations import read_declarations
from veridic.verify.facts.model import Fact
from veridic.verify.facts.readers import FrameworkReader, all_readers, reader_from

ENDINGS = {"python": "py", "javascript": "js", "go": "go", "rust": "rs", "java": "java"}
EXAMPLES = [
    pytest.param(reader, example, id=f"{reader.name}-{number}")
    for reader in all_readers()
    for number, example in enumerate(reader.examples)
]


def in_short(fact: Fact) -> str:
    names = [fact.name, *(name for name in fact.aliases if name != fact.name and fact.kind != "route")]
    value = "" if fact.value is None else f" {'=' if fact.is_literal else '~'} {fact.value}"
    choices = f" {{{', '.join(fact.members)}}}" if fact.members else ""
    owner = f" @ {fact.owner}" if fact.owner else ""
    return f"{fact.kind} {', '.join(names)}{value}{choices}{owner}"


def language_of(reader: FrameworkReader) -> str:
    return next(language for language in ENDINGS if language in reader.languages)


@pytest.mark.parametrize(("reader", "example"), EXAMPLES)
def test_example_gives_its_facts_and_gaps(reader: FrameworkReader, example: dict[str, Any]) -> None:
    read = read_declarations(f"src/main.{ENDINGS[language_of(reader)]}", str(example["code"]))
    assert sorted(map(in_short, read.facts)) == sorted(example.get("facts", []))
    assert sorted(gap.kind for gap in read.gaps) == sorted(example.get("gaps", []))


@pytest.mark.parametrize("reader", all_readers(), ids=lambda reader: reader.name)
def test_every_reader_has_an_example_it_concerns(reader: FrameworkReader) -> None:
    assert any(reader.concerns(str(example["code"])) for example in reader.examples)


def test_unknown_key_is_rejected() -> None:
    with pytest.raises(ValueError, match="unknown key"):
        reader_from('name = "x"\nlanguage = "go"\nmarkers = ["x"]\n[[option]]\ncall = "f"\nflagz = "0"\n')
