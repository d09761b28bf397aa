"""Queries to ranked chunks."""
