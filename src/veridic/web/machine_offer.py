"""What the page of a check at the desk offers before the machine is asked about it."""

from collections.abc import Sequence
from dataclasses import dataclass

from veridic.api.requests import default_mode
from veridic.config.settings import Settings
from veridic.desk.lifecycle import OPEN
from veridic.desk.records import CheckRecord
from veridic.domain.modes import Mode
from veridic.domain.people import Actor, Right
from veridic.engine.order import CheckOrder
from veridic.web.asking import asked_or_problem
from veridic.web.forms import CorpusChoice, blank_form, corpus_choices


@dataclass(frozen=True, slots=True)
class MachineOffer:
    """What can be chosen before the machine is asked about a check."""

    modes: Sequence[str]
    mode: str
    corpora: Sequence[CorpusChoice]
    against: Sequence[str]
    asked: str
    """What will be asked with the choices as they are."""


def machine_offer(actor: Actor, check: CheckRecord, settings: Settings) -> MachineOffer | None:
    """Return what to choose from, if the person may ask the machine about this check now. Blocks."""
    is_possible = check.machine_run is None and check.status in OPEN
    if not is_possible or not actor.may(Right.CHECK):
        return None
    against = blank_form(settings).against
    mode = default_mode(settings)
    asked = asked_or_problem(CheckOrder(mode=mode, against=against), settings)
    return MachineOffer(
        modes=[mode.value for mode in Mode],
        mode=mode.value,
        corpora=corpus_choices(settings),
        against=against,
        asked=f"{asked.what} {asked.cost}",
    )
