"""What people use to look at games: ``show``, ``replay`` and ``table``."""
