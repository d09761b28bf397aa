"""Gold matching, metrics and chunk health."""
