"""The host of the tables of one browser."""
