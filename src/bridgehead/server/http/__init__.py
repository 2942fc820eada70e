"""Answers to requests: pages, tables, records, analyses, reports, proofs."""
