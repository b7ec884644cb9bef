"""Pages of the archive: sessions as conversations, lists of them, and what they spent."""
