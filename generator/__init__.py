"""Fieldguide: a handbook, a report desk and a memory for AI agents, made of plain files."""

__version__ = "0.1.0"
