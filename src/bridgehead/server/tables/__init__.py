"""A table as a fold of its event log: match, seats, clocks, proposals, sealing."""
