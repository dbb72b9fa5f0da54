"""A scripted agent that works in a scratch project: no model, no network, nothing left behind."""
