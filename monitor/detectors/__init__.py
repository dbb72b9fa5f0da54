"""One file per detector; each is pure."""
