"""What came out: a table for people, a JSON file a measure for programs."""

import json
import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.measure import FULL, Figure, Measure, Scale
from veridic import __version__

RESULTS = Path(__file__).parent / "results"


def write_results(folder: Path, measure: Measure, scale: Scale, figures: Sequence[Figure]) -> None:
    """Write `<measure>.json`; a run that is not the full one has a folder of its own below."""
    folder = folder if scale == FULL else folder / scale.name
    folder.mkdir(parents=True, exist_ok=True)
    content = json.dumps(as_json(measure, scale, figures), indent=2) + "\n"
    (folder / f"{measure.name}.json").write_text(content, encoding="utf-8")


def as_json(measure: Measure, scale: Scale, figures: Sequence[Figure]) -> dict[str, object]:
    return {
        "measure": measure.name,
        "scale": scale._asdict(),
        "veridic": __version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "figures": [{**figure._asdict(), "met": figure.is_met} for figure in figures],
    }


def print_results(console: Console, measure: Measure, figures: Sequence[Figure]) -> None:
    """One table a measure; a target that is missed stands out."""
    table = Table(title=measure.title, title_justify="left", title_style="bold", min_width=78)
    table.add_column(measure.name, ratio=1)
    table.add_column("value", justify="right")
    table.add_column("unit")
    table.add_column("at most", justify="right")
    for figure in figures:
        style = "" if figure.is_met else "bold red"
        target = "" if figure.at_most is None else f"{figure.at_most:g}"
        verdict = "" if figure.at_most is None else (" met" if figure.is_met else " MISSED")
        table.add_row(figure.name, _readable(figure), figure.unit, target + verdict, style=style)
    console.print(table)


def _readable(figure: Figure) -> str:
    if figure.unit == "share":
        return f"{figure.value:.1%}"
    if figure.unit == "count" or figure.value >= 1000:
        return f"{figure.value:,.0f}"
    return f"{figure.value:.3g}"
