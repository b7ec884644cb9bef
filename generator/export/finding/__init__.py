"""Search in the browser: postings made here, shipped as scripts that load from disk."""
