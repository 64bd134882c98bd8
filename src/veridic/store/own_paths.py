"""The places that a run was told of on its machine, to show names in their stead."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from veridic.domain.own_names import OwnNames
from veridic.store.tables import Run


def names_of_runs(
    session: Session, run_ids: Iterable[str | None], also: Iterable[str] = ()
) -> dict[str | None, OwnNames]:
    """Return the names for what each of these runs read; `also` are further places that its report has."""
    found: dict[str | None, OwnNames] = {run_id: OwnNames(also) for run_id in run_ids}
    rows = session.execute(
        select(
            Run.fact_check_id,
            Run.source,
            Run.order_data[("order", "against")],
            Run.order_data["folder"],
        ).where(Run.fact_check_id.in_([run_id for run_id in found if run_id is not None]))
    )
    for run_id, source, against, folder in rows:
        places = [source, *_texts(against), *also]
        found[run_id] = OwnNames(places, folder if isinstance(folder, str) else "")
    return found


def own_names_of(session: Session, run_id: str) -> OwnNames:
    """Return the names for what one run read."""
    return names_of_runs(session, [run_id])[run_id]


def _texts(value: Any) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
