"""The temporal analysis of a claim, from the dates of the claim, the sources and the check."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from veridic.decision.breaks import is_dated, relative_time
from veridic.decision.gates import without_the_future
from veridic.decision.weighing import changed_on, weigh
from veridic.decision.wording import title_of
from veridic.domain.claim import Claim
from veridic.domain.dates import MONTHS, PartialDate, in_words
from veridic.domain.decision import TemporalAnalysis
from veridic.domain.evidence import Evidence, Source, Stance
from veridic.domain.phrases import count, listed
from veridic.domain.verdicts import Verdict
from veridic.text.dates import DateMention, find_dates

HISTORY_YEARS = 2
"""For a claim without a date, sources older than this count as history."""
_MAX_DATES = 4


class _Dated(NamedTuple):
    when: PartialDate
    source: Source
    stance: Stance


def temporal_analysis(
    claim: Claim, evidence: Sequence[Evidence], *, as_of: date, claim_date: date
) -> TemporalAnalysis:
    """Return four sentences; each names the dates it rests on, or says that there is none.

    `evidence` is all evidence read for the claim; passages dated after `as_of` are ignored.
    """
    read = without_the_future(tuple(evidence), as_of)
    dated = [_Dated(e.date, e.source, e.stance) for e in read if e.date]
    mentions = find_dates(claim.text)
    history_ends = min((m.first for m in mentions), default=_years_before(as_of, HISTORY_YEARS))
    return TemporalAnalysis(
        claim_timeframe=_timeframe(claim.text, mentions, as_of, claim_date),
        evidence_currency=_currency(read, dated, as_of),
        historical_context=_history(dated, history_ends, named=_boundary(mentions, history_ends)),
        temporal_verdict=_temporal_verdict(
            claim.framing.underlying_claim or claim.text, read, dated, history_ends, claim_date
        ),
    )


def _timeframe(text: str, mentions: Sequence[DateMention], as_of: date, claim_date: date) -> str:
    if mentions:
        return listed(list(dict.fromkeys(map(_in_words, mentions)))[:_MAX_DATES])
    if words := relative_time(text):
        return f"“{words}”, counted from {claim_date}."
    made = f"made on {claim_date} and " if claim_date != as_of else ""
    return f"No date is stated; {made}read as of {as_of}."


def _in_words(mention: DateMention) -> str:
    """`2024`, `December 2024`, `from 2019 to 2021`, `since 2019`; decades and centuries as written."""
    first, last = mention.first, mention.last
    if first == last:
        words = in_words(first)
    elif (first.year, first.month) == (last.year, last.month):
        words = f"{MONTHS[first.month - 1]} {first.year}"
    elif first.year == last.year:
        words = str(first.year)
    elif mention.text[-1].isdigit():
        return f"from {first.year} to {last.year}"
    else:
        words = f"the {mention.text}"
    return words if mention.relation == "in" else f"{mention.relation} {words}"


def _currency(read: Sequence[Evidence], dated: Sequence[_Dated], as_of: date) -> str:
    sources = {e.source.location for e in read}
    undated = len(sources - {one.source.location for one in dated})
    if not dated:
        return "No source is dated." if sources else "No source was read."
    newest, oldest = _newest(dated), _oldest(dated)
    number = len(sources) - undated
    if newest == oldest:
        which = {1: "The only dated source is", 2: "Both dated sources are"}.get(
            number, f"All {number} dated sources are"
        )
        text = f"{which} from {newest}, {_age(newest, as_of)}"
    else:
        text = f"The newest source is from {newest}, {_age(newest, as_of)}; the oldest is from {oldest}"
    if undated:
        text += f"; {count(undated, 'source')} {'is' if undated == 1 else 'are'} undated"
    return f"{text}."


def _age(when: PartialDate, as_of: date) -> str:
    """Return the time before the day of the check, in the unit that the date's precision allows."""
    if when.first == as_of and when.day:
        return f"the day of the check, {as_of}"
    if when.month is None:
        years = as_of.year - when.year
        return f"{count(years, 'year')} before {as_of}" if years else f"the year of the check, {as_of}"
    if when.day is None:
        months = 12 * (as_of.year - when.year) + as_of.month - when.month
        return f"{_months(months)} before {as_of}" if months else f"the month of the check, {as_of}"
    return f"{_days(when.first, as_of)} before {as_of}"


