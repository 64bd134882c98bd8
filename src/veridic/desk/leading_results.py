"""Keeps what a run comes to with the verdicts of people, which lists show and search by."""

from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from veridic.desk.person_verdicts import with_people
from veridic.desk.reading import People, load_claims
from veridic.domain.report import Report
from veridic.domain.verdicts import WORTH, rated_verdict
from veridic.store.rows import BY_PEOPLE
from veridic.store.tables import ClaimVerification, ExtractedClaim, Run


def update_leading_result(session: Session, check_id: str) -> None:
    """Save the verdict and the score of a run's report with the verdicts of people, if there are any.

    Called in the transaction of every change at the desk, and of a run's completion: people may have been there first.
    """
    session.flush()
    run = session.get(Run, check_id)
    if run is None or not (run.people_claims or _has_verdicts_of_people(session, check_id)):
        return
    try:
        report = Report.model_validate_json(run.report) if run.report is not None else None
    except ValueError:  # saved by another version
        report = None
    led = report and with_people(report, load_claims(session, check_id, People(session)))
    decisions = led.decisions if led else ()
    run.people_claims = sum(decision.person is not None for decision in decisions)
    run.people_decided = sum(decision.verdict in WORTH for decision in decisions)
    verdicts = [decision.verdict for decision in decisions]
    run.people_verdict = rated_verdict(verdicts, led.verdict) if led and run.people_claims else None
    run.people_score = led.credibility_score if led and run.people_claims else None


def _has_verdicts_of_people(session: Session, check_id: str) -> bool:
    query = (
        exists()
        .where(ExtractedClaim.fact_check_id == check_id)
        .where(ClaimVerification.claim_id == ExtractedClaim.id)
        .where(ClaimVerification.verification_method.in_(BY_PEOPLE))
    )
    return bool(session.scalar(select(query)))
