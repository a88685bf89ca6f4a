# SPDX-License-Identifier: Apache-2.0
"""What a lamp shows on a day, worked out instant by instant: the slow way, to hold the quick one against."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone
from functools import cache
from zoneinfo import ZoneInfo

from peers.lamp_values import BLACK, DAY, DAY_MINUTES, OFF, WEEK, Group, Period, Tonight, Week

MINUTE = timedelta(minutes=1)
DAY_LONG = timedelta(days=1)


@dataclass(frozen=True)
class Night:
    """One period on one date, as instants."""

    start: datetime
    end: datetime
    source: int
    color: bytes


@dataclass(frozen=True)
class Stretch:
    """What shines from one instant to another."""

    start: datetime
    end: datetime
    source: int
    color: bytes


@cache
def instant_of(day: date, minute: int, zone: ZoneInfo) -> datetime:
    """When a wall-clock marker acts: the first instant at which the wall shows it, or has passed it.

    The wall is looked at minute by minute, from two hours before; nothing is computed backwards.
    """
    wanted = datetime.combine(day, time()) + minute * MINUTE
    near = wanted.replace(tzinfo=timezone.utc)
    offset = (near - DAY_LONG).astimezone(zone).utcoffset()
    assert offset is not None
    moment = near - offset - timedelta(hours=2)
    while _wall(moment, zone) < wanted:
        moment += MINUTE
    return moment


def _wall(moment: datetime, zone: ZoneInfo) -> datetime:
    return moment.astimezone(zone).replace(tzinfo=None)


def nights_around(
    day: date, week: Week, tonight: Tonight | None, since: date | None, zone: ZoneInfo
) -> list[Night]:
    """Every period that could shine on a date: those of the days before it too."""
    found = []
    for offset in (-2, -1, 0):
        begins = day + offset * DAY_LONG
        replaced = tonight is not None and since is not None and 0 <= (begins - since).days < tonight.days_left
        periods = tonight.periods if replaced and tonight is not None else week.periods_of(begins.weekday())
        for period in periods:
            start = instant_of(begins, period.on, zone)
            ends = begins if period.off > period.on else begins + DAY_LONG
            end = instant_of(ends, period.off, zone)
            if period.timeout is not None:
                end = min(end, start + period.timeout * MINUTE)
            if start < end:
                found.append(Night(start, end, DAY if replaced else WEEK, period.color))
    return found


def timeline(
    day: date, week: Week, tonight: Tonight | None, since: date | None, zone: ZoneInfo
) -> list[Stretch]:
    """The stretches of a date from midnight to midnight."""
    start, end = instant_of(day, 0, zone), instant_of(day + DAY_LONG, 0, zone)
    nights = nights_around(day, week, tonight, since, zone)
    borders = {start, end} | {edge for night in nights for edge in (night.start, night.end)}
    edges = sorted(edge for edge in borders if start <= edge <= end)
    stretches: list[Stretch] = []
    for first, last in zip(edges, edges[1:]):
        shining = [night for night in nights if night.start <= first < night.end]
        best = max(shining, key=lambda night: night.source, default=None)
        source, color = (best.source, best.color) if best else (OFF, BLACK)
        if stretches and (stretches[-1].source, stretches[-1].color) == (source, color):
            stretches[-1] = Stretch(stretches[-1].start, last, source, color)
        else:
            stretches.append(Stretch(first, last, source, color))
    return stretches


def has_a_double(day: date, week: Week, tonight: Tonight | None, since: date | None, zone: ZoneInfo) -> bool:
    """Whether a period of one schedule begins in a night of the other, which the profile does not settle."""
    nights = nights_around(day, week, tonight, since, zone)
    return any(
        one.start < other.end and other.start < one.end
        for number, one in enumerate(nights)
        for other in nights[number + 1 :]
    )


# Schedules by chance


def _periods(rng: random.Random, most: int = 4) -> tuple[Period, ...]:
    """Periods that do not overlap, even with themselves on the day after."""
    count = rng.randint(0, most)
    near = [rng.randrange(0, 240) for _ in range(count)]
    far = [rng.randrange(0, DAY_MINUTES) for _ in range(count)]
    edges = sorted(set(near + far))
    if len(edges) % 2:
        edges.pop()
    if len(edges) < 2:
        return ()
    if rng.random() < 0.5:
        edges = [*edges[1:], edges[0]]  # The last one goes over midnight.
    found = []
    for on, off in zip(edges[::2], edges[1::2]):
        timeout = rng.choice([None, None, rng.randint(1, 255)])
        found.append(Period(on, off, bytes(rng.randint(1, 255) for _ in range(3)), timeout))
    return tuple(found)


def any_week(rng: random.Random) -> Week:
    """Two to seven groups, with the same periods moved on minute by minute, so that no two days overlap."""
    days = list(range(7))
    rng.shuffle(days)
    cuts = sorted(rng.sample(range(1, 7), rng.randint(0, 6)))
    base = _periods(rng)
    groups = []
    for first, last in zip([0, *cuts], [*cuts, 7]):
        mask = sum(1 << day for day in days[first:last])
        kept = tuple(period for period in base if rng.random() < 0.8)
        groups.append(Group(mask, kept))
    return Week(rng.choice(["", "School", "Zoë's week"]), tuple(groups))


def any_tonight(rng: random.Random) -> Tonight:
    return Tonight(rng.randint(1, 30), _periods(rng))
