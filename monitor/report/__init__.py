"""What is known of a run, written down: as a plain object, as JSON, as text."""
