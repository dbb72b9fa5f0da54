"""The screen: it is given a snapshot and rows, shows them, and hands back actions."""
