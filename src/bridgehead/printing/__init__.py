"""Print and play: a game's board at playing size, its pieces and its rules, as a PDF (`book.make_book`; extra `print`)."""

from bridgehead.core.extras import require

require("print")
PAPERS = {"a4": (210.0, 297.0), "a3": (297.0, 420.0), "letter": (215.9, 279.4)}  # millimetres
WHOLE = "whole"  # in place of a paper: the board in one piece, for a print service
PARTS = ("board", "pieces", "rules")
BOX = "box"  # one part more: a sheet for the lid of the box
