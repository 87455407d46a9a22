"""Pictures as records: found in folders and tables, opened within limits, turned into numbers."""
