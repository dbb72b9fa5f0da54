"""pi: its session files, and the events it streams."""
