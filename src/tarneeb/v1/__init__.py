"""Messages and stubs of tarneeb.v1, generated from proto/."""
