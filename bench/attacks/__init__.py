"""What callers of ill will can do to a replica, and what the others notice."""
