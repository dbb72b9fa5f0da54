"""OpenHands: its lists of events, and the output of its benchmarks, a run a line."""
