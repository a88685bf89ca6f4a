# SPDX-License-Identifier: Apache-2.0
"""Hubs that are stopped and killed while they restore a stranger's copy: there is the old or the new, and ours is in power."""

import random
import sqlite3
import threading
import time
from contextlib import closing

import pytest

from conftest import NO_RADIO, AttackedHub, changed, fill
from patience import within


def test_the_hub_stops_while_a_copy_is_read(hub, tmp_path):
    """What a stranger's copy costs holds up nobody who ends the hub; nothing has changed, and nothing is left."""
    many = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400000)"
    evil = changed(hub.copy(), tmp_path, f"{many} INSERT INTO parse_error (received, reason, raw) SELECT i, 'none', x'00' FROM n")
    work = threading.Thread(target=lambda: _ignoring(lambda: hub.restore(evil)))
    work.start()
    hub.until(lambda: [path for path in hub.folder.iterdir() if path.name.endswith("-restored")])
    time.sleep(0.3)
    assert work.is_alive(), "the copy is read already"
    begin = time.monotonic()
    assert hub.stop() == 0, hub.log
    assert time.monotonic() - begin < within(5)
    work.join()
    assert not [path.name for path in hub.folder.iterdir() if path.name.startswith(".lantern")]
    hub.start()
    assert hub.get("/detections")["total"] == 3
    with closing(sqlite3.connect(hub.database)) as connection:
        assert connection.execute("SELECT COUNT(*) FROM parse_error").fetchone() == (0,)


@pytest.mark.parametrize("turn", range(2))
def test_token_and_bonds_of_now_are_settled_in_the_commit_of_the_copy(tmp_path, turn):
    """Whoever looks sees the old or the new, each with ours; the hub is killed at the first sight of the new."""
    hub = AttackedHub(tmp_path, *NO_RADIO)
    fill(hub.database, [f"n{index}" for index in range(500)])
    hub.start()
    copy = hub.copy()
    hub.stop()

    def own(connection, name):
        connection.execute("INSERT OR REPLACE INTO setting VALUES ('access', ?)", (f'{{"token":"{name}","sessions":[]}}',))
        connection.execute("INSERT INTO bond (adapter, identity, sealed) VALUES ('adapter', 'identity', ?)", (name.encode(),))

    def seen() -> tuple:
        return connection.execute(
            "SELECT (SELECT COUNT(*) FROM detection), (SELECT value FROM setting WHERE name = 'access'), "
            "(SELECT group_concat(CAST(sealed AS TEXT)) FROM bond)").fetchone()

    with closing(sqlite3.connect(hub.database)) as connection:
        own(connection, "00")
        connection.execute("DELETE FROM detection WHERE id > 100")
        connection.commit()
    evil = changed(
        copy, tmp_path, "INSERT OR REPLACE INTO setting VALUES ('access', '{\"token\":\"66\",\"sessions\":[]}')",
        "INSERT INTO bond (adapter, identity, sealed) VALUES ('adapter', 'identity', CAST('66' AS BLOB)), ('more', 'more', CAST('66' AS BLOB))")
    hub.start()
    with closing(sqlite3.connect(hub.database)) as connection:
        before = seen()
        assert before[0] == 100 and "00" in before[1] and before[2] == "00"
        work = threading.Thread(target=lambda: _ignoring(lambda: hub.restore(evil)))
        work.start()
        end = time.monotonic() + within(20)
        while (now := seen()) == before:
            assert time.monotonic() < end
        if turn:
            hub.kill()
        work.join()
    assert now[0] == 500 and '"66"' not in now[1] and now[2] == "00", now
    with closing(sqlite3.connect(hub.database)) as connection:
        now = seen()
    assert now[0] == 500 and '"66"' not in now[1] and now[2] == "00", now
    if not turn:
        assert hub.stop() == 0, hub.log


@pytest.mark.long
def test_killed_at_any_moment_of_a_restore(tmp_path):
    """The hub is killed while it restores a copy with another token: afterwards there is the old or the new, whole, and ours is in power."""
    hub = AttackedHub(tmp_path, *NO_RADIO)
    fill(hub.database, [f"n{index}" for index in range(3000)])
    hub.start()
    copy = hub.copy()
    hub.stop()
    with closing(sqlite3.connect(hub.database)) as connection:
        connection.execute("INSERT OR REPLACE INTO setting VALUES ('access', '{\"token\":\"00\",\"sessions\":[]}')")
        connection.execute("DELETE FROM detection WHERE id > 1000")
        connection.execute("INSERT INTO bond (adapter, identity, sealed) VALUES ('adapter', 'identity', CAST('00' AS BLOB))")
        connection.commit()
    evil = changed(
        copy, tmp_path, "INSERT OR REPLACE INTO setting VALUES ('access', '{\"token\":\"66\",\"sessions\":[]}')",
        "INSERT INTO bond (adapter, identity, sealed) VALUES ('adapter', 'identity', CAST('66' AS BLOB))")
    chance = random.Random(33)
    seconds = 2.0
    for _ in range(90):
        hub.start()
        begin = time.monotonic()
        work = threading.Thread(target=lambda: _ignoring(lambda: hub.restore(evil)))
        work.start()
        work.join(chance.random() * seconds)
        hub.kill()
        work.join()
        seconds = max(0.2, min(seconds, time.monotonic() - begin + 0.2))
        with closing(sqlite3.connect(hub.database)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert connection.execute("SELECT COUNT(*) FROM detection").fetchone()[0] in (1000, 3000)
            kept = connection.execute("SELECT value FROM setting WHERE name = 'access'").fetchone()
            assert kept and '"66"' not in kept[0]
            assert connection.execute("SELECT CAST(sealed AS TEXT) FROM bond").fetchall() == [("00",)]


def _ignoring(body) -> None:
    try:
        body()
    except OSError:
        pass
