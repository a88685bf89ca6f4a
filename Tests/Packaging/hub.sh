#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The hub of the installed package under systemd, in Scripts/linux-vm: hub.sh PACKAGE. It ends with "N passed, N failed".
passed=0 failed=0
check() {
    local what=$1
    shift
    if "$@" >/tmp/said 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $what: $*"
        tail -n 5 /tmp/said
    fi
}
property() { systemctl show -P "$1" lantern-hub; }
# eventually COMMAND…: tries for a minute.
eventually() {
    local end=$((SECONDS + 60))
    until "$@"; do
        ((SECONDS < end)) || return 1
        sleep 0.5
    done
}
is() { [[ $("${@:2}") == "$1" ]] || { "${@:2}" && return 1; }; }
radio() { curl -sf http://127.0.0.1:8080/api/v1/hub | python3 -c 'import json, sys; print(json.load(sys.stdin)["radio"]["state"])'; }

check 'it installs' dpkg -i "$1"
check 'nothing starts by itself' is inactive property ActiveState
echo '{"radio": "hci:0"}' >/etc/lantern/hub.json
check 'the hub starts' systemctl start lantern-hub
if ((failed > 0)); then
    journalctl --no-pager -u lantern-hub | tail -n 30
    echo "$passed passed, $failed failed"
    exit 1
fi
check 'it says that it is ready' is active property ActiveState
check 'its pages are there at once' curl -sf http://127.0.0.1:8080/healthz
pid=$(property MainPID)
check 'its user is lantern' is lantern ps -o user= -p "$pid"
check 'it may configure the network, which an adapter wants, and nothing else' grep -q '^CapEff:.*0000000000001000$' "/proc/$pid/status"
check 'and so may what it starts' grep -q '^CapBnd:.*0000000000001000$' "/proc/$pid/status"
check 'it dumps no core' grep -qE '^Max core file size +0 +0 ' "/proc/$pid/limits"
check 'its memory is bounded' is 536870912 property MemoryMax
check 'and none of it is swapped' is 0 property MemorySwapMax
check 'what it frees is overwritten' grep -qa 'glibc.malloc.perturb=165' "/proc/$pid/environ"
check 'its tasks are bounded' is 128 property TasksMax
check 'what it keeps is its own' is 'lantern 600' stat -c '%U %a' /var/lib/lantern/lantern.sqlite
check 'it says that bluetoothd has the adapter' eventually is busy radio
check 'its pages are there all the same' curl -sf http://127.0.0.1:8080/
check 'bluetoothd gives the adapter up' systemctl stop bluetooth
check 'and the hub takes it' eventually is scanning radio
check 'it ends when told to' systemctl stop lantern-hub
check 'in good order' is success property Result
check 'bluetoothd is there again' systemctl start bluetooth
cp /etc/lantern/hub.json /tmp/hub.json
echo '{}' >/etc/lantern/hub.json
check 'a hub without a radio in its configuration starts' systemctl start lantern-hub
check 'and takes what bluetoothd has' eventually is scanning radio
check 'through it, not around it' systemctl is-active bluetooth
check 'it ends' systemctl stop lantern-hub
systemctl stop bluetooth
cp /tmp/hub.json /etc/lantern/hub.json
check 'it starts again' systemctl start lantern-hub
kill -KILL "$(property MainPID)"
check 'one that was killed comes back' eventually is 1 property NRestarts
check 'and is ready' eventually is active property ActiveState
mkdir -p /run/systemd/system/lantern-hub.service.d
printf '[Service]\nWatchdogSec=3\n' >/run/systemd/system/lantern-hub.service.d/watchdog.conf
systemctl daemon-reload
check 'it starts with a short watchdog' systemctl restart lantern-hub
sleep 10
check 'which it feeds' is 0 property NRestarts
kill -STOP "$(property MainPID)"
check 'one that hangs is ended and comes back' eventually is 1 property NRestarts
check 'with its pages' eventually curl -sf http://127.0.0.1:8080/healthz
exposure=$(systemd-analyze security --no-pager lantern-hub | sed -n 's/.*exposure level[^:]*: \([0-9.]*\).*/\1/p')
check "the sandbox holds: exposure $exposure of at most 2.0" \
    python3 -c 'import sys; sys.exit(not 0 <= float(sys.argv[1]) <= 2.0)' "$exposure"
rm -r /run/systemd/system/lantern-hub.service.d
systemctl daemon-reload
check 'it is removed while it runs' dpkg --purge lantern
check 'and has ended' is inactive property ActiveState
check 'nothing of it is left' test ! -e /var/lib/lantern -a ! -e /etc/lantern -a ! -e /usr/share/lantern
((failed == 0)) || journalctl --no-pager -u lantern-hub | tail -n 30
echo "$passed passed, $failed failed"
((failed == 0))
