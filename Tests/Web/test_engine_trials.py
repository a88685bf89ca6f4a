# SPDX-License-Identifier: Apache-2.0
"""Core, Kits, Companion and the virtual air in WebAssembly give what they give natively, octet by octet: all that the fuzzers
have kept, every octet that is written down in the tests of Core and Kits, and a soak of the virtual air.

What comes of an input is all that was sent, told and written again (`FuzzTrace`). `Tests/Soak` itself stands on tasks and
threads, which WebAssembly has not; here the hosts on the air are driven without them, on the same clock."""

from __future__ import annotations

import random
import re
import subprocess

import pytest
from engine_pair import NATIVE, ROOT, SITE

TRIALS = SITE.parent / "trials.wasm"
pytestmark = [
    pytest.mark.skipif(not TRIALS.exists(), reason="Scripts/build-web has not made trials.wasm"),
    pytest.mark.skipif(not NATIVE.exists(), reason="lantern-engine is not built"),
]
NODE = ["node", "--single-threaded", str(ROOT / "Tests/Web/engine_lines.mjs"), str(SITE)]
TARGETS = sorted(path.stem for path in (ROOT / "Fuzz/Corpus").glob("*.hex"))


# Worked out by hand from the documents, before any code: WiFiSet, Nightlight, Colorific, the overflow area.
GOLDEN = """
    01040000 020510000C4D794E6574776F726B322E34C80206 0306010001 1107010000 20020000
    10011B000C4D794E6574776F726B322E340D6D7970617373776F7264313233
    210A130003C8C0A801640C4D794E6574776F726B322E34 FF0B0900050774696D656F7574
    01065363686F6F6C021F019204A401FF880000006001CE04E001201040015A 010301740486011020300000 0100021F006000 01FF8800B202
    58010301FF00FF0000 58010301FF00000000
    14FF4C000100000000000000800000000000000000 558040C020 80000000000000005A59020700820000
""".split()


def counted(octets: bytes) -> str:
    """As a script of the fuzzers reads octets whose number stands before them."""
    return f"{min(len(octets), 255):02x}{octets[:255].hex()}"


# How octets from elsewhere become inputs of a target that are about them: as a decoder gets them, and as a peer sends them.
INPUTS = {
    "ad": lambda one: [one.hex()],
    "air": lambda one: [one.hex()],
    "att_server": lambda one: [f"7000{counted(one)}"],
    "gatt_client": lambda one: [f"06{counted(one)}"],
    "h4": lambda one: [f"00{one.hex()}", f"0001{one.hex()}", f"0004{one.hex()}"],
    "hci": lambda one: [f"{habits}03{counted(kind + one)}" for habits in ("00", "03") for kind in (b"\x04", b"\x02")],
    "l2cap": lambda one: [one.hex(), f"000000{counted(one)}"],
    "smp": lambda one: [f"0300030006{counted(one)}16{counted(one)}"],
    "detection_json": lambda one: [f"00ff{one.hex()}", f"0006{one.hex()}"],
    "wifiset": lambda one: [f"00ff{one.hex()}", f"0006{one.hex()}", f"0104{counted(one)}", f"0205{counted(one)}"],
    "improv": lambda one: [f"00ff{one.hex()}", f"0103{counted(one)}", f"020005{counted(one)}"],
    "nightlight": lambda one: [f"{what}{one.hex()}" for what in ("00", "01", "02", "03")],
    "bulb": lambda one: [f"{dialect:02x}00{counted(one)}0a0b04{counted(one)}" for dialect in range(8)],
    "overflow": lambda one: [f"0000{counted(one)}", f"0100{counted(one)}"],
}


def both(trials: list[tuple[str, str]]) -> list[str]:
    """What comes of inputs natively, which must be what comes of them in WebAssembly."""
    lines = "".join(f"try {target} {octets}\n" for target, octets in trials)
    run = lambda command: subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout  # noqa: E731
    native, web = ([one for one in run(command).splitlines() if one != "."] for command in ([str(NATIVE)], NODE))
    assert len(native) == len(web) == len(trials)
    for trial, one, other in zip(trials, native, web):
        assert one == other, f"of {trial} comes natively\n{one[:2000]}\nin WebAssembly\n{other[:2000]}"
        assert not one.startswith("failed"), f"{trial}: {one}"
    return native


def kept(target: str) -> list[str]:
    crashes = (ROOT / "Fuzz/Crashes" / target).glob("*")
    return (ROOT / f"Fuzz/Corpus/{target}.hex").read_text().split() + [path.read_bytes().hex() for path in crashes]


def written_down() -> set[bytes]:
    """Octets as tests write them: hex digits in a text, or numbers between brackets; and JSON."""
    found: set[bytes] = set()
    for module in ("WiFiSet", "Improv", "Nightlight", "LEDBulb", "OverflowArea", "FlockFinder", "BLEAdvertising", "BLEATT", "BLEHCI",
                   "BLEL2CAP", "BLESMP", "BLESimulation", "BLECapture"):  # fmt: skip
        for file in (ROOT / f"Tests/{module}Tests").rglob("*.*"):
            text = file.read_text()
            for one in re.findall(r'"([0-9A-Fa-f |_]+)"', text):
                digits = re.sub(r"[ |_]", "", one)
                if digits and len(digits) % 2 == 0:
                    found.add(bytes.fromhex(digits))
            for one in re.findall(r"\[([0-9A-Fa-fx_,\s]+)\]", text):
                words = one.replace("_", "").replace(",", " ").split()
                if all(re.fullmatch(r"0x[0-9A-Fa-f]{1,2}|\d{1,3}", word) for word in words):
                    numbers = [int(word, 0) if "x" in word else int(word) for word in words]
                    if max(numbers, default=256) < 256:
                        found.add(bytes(numbers))
            found |= {one.encode() for one in re.findall(r"\{\"[^\n]*\}", text)}
    return found


def test_there_is_an_input_for_each_target():
    assert set(TARGETS) == set(INPUTS)


@pytest.mark.parametrize("target", TARGETS)
def test_what_the_fuzzers_have_kept(target):
    told = both([(target, octets) for octets in kept(target)])
    assert len(told) >= 10 and max(map(len, told)) > 20


def test_octets_of_the_tests():
    octets = sorted(written_down() | {bytes.fromhex(one) for one in GOLDEN})
    assert len(octets) > 1000
    told = both([(target, text) for target in TARGETS if target != "air" for one in octets for text in INPUTS[target](one)])
    assert sum(len(one) for one in told) > 100_000


def test_a_soak_of_the_virtual_air():
    told = both([("air", random.Random(seed).randbytes(8000).hex()) for seed in range(1, 33)])
    links = [one.count("3e1301") + one.count("3e1f0a") for one in told]
    assert sum(len(one) for one in told) > 10_000_000 and sum(links) > 100, (sum(len(one) for one in told), links)
