# SPDX-License-Identifier: Apache-2.0
"""The words of pages and command line: one spelling for each unit, and none of the sentences that nobody understood."""

import re

import pytest
from page_files import PUBLIC

SOURCES = PUBLIC.parents[2]
PAGES = [*PUBLIC.rglob("*.js"), *(SOURCES / "Web/Site").glob("*.js")]
TEXTS = {path.relative_to(SOURCES).as_posix(): path.read_text() for path in PAGES}
# What the command line says, and a hub: letters between quotes that have a blank among them.
SAID = re.compile(r'"(?:[^"\\\n]|\\.)* (?:[^"\\\n]|\\.)*"')
SENTENCES = {path.relative_to(SOURCES).as_posix(): SAID.findall(path.read_text()) for path in SOURCES.rglob("*.swift")}

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


# Files of others spell as they like, names of a protocol are those that others gave, and what is simulated speaks for itself.
FOREIGN = (
    "Edges/BLEAssignedNumbers/", "Companion/Detections/Exports/", "Companion/ProductRegistry/", "Products/WiFiSet/WiFiSetCompanion/WiFiSet",
    "Products/WiFiSet/WiFiSetSimulated/", "Simulation/",
)  # fmt: skip


@pytest.mark.parametrize("wanted", WRONG)
def test_the_command_line_spells_as_the_pages_do(wanted):
    ignored = re.I if wanted.startswith("words") else 0
    found = [
        f"{name}: {sentence}"
        for name, sentences in SENTENCES.items()
        if not name.startswith(FOREIGN)
        for sentence in sentences
        if re.search(WRONG[wanted], sentence, ignored)
    ]
    assert found == []
