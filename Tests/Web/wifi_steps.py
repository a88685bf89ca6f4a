# SPDX-License-Identifier: Apache-2.0
"""The steps of the page Wi-Fi, whatever hub and device stand behind it."""

from playwright.sync_api import Page, expect


def set_up(page: Page, name: str) -> None:
    """Chooses a device and waits until it listens."""
    page.get_by_role("link", name=f"Set up {name}").click()
    expect(page.get_by_role("heading", name="Choose a network").first).to_be_attached(timeout=30000)


def choose(page: Page, network: str) -> None:
    row = page.get_by_role("button").filter(has=page.locator("bdi").get_by_text(network, exact=True))
    row.first.click(timeout=30000)


def type_name(page: Page, name: str) -> None:
    """Chooses a network that hides its name."""
    page.get_by_role("button", name="Hidden network, type its name").click()
    page.get_by_label("Name of the network").fill(name)


def send(page: Page, password: str) -> None:
    field = page.locator("#wifi-password")
    expect(field).to_be_visible()
    field.fill(password)
    field.press("Enter")


def joined(page: Page, name: str, seconds: float = 30) -> None:
    expect(page.get_by_role("heading", name=f"{name} is on Wi-Fi")).to_be_visible(timeout=seconds * 1000)


def failed(page: Page, network: str, seconds: float = 60) -> None:
    heading = page.locator("h2").filter(has_text="Couldn’t join").filter(has_text=f"“{network}”")
    expect(heading).to_be_visible(timeout=seconds * 1000)
