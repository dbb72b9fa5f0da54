"""Hooks of an agent that is already running: how they are installed, and the mailbox they read."""
