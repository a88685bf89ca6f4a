# SPDX-License-Identifier: Apache-2.0
"""Waiting for a condition: whoever changes something says so, whoever waits looks again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from patience import within

T = TypeVar("T")


class Changes:
    """A place to wait until something has become true, with a bound in time."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    def notify(self) -> None:
        """Wakes everybody who waits, so that they look at their condition again."""
        event, self._event = self._event, asyncio.Event()
        event.set()

    async def wait_until(
        self,
        condition: Callable[[], T],
        timeout: float,
        what: str,
        details: Callable[[], str] = lambda: "",
    ) -> T:
        """Returns the first true value of `condition`; fails the test after `timeout` seconds, or longer on a busy machine."""

        async def look() -> T:
            while True:
                event = self._event
                if value := condition():
                    return value
                await event.wait()

        try:
            return await asyncio.wait_for(look(), patience := within(timeout))
        except asyncio.TimeoutError:
            raise AssertionError(f"waited {patience:.0f} s in vain for {what}\n{details()}") from None
