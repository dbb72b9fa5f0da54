"""Finds the runs of this machine, live and finished, and keeps several of them attached."""
