"""dirtywork 0.14: a folder per run, with a transcript written turn by turn."""
