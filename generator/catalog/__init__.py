"""The catalog of tools: this product's own, and those of other platforms described as data.

Our own come from the registry, which lies above this room and is passed in, so that the catalog
cannot drift from what is there. `data/` holds the shipped catalogs, ``catalogs/`` in the home a
user's own; `schema.json` describes both.
"""
