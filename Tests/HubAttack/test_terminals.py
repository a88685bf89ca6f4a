# SPDX-License-Identifier: Apache-2.0
"""What came over the air and is written to a terminal, however that is named: no name ends a line or steers it."""

import os
import re
import subprocess

import pytest

from conftest import NO_RADIO, AttackedHub, binary

HOSTILE = "one\r\ntwo\n=HYPERLINK(1)\x1b[31m\x07\x9b\u202e\u2028end"


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    hub = AttackedHub(tmp_path_factory.mktemp("terminal"), *NO_RADIO)
    hub.start()
    status, value = hub.bring([HOSTILE])
    assert status == 200 and hub.get("/detections")["items"][0]["ssid"] == HOSTILE, value
    assert hub.stop() == 0, hub.log
    return hub.database


def on_a_terminal(*command, output: str) -> str:
    """What a command writes to a terminal that is its standard output, or that is named."""
    own, its = os.openpty()
    named = ["--output", os.ttyname(its), "--force"] if output == "named" else ["--output", "/dev/stdout", "--force"] if output else []
    run = subprocess.Popen(
        [binary(), *map(str, command), *named], stdin=its, stdout=subprocess.DEVNULL if output == "named" else its,
        stderr=subprocess.DEVNULL, env={**os.environ, "NO_COLOR": "1"})
    os.close(its)
    octets = b""
    try:
        while piece := os.read(own, 1 << 16):
            octets += piece
    except OSError:
        pass  # Nobody holds its end any more.
    os.close(own)
    assert run.wait(20) == 0, octets
    return octets.decode().replace("\r\n", "\n")


@pytest.mark.parametrize("output", ["", "stdout", "named"])
@pytest.mark.parametrize("form", ["csv", "gpx", "geojson", "kml"])
def test_no_name_ends_a_line_of_an_export_on_a_terminal(database, form, output):
    text = on_a_terminal("detections", "export", "--format", form, "--database", database, output=output)
    assert "end" in text
    assert not (found := re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u2028\u202a-\u202e\u2066-\u2069\ufeff]", text)), found
    [line] = [one for one in text.split("\n") if "HYPERLINK" in one]
    assert "one" in line and "end" in line, text


@pytest.mark.parametrize("form", ["csv", "gpx"])
def test_a_file_gets_the_name_as_it_is(database, form, tmp_path):
    path = tmp_path / f"out.{form}"
    done = subprocess.run([binary(), "detections", "export", "--output", path, "--database", database], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "\u202e" in path.read_text() or "&#" in path.read_text()