def _days(first: date, as_of: date) -> str:
    days = (as_of - first).days
    if days < 14:
        return count(days, "day")
    if days < 60:
        return count(days // 7, "week")
    months = 12 * (as_of.year - first.year) + as_of.month - first.month - (as_of.day < first.day)
    return _months(months)


def _months(months: int) -> str:
    return count(months, "month") if months < 24 else count(months // 12, "year")


def _boundary(mentions: Sequence[DateMention], history_ends: date) -> str:
    """Return the end of history, with the precision of the claim's earliest date."""
    earliest = min(mentions, key=lambda m: m.first, default=None)
    if earliest is None or earliest.first == earliest.last:
        return str(history_ends)
    if (earliest.first.year, earliest.first.month) == (earliest.last.year, earliest.last.month):
        return str(PartialDate(history_ends.year, history_ends.month))
    return str(history_ends.year)


def _history(dated: Sequence[_Dated], history_ends: date, *, named: str) -> str:
    before = [one for one in dated if one.when.last < history_ends]
    if not before:
        return f"No source from before {named} was found."
    oldest = min(before, key=lambda one: (one.when.first, one.when.last, one.source.location))
    text = f"“{title_of(oldest.source)}” ({oldest.when})"
    number = len({one.source.location for one in before})
    if number == 1:
        return f"1 source is from before {named}: {text}."
    return f"{number:,} sources are from before {named}; the oldest is {text}."


def _temporal_verdict(
    text: str, read: Sequence[Evidence], dated: Sequence[_Dated], history_ends: date, claim_date: date
) -> str:
    supporting = [one for one in dated if one.stance is Stance.SUPPORTING]
    contradicting = [one for one in dated if one.stance is Stance.CONTRADICTING]
    if not supporting and not contradicting:
        return "No dated source decides it, so dates make no difference."
    if not supporting or not contradicting:
        return _one_side(supporting or contradicting, history_ends)
    weighing = weigh(read, claim_date=claim_date, is_dated=is_dated(text))
    if time_break := weighing.time_break:
        then, now = ("contradict it", "support it")
        if time_break.newer_side is Stance.CONTRADICTING:
            then, now = now, then
        return f"Newer sources override older ones: those up to {time_break.until} {then}, those since {time_break.since} {now}."
    if weighing.verdict is Verdict.OUTDATED and (day := changed_on(read)):
        return f"Newer sources override older ones: those up to {_newest(supporting)} support it, those since {day} contradict it."
    return f"Dates do not decide it: sources {_span(supporting)} support it, sources {_span(contradicting)} contradict it."


def _one_side(side: Sequence[_Dated], history_ends: date) -> str:
    alone = len({one.source.location for one in side}) == 1
    if side[0].stance is Stance.SUPPORTING:
        says = "supports the claim" if alone else "support the claim"
    else:
        says = "contradicts the claim" if alone else "contradict the claim"
    if alone:
        passages = "" if _newest(side) == _oldest(side) else "with passages "
        return f"Only one dated source decides it, {passages}{_span(side)}: it {says}."
    is_old = [one.when.last < history_ends for one in side]
    if any(is_old) and not all(is_old):
        return f"Old and new agree: sources {_span(side)} {says}, and no dated source disagrees."
    return f"Only sources {_span(side)} decide it: they {says}."


def _span(side: Sequence[_Dated]) -> str:
    newest, oldest = _newest(side), _oldest(side)
    return f"from {newest}" if newest == oldest else f"from {oldest} to {newest}"


def _newest(dated: Sequence[_Dated]) -> PartialDate:
    """Compare by the first day each date can mean; of equal ones, take the more exact."""
    return max((one.when for one in dated), key=lambda when: (when.first, -when.last.toordinal()))


def _oldest(dated: Sequence[_Dated]) -> PartialDate:
    return min((one.when for one in dated), key=lambda when: (when.first, when.last))


def _years_before(day: date, years: int) -> date:
    year = max(1, day.year - years)
    return day.replace(year=year, day=28) if (day.month, day.day) == (2, 29) else day.replace(year=year)
