"""`make docs`: writes the JSON schema of a report. A test fails where the file and the program differ."""

import json
from pathlib import Path

from pydantic import TypeAdapter

from veridic.reporting.json_shapes import ReportJson

PATH = Path(__file__).parent / "reference" / "report.schema.json"


def schema_text() -> str:
    """The schema as the file has it."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **TypeAdapter(ReportJson).json_schema(),
    }
    return json.dumps(schema, indent=2) + "\n"


if __name__ == "__main__":
    PATH.write_text(schema_text(), encoding="utf-8")
