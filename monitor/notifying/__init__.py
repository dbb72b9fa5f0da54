"""Tells the user of what his policy says he wants to be told, where he is."""
