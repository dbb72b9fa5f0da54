"""lcode: its stream of events, its session files, and its result as one object."""
