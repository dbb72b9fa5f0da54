"""A finished run played through the same code, forwards and backwards."""
