"""What scripts mean: syntax trees, scopes, values that can be known, and when code runs."""
