"""The table of all rules."""

from veridic.verify.rules import definitions, places, programs, requirements, signatures
from veridic.verify.rules.rule import Rule

RULES: tuple[Rule, ...] = (
    *places.RULES,
    *programs.RULES,
    *requirements.RULES,
    *definitions.RULES,
    *signatures.RULES,
)
