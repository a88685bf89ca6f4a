# SPDX-License-Identifier: Apache-2.0
"""lantern on an adapter, and through bluetoothd, beside bleak: time and CPU of a value read and of one notified, as ratios.

bluetoothd has hci0, lantern alone hci1; they read from our lamp on hci2 and are notified by a peer of Bumble. Time is from the
first value to the last; CPU is the difference of a long and a short run, so that starting and connecting is not in it, and
has that of bluetoothd and of the bus where they are used. Runs take turns, medians are shown.
"""
import asyncio
import contextlib
import datetime
import os
import resource
import statistics
import subprocess
import sys
import time

from bleak import BleakClient, BleakScanner

from machine import LANTERN, PEER, PEER_ADDRESS, beside, events, run, system, until_set_up

LAMP_CHILD = '7a5a0204-d04b-48eb-b3fa-32eb4f0ffac4'
STREAM = 'beb5483e-36e1-4688-b7f5-ea07361b26a8'
ROUNDS, READS, VALUES = 3, (20, 220), (50, 650)
RADIOS = {'hci:1': 'hci:1', 'bluez': 'bluez:hci0'}


async def find(address):
    """The device as bluetoothd has it. The kernel misses a report now and then, and btvirt gives one a scan."""
    device = None
    while device is None:
        device = await BleakScanner.find_device_by_address(address, timeout=5, bluez={'adapter': 'hci0'})
    return device


async def use_bleak(what, address, count):
    """Prints the seconds from the first value to the last."""
    device = await find(address)
    moments, everything = [], asyncio.Event()

    def receive(_, value):
        moments.append(time.monotonic())
        if len(moments) == count:
            everything.set()
    async with BleakClient(device, timeout=60) as client:
        if what == 'read':
            for _ in range(count):
                receive(LAMP_CHILD, await client.read_gatt_char(LAMP_CHILD))
        else:
            await client.start_notify(STREAM, receive)
            await everything.wait()
    print(moments[count - 1] - moments[0])


def seconds_between_events(said, name):
    times = [datetime.datetime.fromisoformat(event['time']) for event in events(said) if event['event'] == name]
    return (times[-1] - times[0]).total_seconds()


def command(who, what, address, count):
    """What uses the device, and what goes to its standard input."""
    if who == 'bleak':
        return [sys.executable, __file__, what, address, str(count)], ''
    if what == 'read':
        # The answer to `connect` is the first one.
        return ([LANTERN, 'gatt', 'shell', f'{address}/R', '--radio', RADIOS[who], '--json'],
                'connect\n' + f'read {LAMP_CHILD}\n' * (count - 1))
    watch = [LANTERN, 'gatt', 'watch', f'{address}/R', STREAM, '--count', str(count), '--radio', RADIOS[who], '--json']
    return watch, ''


def daemon_seconds():
    """CPU of bluetoothd and of the bus."""
    seconds = 0
    for name in ('bluetoothd', 'dbus-daemon'):
        for process in subprocess.run(['pidof', name], capture_output=True, text=True).stdout.split():
            with open(f'/proc/{process}/stat') as file:
                fields = file.read().rsplit(')', 1)[1].split()
            seconds += (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')
    return seconds


def cost(*arguments):
    """Wall and CPU seconds of a run; one that fails is done again, as bluetoothd now and then loses a link at once."""
    for _ in range(8):
        with contextlib.suppress(subprocess.CalledProcessError):
            return cost_of_one(*arguments)
    raise AssertionError(f'{arguments} failed eight times')


def cost_of_one(who, what, address, count):
    words, give = command(who, what, address, count)
    if who == 'bluez':
        # lantern waits for it for ten seconds only.
        asyncio.run(find(address))
    before, daemons = resource.getrusage(resource.RUSAGE_CHILDREN), daemon_seconds()
    said = subprocess.run(words, input=give, text=True, stdout=subprocess.PIPE, check=True, timeout=200).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if who != 'hci:1':
        cpu += daemon_seconds() - daemons
    if who == 'bleak':
        return float(said), cpu
    return seconds_between_events(said, 'shell_answer' if what == 'read' else 'value_received'), cpu


def compare(what, address, counts):
    figures = {'hci:1': [], 'bluez': [], 'bleak': []}
    for _ in range(ROUNDS):
        for who, found in figures.items():
            (_, little), (wall, much) = (cost(who, what, address, count) for count in counts)
            found.append([wall / (counts[1] - 1) * 1000, (much - little) / (counts[1] - counts[0]) * 1000])
    medians = {who: [statistics.median(column) for column in zip(*found)] for who, found in figures.items()}
    for kind, ours, through, theirs in zip(('wall', 'CPU'), *medians.values()):
        ratios = f'{ours / theirs:6.2f} {through / theirs:6.2f}'
        print(f'{what:<7} {kind:<5} {ours:9.2f} ms {through:9.2f} ms {theirs:9.2f} ms   {ratios}', flush=True)


def main():
    until_set_up(3)
    # bluetoothd would take back each adapter that lantern lets go.
    system('sed', '-i', 's/^#*AutoEnable=.*/AutoEnable=false/', '/etc/bluetooth/main.conf')
    system('systemctl', 'restart', 'bluetooth')
    for number in (1, 2):
        system('hciconfig', f'hci{number}', 'down')
    system('hciconfig', 'hci0', 'up')
    print('a value               hci:1        bluez        bleak   hci:1/bleak bluez/bleak', flush=True)
    with beside(LANTERN, 'device', 'run', 'nightlight', '--radio', 'hci:2', '--json', ready='device_advertising'):
        heard = run('scan', '--radio', 'hci:1', '--duration', '5', '--name', 'Nightlight', '--json')
        compare('read', events(heard)[0]['address'], READS)
    with beside(*PEER, '--fast', ready='advertising'):
        compare('notify', PEER_ADDRESS[:17], VALUES)
    print('1 passed, 0 failed')


if len(sys.argv) > 1:
    asyncio.run(use_bleak(sys.argv[1], sys.argv[2], int(sys.argv[3])))
else:
    main()
