"""Error records with their fixes: kept, found again, and mined from past runs."""
