"""Aider: its chat history, a Markdown file to which each session is added."""
