"""What becomes of records in numbers, and whether it was chosen well."""
