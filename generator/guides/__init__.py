"""Guides: loaded from their files, compiled by Jinja, composed into one text."""
