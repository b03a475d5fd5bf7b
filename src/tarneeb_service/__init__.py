"""A stateless referee for the Tarneeb family of card games, served over gRPC."""

__version__ = "0.2.0"
