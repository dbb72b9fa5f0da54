"""What the agents' channels are made of: receipts, the run's processes, and the wire to an agent's input."""
