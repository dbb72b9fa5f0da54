"""What is done about a run while nobody looks, as the operator's own rules say."""
