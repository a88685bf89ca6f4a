# SPDX-License-Identifier: Apache-2.0
"""How long something may take on this machine as it is now."""

import os


def within(seconds: float) -> float:
    """A limit that holds on a machine whose processors have no more to do than they can: longer where more waits for them."""
    return seconds * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
