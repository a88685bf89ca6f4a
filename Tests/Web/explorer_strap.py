# SPDX-License-Identifier: Apache-2.0
"""A strap on the radio of an engine, a device with something of everything, and what tests of the page Explorer do with it."""

from __future__ import annotations

from typing import Any

import pytest
from explorer_data import MIX, STRAP, beat, strap, tree
from playwright.sync_api import expect
from scripted_radio import Device


# A service that nobody knows: the one of the invented strap is a Nightlight's, which has names.
OWN = "5c1e0200-d04b-48eb-b3fa-32eb4f0ffac4"


class Strap(Device):
    """The strap; hostile, it has values and names that nobody should have."""

    def __init__(self, is_hostile: bool = False, address: str | None = None) -> None:
        layout = {
            service["uuid"].replace(MIX[:4], OWN[:4]): {
                one["uuid"].replace(MIX[:4], OWN[:4]): (" ".join(one["properties"]), one["octets"] or "", one["value_handle"])
                for one in service["characteristics"]
            }
            for service in tree(strap(1), is_hostile)["services"]
        }
        super().__init__(STRAP, layout, -58, ["180d", "180f"] if address else None, address, "59000aff01" if address else "")
        self.refuses(OWN.replace("0200", "0203"), "unauthorized")

    def refuses(self, uuid: str, why: str) -> None:
        """What of it cannot be read."""
        self.services()
        self.fails["read", self.handles[uuid]] = why


def heart(hub, *rates: int) -> None:
    """The heart beats at these rates."""
    for rate in rates:
        hub.radio.send(hub.strap, "2a37", beat(rate))


@pytest.fixture
def hub(engine):
    """An engine with a strap, which is its first device."""
    engine.begin()
    engine.strap = Strap()
    engine.radio.add(engine.strap)
    return engine


def visible(page, name: str):
    return page.get_by_role("button", name=name, exact=True).filter(visible=True)


def item(page, name: str):
    return page.get_by_role("treeitem", name=name)


def connect(page) -> None:
    """Opens the strap."""
    page.evaluate("() => { location.hash = '#/explorer/device/1' }")
    visible(page, "Connect").click()
    expect(item(page, "Heart Rate Measurement")).to_be_visible()


def explorer(hub) -> dict[str, Any] | None:
    """What is said of the link to the strap; None when there is none."""
    jobs = hub.get("/jobs")["items"]
    return hub.get(f"/explorers/{jobs[0]['id']}")["explorer"] if jobs else None


def asked(hub, verb: str) -> list[dict]:
    """What pages have asked of devices."""
    return [body for method, path, body, _ in hub.asked if method == "POST" and path.startswith("/explorers/") and path.endswith(verb)]
