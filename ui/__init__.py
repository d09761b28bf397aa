"""What pages draw: their frame, words, tables and charts, and the state in the URL."""
