"""Routes that other tools call by themselves, in their own words."""
