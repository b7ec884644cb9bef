"""Checks of guide content: one rule a file.

They run over the shipped guides, a user's guides, or any folder of Markdown rules.

``discovery`` finds the files, ``document`` reads one, ``tracing`` leads from the compiled text
back to the source, ``corpus`` puts them together, ``rules`` has the table, ``runner`` runs it,
``formats`` and ``sarif`` write what was found, ``fixes`` mends what is safe to mend.
"""
