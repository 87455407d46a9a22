"""Files that are read whole, not row by row: spreadsheets, JSON arrays, arrays of numpy."""
