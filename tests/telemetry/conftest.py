"""The requests of ``tests.service_requests`` as fixtures."""

from tests.service_requests import legal, lying, refused

__all__ = ["legal", "lying", "refused"]
