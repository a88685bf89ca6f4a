# SPDX-License-Identifier: Apache-2.0
"""Radios that are busy, forbidden, gone or full: the hub and its pages say which in words, and go on when it is over."""

import fcntl
import os
import pty
import pwd
import termios

import pytest
from bumble import hci
from playwright.sync_api import expect
from real_hub import RealHub
from test_real_hub import connect, detection

DISALLOWED = hci.HCI_ErrorCode.COMMAND_DISALLOWED_ERROR
FULL = hci.HCI_ErrorCode.CONNECTION_LIMIT_EXCEEDED_ERROR


@pytest.fixture
def hub(air, tmp_path):
    one = RealHub(tmp_path, "--radio", air.radio)
    yield one
    if one.process.poll() is None:
        assert one.stop() == 0, one.log


def change_controllers(air, change) -> None:
    """Has each controller that a host is given from now on behave otherwise."""
    make = air.bench.make_controller

    def changed(*arguments):
        controller = make(*arguments)
        change(controller)
        return controller

    air.bench.make_controller = changed


def open_pages(hub, chromium, size):
    width, height = {"desktop": (1280, 832), "phone": (390, 844)}[size]
    page = chromium.new_page(viewport={"width": width, "height": height})
    page.goto(hub.address + "/#/scanner")
    return page


def radio(hub) -> dict:
    return hub.get("/hub")["radio"]


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_a_radio_that_refuses_to_listen_is_said_and_tried_again(hub, air, chromium, size):
    refuses = [True]

    def refuse(controller):
        begin = controller.on_hci_le_set_scan_enable_command

        def answer(command):
            if refuses[0] and command.le_scan_enable:
                return hci.HCI_StatusReturnParameters(DISALLOWED)
            return begin(command)

        controller.on_hci_le_set_scan_enable_command = answer

    change_controllers(air, refuse)
    hub.start()
    trouble = hub.until(lambda: (now := radio(hub))["state"] == "busy" and now)
    assert trouble["title"] == "The radio does not listen" and "command disallowed" in trouble["text"], trouble
    assert "Another program may be using it" in trouble["text"] and trouble["next_try"]
    page = open_pages(hub, chromium, size)
    expect(page.locator("body")).to_contain_text("The radio does not listen")
    expect(page.locator("body")).to_contain_text("Another program may be using it")
    refuses[0] = False
    hub.until(lambda: radio(hub)["state"] == "scanning", 60)
    expect(page.locator("body")).not_to_contain_text("The radio does not listen")
    connect(hub, air)
    air.send(detection(1))
    hub.detections(count=1)
    page.close()


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_a_radio_without_room_for_a_connection_is_said_and_asked_again(hub, air, chromium, size):
    full = [True]

    def refuse(controller):
        begin = controller.on_hci_le_create_connection_command

        def answer(command):
            if not full[0]:
                return begin(command)
            controller.send_hci_packet(hci.HCI_Command_Status_Event(FULL, 1, command.op_code))

        controller.on_hci_le_create_connection_command = answer

    change_controllers(air, refuse)
    hub.start()
    finder = lambda: next((one for one in hub.get("/devices")["items"] if one["kind"] == "flockfinder"), None)  # noqa: E731
    number = hub.until(finder)["id"]
    if finder()["state"] == "none":
        hub.request("POST", f"/api/v1/devices/{number}/connect")
    trouble = hub.until(lambda: (now := radio(hub))["state"] == "full" and now)
    assert trouble["title"] == "The radio has no room for another connection" and "Disconnect a device" in trouble["text"]
    assert "no room for another connection" in hub.until(lambda: finder()["reason"]), finder()
    page = open_pages(hub, chromium, size)
    expect(page.locator("body")).to_contain_text("The radio has no room for another connection")
    full[0] = False
    hub.until(lambda: finder()["state"] == "connected", 90)
    hub.until(lambda: radio(hub)["state"] == "scanning")
    expect(page.locator("body")).not_to_contain_text("no room")
    page.close()


def test_a_hub_for_which_no_radio_was_named_says_that_it_looks_for_one(tmp_path):
    hub = RealHub(tmp_path)
    hub.start()
    assert radio(hub)["name"] in ("automatic", "bluez", "hci")
    assert hub.stop() == 0


def test_a_serial_port_that_is_not_there_is_named(tmp_path):
    hub = RealHub(tmp_path, "--radio", "serial:/dev/ttyNONE0")
    hub.start()
    trouble = hub.until(lambda: (now := radio(hub))["state"] == "missing" and now)
    assert trouble["title"] == "The radio is not plugged in" and "/dev/ttyNONE0" in trouble["text"], trouble
    assert hub.stop() == 0


@pytest.fixture
def stranger(tmp_path):
    """A hub run by a user who may do less, and a serial port of somebody else's."""
    if os.getuid() != 0:
        pytest.skip("only root can start a hub as another user")
    nobody = pwd.getpwnam("nobody")
    folder = tmp_path
    os.chown(folder, nobody.pw_uid, nobody.pw_gid)
    while folder != folder.parent:
        os.chmod(folder, os.stat(folder).st_mode | 0o011)
        folder = folder.parent
    ours, theirs = pty.openpty()
    path = os.ttyname(theirs)
    hub = RealHub(tmp_path, "--radio", f"serial:{path}")
    hub.user = nobody.pw_uid
    yield hub, path, theirs
    assert hub.stop() == 0, hub.log
    os.close(ours)
    os.close(theirs)


def test_a_serial_port_that_may_not_be_opened_is_forbidden(stranger):
    hub, path, _ = stranger
    os.chmod(path, 0o600)
    hub.start()
    trouble = hub.until(lambda: (now := radio(hub))["state"] == "forbidden" and now)
    assert path in trouble["text"] and "group" in trouble["text"], trouble
    assert any("usermod -aG" in command for command in trouble["commands"]), trouble


def test_a_serial_port_that_another_program_holds_is_busy(stranger):
    hub, path, theirs = stranger
    os.chmod(path, 0o666)
    fcntl.ioctl(theirs, termios.TIOCEXCL)
    hub.start()
    trouble = hub.until(lambda: (now := radio(hub))["state"] == "busy" and now)
    assert trouble["title"] == "The radio is in use" and path in trouble["text"], trouble
    assert trouble["commands"] == [f"fuser -v {path}"]
