"""Records as text: a short header, then one line a hand."""
