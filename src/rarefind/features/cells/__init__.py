"""What does a cell say? Numbers, dates and gaps as people write them, in files and in tables."""
