"""Findings: the results of the checks of a proof, each a sentence with a verdict."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from bridgehead.core.phrases import Phrase, sentence


class Finding(NamedTuple):
    """The result of one check. verdict: "holds", "open" (something is missing, so unproven) or "broken"."""

    verdict: str
    phrase: Phrase

    @property
    def what(self) -> str:
        """The sentence in English."""
        return sentence(self.phrase)


def make_finding(verdict: str, key: str, **params: object) -> Finding:
    return Finding(verdict, Phrase(f"fairness:finding.{key}", params))


def check_claim(holds: bool, key: str, **params: object) -> Finding:
    """A finding that holds, or the same sentence as broken."""
    made = make_finding("holds", key, **params)
    return made if holds else make_finding("broken", "not_so", what=made.phrase)


def verdict(findings: Iterable[Finding]) -> str:
    """The worst verdict among them."""
    verdicts = {finding.verdict for finding in findings}
    return next((worst for worst in ("broken", "open") if worst in verdicts), "holds")
