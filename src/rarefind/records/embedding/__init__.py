"""Embeddings: lists of numbers that a model gave each record, read from files or made here."""
