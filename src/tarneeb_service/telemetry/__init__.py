"""What is told of calls: their record, metrics, and the log."""
