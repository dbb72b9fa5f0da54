"""Keeps an agent that monitor started: it goes on whatever becomes of the monitor, and can be reached again."""
