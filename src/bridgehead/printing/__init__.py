"""Print and play: a game's board at playing size, its pieces and its rules, as a PDF (`book.make_book`; extra `print`)."""

from bridgehead.core.extras import require

require("print")
PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}  # millimetres
PARTS = ("board", "pieces", "rules")
