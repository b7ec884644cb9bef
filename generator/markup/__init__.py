"""Markdown to tokens and HTML: the only room that knows markdown-it."""
