"""Texts to vectors, with a cache."""
