"""Tokens, words, sentences and normal forms: each exists once."""
