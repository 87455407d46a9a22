"""Answers of a hunt in Python, shared with the terminal and the workbench through a store."""
