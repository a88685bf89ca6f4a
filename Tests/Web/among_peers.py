# SPDX-License-Identifier: Apache-2.0
"""A real hub on the air of Bumble's controllers, for tests with peers: `from among_peers import hub`."""

import pytest
from real_hub import RealHub


@pytest.fixture
def hub(air, tmp_path):
    one = RealHub(tmp_path, "--radio", air.radio)
    one.start()
    yield one
    one.stop()
