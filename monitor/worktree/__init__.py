"""The project folder: measured, watched, read; nothing in it is written."""
