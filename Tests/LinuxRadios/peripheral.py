# SPDX-License-Identifier: Apache-2.0
"""lantern as a device through bluetoothd, in a virtual machine (see run).

`lantern radio serve` makes an air. One of its controllers becomes hci0 of the machine's kernel through /dev/vhci, on which
bluetoothd serves our devices; another is the radio of our own host, which uses them, and a third hci1, for bleak and
bluetoothctl.
"""
import asyncio
import contextlib
import json
import subprocess
import sys
import tempfile

from bleak import BleakClient, BleakScanner

from air import LANTERN, PORT, air, lantern, said_by, try_all, until_powered
from bridge import bridge

OTHER = ['--radio', f'tcp:127.0.0.1:{PORT + 1}']


def of(name, found):
    return [event for event in found if event['event'] == name]


@contextlib.asynccontextmanager
async def device(*arguments):
    """One of our devices behind bluetoothd; gives a function that waits for one of its events."""
    process = await asyncio.create_subprocess_exec(
        LANTERN, 'device', 'run', *arguments, '--radio', 'bluez:hci0', '--json', stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE, limit=1 << 20)
    seen = []

    async def until(word, limit=60):
        async def look():
            while line := (await process.stdout.readline()).decode():
                seen.append(line)
                if word in line:
                    return json.loads(line)
            raise AssertionError(f'it has ended: {seen[-3:]}')
        try:
            return await asyncio.wait_for(look(), limit)
        except asyncio.TimeoutError:
            raise AssertionError(f'{word} did not come: {seen[-3:]}') from None

    try:
        await until('device_advertising')
        yield until
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(2)
        try:
            await asyncio.wait_for(process.wait(), 30)
        except asyncio.TimeoutError:
            process.kill()
            raise AssertionError('it does not end') from None


async def address(name):
    for _ in range(6):
        found, _ = await lantern('scan', '--json', '--duration', '4', *OTHER, status=None)
        for event in of('advertisement', found):
            if event.get('name') == name:
                return event['address'] + '/' + event['address_kind'][0].upper()
    raise AssertionError(f'{name} is not heard')


async def is_heard():
    async with device('flockfinder'):
        found, _ = await lantern('scan', '--json', '--duration', '6', *OTHER)
        heard = [event for event in of('advertisement', found) if event.get('name')]
        assert any('Flock' in event['name'] for event in heard), found[-3:]
        assert any(event.get('connectable') for event in heard), heard
    found, _ = await lantern('scan', '--json', '--duration', '4', *OTHER, status=None)
    assert not [event for event in of('advertisement', found) if 'Flock' in (event.get('name') or '')], 'it is still heard'


async def sends_detections():
    async with device('flockfinder'):
        with tempfile.TemporaryDirectory() as folder:
            found, _ = await lantern(
                'flock', 'watch', '--count', '3', '--json', '--database', f'{folder}/x.sqlite', *OTHER)
        assert len(of('detection', found)) == 3, found


async def is_read_and_written():
    name = '7a5a0204-d04b-48eb-b3fa-32eb4f0ffac4'
    async with device('nightlight'):
        lamp = await address('Nightlight')
        tree, _ = await lantern('gatt', 'tree', lamp, '--json', *OTHER)
        assert name in json.dumps(tree).lower() and '2a19' in json.dumps(tree).lower(), tree
        await lantern('gatt', 'write', lamp, name, '4d696d69', '--json', *OTHER)
        found, _ = await lantern('gatt', 'read', lamp, name, '--json', *OTHER)
        assert '4d696d69' in json.dumps(found).lower(), found
        # More than an MTU of 23 holds, both ways.
        await lantern('gatt', 'write', lamp, name, '61' * 30, '--json', *OTHER, status=None)
        shown, _ = await lantern('nightlight', 'show', lamp, '--json', *OTHER)
        assert of('lamp_state', shown), shown


async def refuses():
    async with device('nightlight'):
        lamp = await address('Nightlight')
        _, said = await lantern('gatt', 'write', lamp, '7a5a0201-d04b-48eb-b3fa-32eb4f0ffac4', 'ff' * 40, *OTHER, status=1)
        assert 'refused' in said, said


async def is_a_bulb():
    async with device('bulb'):
        bulb = await address('Triones-0B02')
        await lantern('bulb', 'color', bulb, '#ff8800', '--json', *OTHER)


