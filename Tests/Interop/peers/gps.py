# SPDX-License-Identifier: Apache-2.0
"""A receiver of satellites that drives an invented route: gpsd's own gpsfake, and the same route as GPX."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from datetime import datetime, timedelta, timezone
from pathlib import Path

# Due north at 11.1 m/s, one point a second.
STEP = 0.0001
START = (48.8584, 2.2945)
KNOTS = 21.6


def route(count: int) -> list[tuple[datetime, float, float]]:
    """Times of today, for gpsd takes old ones for a receiver whose weeks have rolled over."""
    begin = datetime.now(timezone.utc).replace(microsecond=0)
    return [(begin + timedelta(seconds=n), START[0] + n * STEP, START[1]) for n in range(count)]


def nmea(count: int) -> str:
    """The route as such a receiver says it."""

    def sentence(text: str) -> str:
        checksum = 0
        for character in text:
            checksum ^= ord(character)
        return f"${text}*{checksum:02X}\r\n"

    def angle(value: float, width: int) -> str:
        return f"{int(value):0{width}d}{(value - int(value)) * 60:07.4f}"

    lines = ""
    for time, latitude, longitude in route(count):
        clock = f"{time:%H%M%S}.00"
        place = f"{angle(latitude, 2)},N,{angle(longitude, 3)},E"
        lines += sentence(f"GPRMC,{clock},A,{place},{KNOTS:05.1f},000.0,{time:%d%m%y},,")
        lines += sentence(f"GPGGA,{clock},{place},1,08,1.0,35.0,M,47.0,M,,")
    return lines


def gpx(count: int) -> str:
    """The route as a recorder writes it, without speeds."""
    points = "".join(
        f'<trkpt lat="{latitude:.4f}" lon="{longitude:.4f}"><ele>35</ele>'
        f"<time>{time:%Y-%m-%dT%H:%M:%SZ}</time></trkpt>\n"
        for time, latitude, longitude in route(count)
    )
    head = '<?xml version="1.0"?>\n<gpx version="1.1" creator="test"><trk><trkseg>\n'
    return f"{head}{points}</trkseg></trk></gpx>\n"


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


async def listen_without_receiver(*said: str) -> tuple[asyncio.Server, int]:
    """What gpsd says that was started without a device, then these lines; and its port."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b'{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}\r\n')
        await reader.readline()
        writer.write(b'{"class":"DEVICES","devices":[]}\r\n')
        writer.write(b'{"class":"WATCH","enable":true,"json":true}\r\n')
        for line in said:
            writer.write(line.encode() + b"\r\n")
        await reader.read()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    return server, int(server.sockets[0].getsockname()[1])


class GPSFake:
    """gpsd, fed by gpsfake with a route."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self._folder = folder
        self._process: asyncio.subprocess.Process | None = None

    async def start(self, seconds: int = 600, pause: float = 0.1) -> None:
        """Starts it; it says a point each tenth of a second, or as often as told."""
        path = self._folder / "route.nmea"
        path.write_text(nmea(seconds), newline="")
        self._process = await asyncio.create_subprocess_exec(
            "gpsfake", "-q", "-n", "-c", str(pause), "-P", str(self.port), str(path),
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip

    async def stop(self) -> None:
        """Ends it, and the gpsd that it has started."""
        if self._process is None:
            return
        if self._process.returncode is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        await self._process.wait()
        self._process = None
