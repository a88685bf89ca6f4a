# SPDX-License-Identifier: Apache-2.0
"""lantern on adapters of the kernel, in a virtual machine (see run): `run adapter`.

Two virtual controllers of BlueZ's btvirt are hci0 and hci1, and bluetoothd has both. A peer of Bumble is on the same air.
The tests follow each other: who has the adapters changes.
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

LANTERN = os.environ['LANTERN']
PEER = [sys.executable, os.environ['BLUEZ_VM_DIR'] + '/examples/peer.py', 'peripheral']
PEER_ADDRESS = 'F0:F1:F2:F3:F4:F5/R'
# nobody, without a capability
UNPRIVILEGED = ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups', '--inh-caps=-all']


def run(*arguments, before=(), status=0, limit=100):
    done = subprocess.run([*before, LANTERN, *arguments], capture_output=True, text=True, timeout=limit)
    assert done.returncode == status, f'{arguments}: {done.returncode}\n{done.stdout}\n{done.stderr}'
    return done.stdout + done.stderr


def events(text):
    return [json.loads(line) for line in text.splitlines() if line.startswith('{')]


def radios():
    return {event['radio']: event for event in events(run('radios', '--json'))}


def kill(name, number=signal.SIGTERM):
    process = subprocess.run(['pidof', name], capture_output=True, text=True).stdout.split()
    for one in process:
        os.kill(int(one), number)


def says(words, number, **more):
    text = run('radio', 'check', '--radio', f'hci:{number}', '--duration', '1', status=1, **more)
    assert words in text, text


def is_told_that_the_system_has_it():
    says('systemctl stop bluetooth', 0)
    assert 'systemctl stop bluetooth' in radios()['hci:0']['obstacle']
    assert not any(radio['default'] for radio in radios().values())


def is_told_that_there_is_none():
    says('there is no hci7', 7)


def gets_what_bluetoothd_lets_go():
    kill('bluetoothd')
    deadline = time.monotonic() + 60
    while not radios()['hci:0']['usable']:
        assert time.monotonic() < deadline, 'the adapter is still up'
    assert radios()['hci:0']['default'] and radios()['hci:1']['usable']


def is_told_what_permission_lacks():
    says('cap_net_admin=ep', 1, before=UNPRIVILEGED)


def checks_and_explores():
    peer = subprocess.Popen(PEER, stdout=subprocess.PIPE, text=True)
    try:
        assert 'advertising' in peer.stdout.readline()
        check = events(run('radio', 'check', '--radio', 'hci:0', '--json'))[0]
        assert check['event'] == 'radio_checked' and check['findings'][0] == 'hears', check
        assert check['public_address'] and check['buffers'] > 0 and check['command_octets'], check
        heard = events(run('scan', '--radio', 'hci:0', '--duration', '5', '--json'))
        assert any(event['name'] == 'bumble-peer' for event in heard), heard
        assert 'FlockFinder Detection' in run('gatt', 'tree', PEER_ADDRESS, '--radio', 'hci:0')
    finally:
        peer.terminate()
        peer.wait(30)


def serves_and_is_watched():
    device = subprocess.Popen([LANTERN, 'device', 'run', 'flockfinder', '--radio', 'hci:1', '--json'],
                              stdout=subprocess.PIPE, text=True)
    try:
        assert 'device_advertising' in device.stdout.readline()
        says('in use by another program', 1)
        seen = events(run('flock', 'watch', '--radio', 'hci', '--count', '3', '--json', '--database', '/tmp/flock.sqlite'))
        assert sum(event['event'] == 'detection' for event in seen) == 3, seen
    finally:
        device.send_signal(signal.SIGINT)
        device.wait(30)


def is_told_that_it_is_blocked():
    switch = next(pathlib.Path('/sys/class/bluetooth/hci1').glob('rfkill*')) / 'soft'
    switch.write_text('1')
    says('rfkill unblock bluetooth', 1)
    switch.write_text('0')


def is_told_that_it_was_unplugged():
    scan = subprocess.Popen([LANTERN, 'scan', '--radio', 'hci:0'], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(10)
    kill('btvirt')
    _, errors = scan.communicate(timeout=60)
    assert scan.returncode == 1 and 'hci0 was unplugged' in errors, f'{scan.returncode} {errors}'


TESTS = [is_told_that_the_system_has_it, is_told_that_there_is_none, gets_what_bluetoothd_lets_go,
         is_told_what_permission_lacks, checks_and_explores, serves_and_is_watched, is_told_that_it_is_blocked,
         is_told_that_it_was_unplugged]


def main():
    failures = 0
    for test in TESTS:
        try:
            test()
            print('PASS', test.__name__, flush=True)
        except Exception as error:  # The next one is tried all the same.
            failures += 1
            print('FAIL', test.__name__ + ':', type(error).__name__, error, flush=True)
    print(f'{len(TESTS) - failures} passed, {failures} failed')
    return failures


if __name__ == '__main__':
    sys.exit(1 if main() else 0)
