"""Messages to engine values and back, with every problem found named by its field path."""
