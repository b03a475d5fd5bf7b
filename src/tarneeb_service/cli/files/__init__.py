"""Files that people bring: what they hold, and the position in it that was asked for."""
