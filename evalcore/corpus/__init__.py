"""Files in, documents with text and structure out."""
