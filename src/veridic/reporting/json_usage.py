"""What a report cost, as JSON."""

from veridic.domain.report import Report
from veridic.domain.usage import Usage
from veridic.reporting.json_shapes import StageUsageJson, UsageJson


def usage_json(report: Report) -> UsageJson:
    """The sums of the whole run, then of each stage."""
    usage = report.usage
    return {
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "calls": usage.calls,
        "cost_usd": round(usage.cost_usd, 6),
        "searches": usage.searches,
        "search_cost_usd": round(usage.search_cost_usd, 6),
        "cost_is_estimate": usage.cost_is_estimate,
        "unpriced_calls": usage.unpriced_calls,
        "by_stage": [_stage(name, stage) for name, stage in report.usage_by_stage.items()],
    }


def _stage(name: str, usage: Usage) -> StageUsageJson:
    return {
        "stage": name,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "calls": usage.calls,
        "cost_usd": round(usage.cost_usd, 6),
        "searches": usage.searches,
    }
