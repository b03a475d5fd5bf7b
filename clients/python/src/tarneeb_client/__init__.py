"""A client of the Tarneeb rules service: ``Client``, or ``AsyncClient`` for asyncio."""

from tarneeb_client.aio import AsyncClient
from tarneeb_client.client import Client
from tarneeb_client.errors import TarneebError, Violation
from tarneeb_client.options import Options, Tls

__all__ = ["AsyncClient", "Client", "Options", "TarneebError", "Tls", "Violation"]
