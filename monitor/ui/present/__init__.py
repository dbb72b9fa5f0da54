"""Snapshot parts become lines of `Content`: pure, and tested without an app."""
