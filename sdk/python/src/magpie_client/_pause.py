import time

import anyio


async def async_pause(seconds: float) -> None:
    await anyio.sleep(seconds)


def pause(seconds: float) -> None:
    time.sleep(seconds)
