"""Judging, saving and rendering reports."""
