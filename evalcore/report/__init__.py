"""What a run says: report.json, the verdict in words."""
