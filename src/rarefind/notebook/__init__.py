"""A hunt in a notebook: a widget to answer in, and records as people look at them."""
