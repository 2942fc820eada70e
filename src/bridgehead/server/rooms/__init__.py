"""Tables with people at them: connections, views, chat, hints, computer turns."""
