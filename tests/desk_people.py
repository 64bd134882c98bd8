"""The people of the desk's tests, and short ways through a check's life."""

from veridic.desk.desk import Desk
from veridic.desk.records import CheckRecord, Rating, VerificationInput
from veridic.domain.people import Actor, Role, actor_of

PEOPLE = {
    "ada": (1, Role.ADMIN),
    "eve": (2, Role.EDITOR),
    "edd": (3, Role.EDITOR),
    "fay": (4, Role.FACT_CHECKER),
    "fox": (5, Role.FACT_CHECKER),
    "vic": (6, Role.VIEWER),
}
"""By name: the id and the role."""
SOURCE = "https://www.abs.gov.au/figures"
"""What verdicts of the tests rest on."""
TEXT = "Canberra is the capital of Australia. Sydney has five million inhabitants."


def person(name: str) -> Actor:
    number, role = PEOPLE[name]
    return actor_of(number, name, role)


def verdict(rating: Rating = Rating.TRUE, **more: object) -> VerificationInput:
    """A verdict with the ground that its rating needs."""
    is_open = rating is Rating.UNVERIFIABLE
    ground = {"notes": "Nobody has counted."} if is_open else {"sources": [{"url": SOURCE}]}
    return VerificationInput.model_validate({"rating": rating, "time_spent_seconds": 60, **ground, **more})


def new_check(desk: Desk, by: Actor, claims: int = 2) -> CheckRecord:
    """A pending check with claims."""
    check_id = desk.create(by, "Cities", TEXT)
    for sentence in TEXT.split(". ")[:claims]:
        start = TEXT.index(sentence)
        desk.add_claim(by, check_id, sentence, (start, start + len(sentence)))
    return desk.check(by, check_id)


def completed_check(desk: Desk, by: Actor) -> CheckRecord:
    """A check that one person has taken, verified and completed."""
    check = new_check(desk, by)
    check = desk.take(by, check.id, check.version)
    for claim in check.claims:
        desk.verify_claim(by, claim.id, verdict(), claim.version)
    return desk.move(by, check.id, "completed", check.version)  # type: ignore[arg-type]  # as a form gives it


def published_check(desk: Desk, by: Actor, editor: Actor) -> CheckRecord:
    check = completed_check(desk, by)
    desk.review(editor, check.id, "approved", "", check.version)
    return desk.publish(editor, check.id, check.version)
