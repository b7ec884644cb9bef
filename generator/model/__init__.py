"""Frozen data that every other room shares; nothing here reads or writes files."""
