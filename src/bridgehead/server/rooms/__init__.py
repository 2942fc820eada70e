"""Rooms: tables with pages at them. Views, chat, hints, computer turns, permissions."""
