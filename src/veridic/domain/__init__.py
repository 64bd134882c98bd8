"""The nouns: document, claim, evidence, judgement, decision, report. Nothing here does I/O."""
