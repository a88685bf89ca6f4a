# SPDX-License-Identifier: Apache-2.0
"""Where the invented sources stand: points of the guide's drawn map, in its pixels."""

WEST, NORTH = 8.746 - 435 / 119_400, 52.108 + 67 / 193_000
"""Where the drawn map of the guide begins; its points are given in its pixels."""

SPOTS = {
    "flock_safety": (799, 415, 18),
    "pigvision": (1051, 289, 21),
    "raven": (1134, 241, 38),
    "ring": (878, 570, 14),
    "verkada": (926, 482, 5),
    "nest": (617, 528, 11),
    "unknown": (1082, 501, 45),
    "penguin": (1003, 144, 17),
    "hikvision": (758, 617, 33),
    "dahua": (1045, 627, 12),
    "axis": (513, 307, 19),
    "reolink": (492, 583, 27),
    "arlo": (1186, 666, 52),
    "wyze": (1321, 617, 24),
    "lorex": (1190, 800, None),
    "eufy": (1290, 240, 15),
}


def spot(x: float, y: float) -> tuple[float, float]:
    """Latitude and longitude of a point of the drawn map."""
    return NORTH - y / 193_000, WEST + x / 119_400
