"""Counts and durations that the server measures, as metrics of prometheus_client without a global registry."""

from __future__ import annotations

from prometheus_client import Counter, Histogram, disable_created_metrics

disable_created_metrics()  # type: ignore[no-untyped-call]  # no extra sample for the time at which a metric was made
BOUNDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)  # seconds


def durations(name: str, text: str) -> Histogram:
    """A histogram of seconds."""
    return Histogram(f"bridgehead_{name}", text, buckets=BOUNDS, registry=None)


class Meter:
    """What the writer thread of an event log measures."""

    def __init__(self) -> None:
        self.commits = durations("commit_seconds", "How long commits took")
        self.writes = Counter("bridgehead_writes", "Changes stored", registry=None)
        self.failures = Counter("bridgehead_commit_failures", "Commits that failed", registry=None)
