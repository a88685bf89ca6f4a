# SPDX-License-Identifier: Apache-2.0
"""The words of the pages: one spelling for each unit, and none of the sentences that nobody understood."""

import re

import pytest
from server import PUBLIC

TEXTS = {path.relative_to(PUBLIC).as_posix(): path.read_text() for path in PUBLIC.rglob("*.js")}

# What is wrong, and what it looks like.
WRONG = {
    "82%, without a space": r"[0-9}] %[^ =]",
    "dBm": r"\b(?!dBm\b)[dD][bB][mM]\b",
    "WPA2, WPA3": r"\b(?!WPA[23]?\b)[wW][pP][aA][ -]?[23]\b",
    "Wi-Fi": r"[\"` ](?:WiFi|Wifi|WIFI|wi-fi)[\"` .,]",
    "words that nobody says":
    r"counts at 0|s a turn|time without|is no JSON|whom to thank|nobody in the middle|too little is known|that is over|"
    r"can do something with|Which dialect",
}


@pytest.mark.parametrize("wanted", WRONG)
def test_there_is_one_spelling(wanted):
    found = [
        f"{name}: {line.strip()}"
        for name, text in TEXTS.items()
        for line in text.splitlines()
        # Comments and names of the protocol are no words of the pages.
        if not line.lstrip().startswith("//") and re.search(WRONG[wanted], line, re.I if wanted.startswith("words") else 0)
    ]
    assert found == []
