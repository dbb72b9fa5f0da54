"""The Agent Client Protocol: wire logs of any agent that speaks it."""
