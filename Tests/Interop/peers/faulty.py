# SPDX-License-Identifier: Apache-2.0
"""A `TreeGadget` whose requests and responses a test may answer, change, repeat or swallow, octet by octet."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from bumble.att import ATT_PDU
from bumble.device import Connection

from peers.bench import Bench
from peers.database import Database
from peers.raw import ATT_CID
from peers.tree_gadget import TreeGadget

OnRequest = Callable[[bytes], "list[bytes] | None"]
OnResponse = Callable[[bytes], "list[bytes]"]
REMOTE_USER = 0x13


class FaultyGadget(TreeGadget):
    """`on_request` answers a request with PDUs, with none, or by `None` leaves it to the server; `on_response` says
    what is sent in place of a response of the server."""

    def __init__(
        self,
        bench: Bench,
        database: Database,
        *,
        on_request: OnRequest = lambda _pdu: None,
        on_response: OnResponse = lambda pdu: [pdu],
        mtu: int = 517,
    ) -> None:
        super().__init__(bench, database)
        server = self.device.gatt_server
        server.max_mtu = mtu
        serve, send = server.on_gatt_pdu, server.send_gatt_pdu
        self.requests: list[bytes] = []
        self.bearer: Connection | None = None

        def on_pdu(bearer: Connection, pdu: ATT_PDU) -> None:
            self.bearer = bearer
            octets = bytes(pdu)
            self.requests.append(octets)
            answers = on_request(octets)
            if answers is None:
                serve(bearer, pdu)
            else:
                self.send(*answers)

        def send_pdu(bearer: Connection, pdu: bytes) -> None:
            for octets in on_response(pdu):
                send(bearer, octets)

        server.on_gatt_pdu = on_pdu
        server.send_gatt_pdu = send_pdu

    def send(self, *pdus: bytes) -> None:
        """Sends PDUs as they are."""
        assert self.bearer is not None
        for pdu in pdus:
            self.bearer.send_l2cap_pdu(ATT_CID, pdu)

    def later(self, seconds: float, pdu: bytes) -> None:
        """Sends a PDU after a while, if the link is still there."""
        asyncio.get_running_loop().call_later(seconds, lambda: self.is_linked and self.send(pdu))

    @property
    def is_linked(self) -> bool:
        return self.bearer is not None and self.bearer in self.device.connections.values()

    def hang_up(self) -> None:
        """Ends the link."""
        assert self.bearer is not None
        asyncio.get_running_loop().create_task(self.bearer.disconnect(REMOTE_USER))
