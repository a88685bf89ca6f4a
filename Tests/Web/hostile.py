# SPDX-License-Identifier: Apache-2.0
"""Texts that anybody can send over the air, and that no page may take for anything but text."""

RLO = "\u202e"
HOSTILE = [
    "<img src=x onerror=alert(1)>",
    f"NTGR{RLO}VMB\u200b\u0007",
    "\x1b[31mFREE WIFI\x1b[0m",
    "'; DROP TABLE detections; --",
    "=cmd|' /C calc'!A0",
    "a" * 8192,
    "שלום ☕ Ünïcødé",
    "\u2066\u2069\ufeff",
    "<script>alert(1)</script>",
    "{{constructor.constructor('alert(1)')()}}",
    "Z" + "\u0335\u0321\u0301\u0489" * 60,
    RLO * 40 + "live",
    "\u200b\u200d" * 120,
    "nul\0nul\x9b31m",
    "W" * 300,
    "\ufdfd" * 60,
    "two\u2028lines\nand\rmore\ttabs",
    "\U000e0041\U000e0042tags",
]
