"""The screens: one view of a run, and what floats above it."""
