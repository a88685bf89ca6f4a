# SPDX-License-Identifier: Apache-2.0
"""Disks that are soon full, or may only be read; who may not mount one skips the test."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """Makes a folder that is a disk of this size, such as `4m`."""
    folder.mkdir()
    if os.geteuid() != 0:
        pytest.skip("only root may mount a small disk")
    if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "lantern", folder], capture_output=True).returncode:
        pytest.skip("this system lets nobody mount a small disk")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


def remount(disk: Path, how: str) -> None:
    """Lets a disk be written (`rw`) or only be read (`ro`) from now on."""
    subprocess.run(["mount", "-o", f"remount,{how}", disk], check=True)
