"""The data model: document, claim, evidence, judgement, decision, report. No module here does I/O."""
