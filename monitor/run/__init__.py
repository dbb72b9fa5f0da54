"""One run, folded: what it is, what it does now, and what is to be said of it."""
