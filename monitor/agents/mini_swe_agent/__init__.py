"""mini-swe-agent: its trajectories, one JSON document a run."""
