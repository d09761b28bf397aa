"""Ways of cutting a document into chunks."""
