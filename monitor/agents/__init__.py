"""One folder per agent: where its runs are, what its records mean, how to reach it."""