async def gets_a_network():
    for kind, name in ('wifiset', 'ESP32-WiFiSet'), ('improv', 'Lantern Improv'):
        async with device(kind):
            await lantern('wifi', 'provision', await address(name), '--ssid', 'Corner Café', '--open', '--yes', '--json', *OTHER)


async def sends_an_overflow_area():
    process = await asyncio.create_subprocess_exec(
        LANTERN, 'overflow', 'advertise', '--uuid', '180d', '--duration', '40', '--radio', 'bluez:hci0',
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL)
    try:
        await asyncio.sleep(5)
        found, _ = await lantern('overflow', 'scan', '--duration', '8', '--json', *OTHER)
        assert found, 'nothing was heard'
    finally:
        process.terminate()
        await process.wait()


async def is_used_by_bleak():
    stream, command = ('beb5483e-36e1-4688-b7f5-ea07361b26' + end for end in ('a8', 'a9'))
    async with device('flockfinder'):
        found = await BleakScanner.find_device_by_filter(
            lambda device, told: 'Flock' in (told.local_name or ''), 30, bluez={'adapter': 'hci1'})
        assert found, 'bleak does not hear it'
        came = asyncio.Queue()
        async with BleakClient(found, bluez={'adapter': 'hci1'}, timeout=30) as client:
            await client.start_notify(stream, lambda _, value: came.put_nowait(bytes(value)))
            await client.write_gatt_char(command, b'PING', response=True)
            text = b''
            while b'}' not in text:
                text += await asyncio.wait_for(came.get(), 30)
            await client.stop_notify(stream)
        print('    ', text[:80], flush=True)


async def is_used_by_bluetoothctl():
    name = '7a5a0204-d04b-48eb-b3fa-32eb4f0ffac4'
    async with device('nightlight'):
        lamp = (await address('Nightlight')).split('/')[0]
        adapters = [word for word in (await said_by('bluetoothctl', 'list')).split() if word.count(':') == 5]
        second = next(adapter for adapter in adapters if adapter != lamp)
        talk = await asyncio.create_subprocess_exec(
            'bluetoothctl', stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
        said = b''
        try:
            for line, answer in [(f'select {second}', ''), ('scan le', f'Device {lamp}'), (f'connect {lamp}', 'ServicesResolved: yes'),
                                 ('menu gatt', 'Menu gatt'), (f'select-attribute {name}', ':/service'), ('read', 'Attempting to read'), ('back', 'Menu main'),
                                 (f'disconnect {lamp}', 'Successful disconnected'), ('quit', '')]:
                said = b''
                talk.stdin.write(line.encode() + b'\n')
                while answer.encode() not in said:
                    piece = await asyncio.wait_for(talk.stdout.read(4096), 60)
                    assert piece, f'{line}: it has ended'
                    said += piece
        except TimeoutError:
            raise AssertionError(f'{line}: {said[-1500:]}') from None
        finally:
            talk.kill()


async def goes_on_with_a_new_bluetoothd():
    async with device('nightlight'):
        lamp = await address('Nightlight')
        subprocess.run(['systemctl', 'restart', 'bluetooth'], check=True)
        await until_powered()
        lamp = await address('Nightlight')
        await lantern('nightlight', 'show', lamp, '--json', *OTHER)


TESTS = [
    (is_heard, 'a device is heard, and no more when it has ended'),
    (sends_detections, 'a FlockFinder sends detections'),
    (is_read_and_written, 'a nightlight is read and written'),
    (refuses, 'a nightlight refuses what makes no sense'),
    (is_a_bulb, 'a bulb gets its colour'),
    (gets_a_network, 'a module gets its network'),
    (sends_an_overflow_area, 'an overflow area is sent'),
    (is_used_by_bleak, 'bleak uses a FlockFinder'),
    (is_used_by_bluetoothctl, 'bluetoothctl uses a nightlight'),
    (goes_on_with_a_new_bluetoothd, 'a device goes on with a new bluetoothd'),
]


async def main():
    # hci0 for our devices, hci1 for other programs that use them.
    async with air('--controllers', '3', '--devices', 'none'), bridge(PORT):
        await asyncio.sleep(1)
        async with bridge(PORT + 2):
            await asyncio.sleep(1)
            await until_powered()
            return await try_all(TESTS)


if __name__ == '__main__':
    sys.exit(1 if asyncio.run(main()) else 0)
