"""HTTP and WebSocket connections: protocols, limits, headers. Knows no table."""
