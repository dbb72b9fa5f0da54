"""Looks over what monitor needs, and says for each lack what to do; nothing is changed, and no agent is run."""
