"""ATIF: the trajectories of Harbor, in which many agents' runs are told in one form."""
