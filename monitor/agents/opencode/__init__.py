"""OpenCode: its server's events, `run --format json`, exports, and its database."""
