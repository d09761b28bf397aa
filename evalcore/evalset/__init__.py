"""Questions with the passages that answer them."""
