"""Agents that monitor starts: the command, the start, and where such a run is found again."""
