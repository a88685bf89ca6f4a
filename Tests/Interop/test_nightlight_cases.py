# SPDX-License-Identifier: Apache-2.0
"""Asks `lantern nightlight simulate` what stands in the table of schedule cases that were worked out by hand."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import pytest

from lantern import DONE, Lantern
from peers.schedule_table import ASKED, SCHEDULES, SECTIONS, Section, instant


def test_most_of_the_table_is_asked() -> None:
    assert sum(len(section.cases) for section in ASKED) >= 90
    assert sum(len(section.cases) for section in SECTIONS) >= 120


@pytest.mark.parametrize("section", ASKED, ids=lambda section: section.title)
async def test_the_table(section: Section, lantern: Lantern, tmp_path: Path) -> None:
    assert section.use and section.cases
    week, zone, tonight, days, since = section.use.groups()
    (tmp_path / "week.json").write_text(json.dumps(SCHEDULES["week", week]))
    arguments = ["--week", str(tmp_path / "week.json"), "--time-zone", zone]
    if tonight:
        (tmp_path / "tonight.json").write_text(json.dumps(SCHEDULES["tonight", tonight]))
        arguments += ["--tonight", str(tmp_path / "tonight.json"), "--days", days, "--from", since]
    for case in section.cases:
        day, clock, offset, off, source, color, until_day, until_clock, until_offset = case.groups()
        asked = ["nightlight", "simulate", *arguments, "--at", f"{day}T{clock}{offset}", "--json"]
        result = await lantern.run_offline(*asked)
        assert result.status == DONE, result
        answer = json.loads(result.stdout)
        assert (answer["source"], answer["color"]) == ((source, color) if not off else ("off", "#000000")), case[0]
        until = answer["until"] and datetime.fromisoformat(answer["until"])
        wanted = instant(zone, until_day, until_clock, until_offset) if until_day else None
        assert (until and until.timestamp()) == (wanted and wanted.timestamp()), case[0]
        if until and not until_offset and until_clock:
            assert answer["until"].startswith(f"{until_day}T{until_clock}:00"), case[0]
