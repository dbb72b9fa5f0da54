"""Where bytes come from: files that grow, pipes, whole documents; all yield records."""
