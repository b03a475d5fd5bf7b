"""What somebody sees of a table, in words and signs; terminal and picture draw from it."""
