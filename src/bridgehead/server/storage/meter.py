"""Counts and durations of writes to the event log, for `/metrics`."""

from __future__ import annotations

import bisect


class Histogram:
    """Durations, counted by upper bound in seconds."""

    BOUNDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)

    def __init__(self) -> None:
        self.counts = [0] * (len(self.BOUNDS) + 1)
        self.sum = 0.0

    def add(self, seconds: float) -> None:
        self.counts[bisect.bisect_left(self.BOUNDS, seconds)] += 1
        self.sum += seconds

    def cumulative(self) -> list[tuple[str, float]]:
        """Each bound with the number of durations up to it, as Prometheus wants them."""
        found, total = [], 0
        for bound, count in zip((*map(str, self.BOUNDS), "+Inf"), self.counts, strict=True):
            total += count
            found.append((bound, float(total)))
        return found


class Meter:
    """Counts of the writer thread: commits, changes, failures."""

    def __init__(self) -> None:
        self.commits = Histogram()
        self.jobs = 0
        self.failures = 0
