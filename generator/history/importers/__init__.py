"""Importers: one module a format."""
