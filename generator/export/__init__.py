"""The export: guides and what else there is as a static site, and as files that agents fetch."""
