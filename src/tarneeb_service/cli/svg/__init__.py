"""The table as one SVG picture."""
