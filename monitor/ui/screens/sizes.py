"""The sizes at which a screen is laid out anew."""

from __future__ import annotations

from typing import Final

ACROSS: Final = [(0, "-narrow"), (100, "-mid"), (150, "-wide")]
"""Columns from which on a class holds."""
DOWN: Final = [(0, "-tiny"), (12, "-short"), (20, "-low"), (30, "-tall")]
"""Rows from which on a class holds."""
