"""The timeline: rows of numbers and byte spans, whose texts are read back when they are looked at."""
