"""`python -m benchmarks.floors [--update [--because TEXT]]`: hold what has been reached, or pin what is better.

Measures the network, the claim detection and whole checks on the development data, and compares with `floors.json`.
"""

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console
from rich.table import Table

from benchmarks.floors_measured import (
    MEASURED_CLAIMS,
    SAMPLED_CLAIMS,
    SAMPLED_STORIES,
    data_folder,
    digests,
    reached,
    reached_by_checks,
    read_data,
    sample,
)
from benchmarks.floors_pinned import FallenError, Floors, all_falls, updated
from veridic.cli.progress import ProgressBar
from veridic.domain.errors import VeridicError

PINNED = Path(__file__).parent / "floors.json"


def load_pinned() -> Floors | None:
    """The floors in the repository; None before the first update."""
    return Floors.model_validate_json(PINNED.read_text(encoding="utf-8")) if PINNED.exists() else None


def measure_all(folder: Path) -> Floors:
    """What is reached now, as floors that could be pinned."""
    pairs, sentences = read_data(folder)
    with ProgressBar() as bar:
        full = reached(pairs, sentences, bar.show)
        full |= reached_by_checks(folder, stories=None, claims=MEASURED_CLAIMS, progress=bar.show)
        few = reached(*sample(pairs, sentences), bar.show)
        few |= reached_by_checks(folder, stories=SAMPLED_STORIES, claims=SAMPLED_CLAIMS, progress=bar.show)
    return Floors(data=digests(folder), full=full, sample=few)


def main(
    update: Annotated[bool, typer.Option("--update", help="Pin what is reached now.")] = False,
    because: Annotated[str | None, typer.Option(metavar="TEXT", help="Why a floor may be lowered; it is recorded.")] = None,
) -> None:  # fmt: skip
    """Compare what is reached on the development data with the floors, and end with exit code 1 if anything fell."""
    if because is not None and not (update and because.strip()):
        _end("--because gives the reason why --update may lower a floor.", 2)
    folder = data_folder()
    if folder is None:
        _end("The development data is not here; VERIDIC_DATA names its folder.", 2)
    pinned = load_pinned()
    if pinned is None and not update:
        _end(f"Nothing is pinned in {PINNED.name} yet; --update does it.", 2)
    try:
        found = measure_all(folder)
    except VeridicError as error:
        _end(str(error), error.exit_code)
    _print(pinned, found)
    if update:
        _update(pinned, found, because)
    elif pinned is not None:
        _compare(pinned, found)


def _update(pinned: Floors | None, found: Floors, because: str | None) -> None:
    try:
        floors = updated(pinned, found, because, datetime.now(UTC).date())
    except FallenError as error:
        _end(
            "\n".join(
                [
                    "Nothing was pinned, as this would be lower (say why with --because):",
                    *map(str, error.falls),
                ]
            ),
            1,
        )
    part = PINNED.with_suffix(".part")
    part.write_text(floors.model_dump_json(indent=2) + "\n", encoding="utf-8")
    part.replace(PINNED)


def _compare(pinned: Floors, found: Floors) -> None:
    fallen = [str(fall) for fall in all_falls(pinned, found)]
    if fallen:
        _end("\n".join(["Fallen:", *fallen]), 1)


def _print(pinned: Floors | None, found: Floors) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("set", "measure", "rows", "pinned", "found", "sample"):
        table.add_column(name, justify="left" if name in ("set", "measure") else "right")
    for name, measures in found.full.items():
        for measure in measures.keys() - {"rows"}:
            floor = pinned.full.get(name, {}).get(measure) if pinned else None
            table.add_row(
                name,
                measure,
                f"{measures['rows']:,.0f}",
                _shown(floor),
                _shown(measures[measure]),
                _shown(found.sample[name][measure]),
            )
    Console().print(table)


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def _end(message: str, code: int) -> NoReturn:
    print(message, file=sys.stderr)
    raise typer.Exit(code)


if __name__ == "__main__":
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(main)
    app()
