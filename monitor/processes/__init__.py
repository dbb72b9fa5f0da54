"""Verified processes: which ones are the run's, what an abort would end, and how it is done."""
