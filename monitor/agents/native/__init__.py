"""The monitor's own event format, as a foreign agent may emit it, and as the monitor's journal holds it."""
