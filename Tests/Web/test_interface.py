# SPDX-License-Identifier: Apache-2.0
"""The interface of a running hub against its own OpenAPI document, by schemathesis."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from real_hub import RealHub

HERE = Path(__file__).parent


@pytest.fixture
def hub(tmp_path):
    one = RealHub(tmp_path, command="demo")
    one.start()
    one.detections(90, count=3)
    yield one
    assert one.stop() == 0, one.log


def test_it_answers_what_its_document_says(hub, tmp_path):
    """No undocumented answer, no 5xx, all answers of their shapes; `LANTERN_EXAMPLES` asks for more of each."""
    run = subprocess.run(
        [
            Path(sys.executable).parent / "schemathesis",
            "--config-file",
            HERE / "schemathesis.toml",
            "run",
            hub.address + "/api/v1/openapi.json",
            "--seed=1",
            f"--max-examples={os.environ.get('LANTERN_EXAMPLES', '15')}",
            "--continue-on-failure",
            "--generation-database=none",
            "--request-timeout=20",
            # A stream has no end, and a database is no text.
            "--exclude-path=/events",
            "--exclude-operation-id=restoreDatabase",
            "--no-color",
            "--report=json",
            f"--report-json-path={tmp_path / 'report.json'}",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout[-6000:]
    assert json.loads((tmp_path / "report.json").read_text())
    # What it asked for has not worn the hub out.
    assert hub.get("/hub")["version"]
