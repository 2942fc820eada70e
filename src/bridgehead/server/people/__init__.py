"""People who come back: profiles, results, ratings, tournaments."""
