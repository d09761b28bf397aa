"""Compare ways of cutting and searching documents, and say whether the difference is real."""
