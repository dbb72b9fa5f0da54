"""Where the secrets of a text stand: one file per way they give themselves away."""
