"""What a shell command does: its simple commands, the files it writes, the scripts it runs, and what only reads."""
