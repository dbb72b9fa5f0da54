"""A terminal run monitor and supervisor for AI coding agents."""

__version__ = "0.1.0"
