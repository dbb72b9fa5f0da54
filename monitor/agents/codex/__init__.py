"""Codex: its rollout files and the lines of `codex exec --json`."""
