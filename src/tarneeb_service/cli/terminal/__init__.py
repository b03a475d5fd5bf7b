"""The table in a terminal, drawn with rich. Nothing else needs that library."""
