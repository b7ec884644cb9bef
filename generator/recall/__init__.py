"""Recall joins the rooms: one index over all of them, one way to read a ref back."""
