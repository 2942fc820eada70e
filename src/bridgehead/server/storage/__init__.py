"""The event log and its copies: SQLite, PostgreSQL, hash chain, audit, backup."""
