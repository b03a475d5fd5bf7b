"""The client for asyncio behind the methods of the other one, so that one program tries both."""

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from tarneeb_client import AsyncClient, Options


class WaitingClient:
    """Waits for each call in a loop of its own."""

    def __init__(self, target: str, options: Options) -> None:
        """Open the channel in the loop, to which it belongs from then on."""

        async def opened() -> AsyncClient:
            return AsyncClient(target, options)

        self._loop = asyncio.new_event_loop()
        self._client = self._loop.run_until_complete(opened())

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self._client, name)
        return lambda *arguments: self._loop.run_until_complete(method(*arguments))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.run_until_complete(self._client.close())
        self._loop.close()
