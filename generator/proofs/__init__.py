"""Proves the samples of guides: each fenced block is exercised by its kind.

The info line of a fence begins with the language; words after it say what the sample is:

``wrong``
    It shows a mistake. It must *fail* where its right form passes; a wrong sample that passes
    is a fault of the guide. ``rule=a,b`` names the report rules that must find it.
``file=NAME``
    It is a whole file. Files of one guide belong together: scripts among them are run beside
    the others, and a tool's ``input.json`` and ``expected.json`` are what it is given and gives.
``figure=NAME``
    It is drawn, and the drawing is committed as ``guides/figures/NAME.svg``, so that the site
    can show it without the extra that draws it.

``samples`` finds them, ``syntax`` parses them (the check rule ``code-parse`` asks it too),
``calls`` finds tool calls and judges them, ``pages`` judges HTML as reports, ``figures`` draws,
``scripts`` runs, ``packages`` and ``office`` judge and open what scripts wrote.
"""
