"""Protobuf packages of the Tarneeb service, generated from proto/."""
