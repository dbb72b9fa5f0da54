"""SWE-agent: its trajectories, one JSON document a run."""
