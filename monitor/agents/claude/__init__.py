"""Claude Code: its session transcripts, and what `-p --output-format stream-json` prints."""
