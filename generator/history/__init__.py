"""History: what agents left on disk, as one archive, and what can be read out of it."""
