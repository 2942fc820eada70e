"""Tables: each is a fold of its event log. Match, seats, clocks, proposals, sealed chance."""
