# SPDX-License-Identifier: Apache-2.0
"""lantern as a central through bluetoothd, in a virtual machine (see run).

`lantern radio serve` makes an air with simulated devices. One of its controllers becomes hci0 of the machine's kernel
through /dev/vhci; `lantern --radio bluez` asks bluetoothd to use it.
"""
import asyncio
import json
import os
import sys

from air import LANTERN, PORT, air, lantern, try_all, until_powered
from bridge import bridge
from machine import ask_hub, eventually, hub, until_hub_is

TESTS_OF_SWIFT = os.environ.get('TESTS')
RADIO = ['--radio', 'bluez']


class Found:
    """The devices by their names."""
    addresses = {}

    @classmethod
    def device(cls, part):
        return next(address for name, address in cls.addresses.items() if part in name.lower())


async def scans():
    events, _ = await lantern('scan', '--json', '--duration', '8', *RADIO)
    for event in events:
        if event.get('name'):
            Found.addresses[event['name']] = event['address'] + '/' + event['address_kind'][0].upper()
    print('    ', Found.addresses, flush=True)
    assert len(Found.addresses) >= 3, events[:3]
    assert any(event.get('rssi') is not None for event in events), 'no strength was told'


async def explores():
    events, _ = await lantern('gatt', 'tree', Found.device('night'), '--json', *RADIO)
    text = json.dumps(events).lower()
    for uuid in ('7a5a0000-d04b-48eb-b3fa-32eb4f0ffac4', '7a5a0201-d04b-48eb-b3fa-32eb4f0ffac4', '2a19'):
        assert uuid in text, f'{uuid} is not in {text[:2000]}'


async def reads_and_writes():
    address = Found.device('night')
    name = '7a5a0204-d04b-48eb-b3fa-32eb4f0ffac4'
    await lantern('gatt', 'write', address, name, '4d696d69', '--json', *RADIO)
    events, _ = await lantern('gatt', 'read', address, name, '--json', *RADIO)
    assert '4d696d69' in json.dumps(events).lower(), events


async def is_refused():
    week = '7a5a0201-d04b-48eb-b3fa-32eb4f0ffac4'
    _, errors = await lantern('gatt', 'write', Found.device('night'), week, 'ff', '--json', *RADIO, status=1)
    assert 'refused' in errors, errors
    print('    ', errors.strip())


async def talks_in_the_shell():
    process = await asyncio.create_subprocess_exec(
        LANTERN, 'gatt', 'shell', Found.device('night'), '--json', *RADIO, stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE)
    name = '7a5a0204-d04b-48eb-b3fa-32eb4f0ffac4'
    said, _ = await asyncio.wait_for(
        process.communicate(f'connect\nwrite {name} 4f746865\nread {name}\ndisconnect\n'.encode()), 120)
    answers = [json.loads(line) for line in said.decode().splitlines() if '"shell_answer"' in line]
    assert process.returncode == 0 and len(answers) == 4 and all(answer['ok'] for answer in answers), said
    assert '4f746865' in json.dumps(answers[2]).lower(), answers


async def shows_the_lamp():
    events, _ = await lantern('nightlight', 'show', Found.device('night'), '--json', *RADIO)
    assert events, 'nothing was shown'


async def watches():
    events, _ = await lantern('gatt', 'watch', Found.device('flock'), 'beb5483e-36e1-4688-b7f5-ea07361b26a8', '--count', '3',
                              '--json', *RADIO)
    assert sum(event.get('event') == 'value_received' for event in events) == 3, events


async def uses_our_products():
    await lantern('wifi', 'provision', Found.device('wifiset'), '--ssid', 'Corner Café', '--open', '--yes', '--json', *RADIO)
    await lantern('bulb', 'color', Found.device('triones'), 'orange', '--json', *RADIO)
    events, _ = await lantern('flock', 'watch', '--count', '2', '--json', '--database', '/tmp/flock.sqlite', *RADIO)
    assert sum(event['event'] == 'detection' for event in events) == 2, events


async def hears_overflow_areas():
    events, _ = await lantern('overflow', 'scan', '--duration', '5', '--json', *RADIO)
    assert events, 'nothing was heard'


async def is_the_radio_of_a_hub():
    def use():
        with hub(*RADIO):
            until_hub_is('scanning')
            eventually(lambda: len(ask_hub('/detections')['items']) > 2, 'nothing is detected', 90)
            heard = {device.get('name') for device in ask_hub('/devices')['items']}
            assert {'Nightlight', 'ESP32-WiFiSet'} <= heard, heard
    await asyncio.to_thread(use)


async def is_chosen_without_a_word():
    events, _ = await lantern('radios', '--json')
    bluez = next(event for event in events if event['radio'] == 'bluez:hci0')
    assert bluez['usable'] and bluez['default'], events
    events, _ = await lantern('scan', '--json', '--duration', '3')
    assert events, 'nothing was heard'


async def survives_a_new_bluetoothd():
    await watch_goes_on('systemctl restart bluetooth')


async def survives_being_switched_off():
    await watch_goes_on('bluetoothctl power off && sleep 3 && bluetoothctl power on')


async def watch_goes_on(change):
    """A watch brings detections after bluetoothd or its adapter was away."""
    watch = await asyncio.create_subprocess_exec(
        LANTERN, 'flock', 'watch', '--json', '--database', '/tmp/again.sqlite', *RADIO, stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
    try:
        async def detections(count, seen=0):
            while seen < count:
                line = await asyncio.wait_for(watch.stdout.readline(), 60)
                assert line, 'the watch has ended'
                seen += b'"detection"' in line
        await detections(1)
        away = await asyncio.create_subprocess_shell(change, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL)
        assert await away.wait() == 0
        # What was on its way before does not count.
        await asyncio.sleep(5)
        while True:
            try:
                line = await asyncio.wait_for(watch.stdout.readline(), 0.2)
            except asyncio.TimeoutError:
                break
            assert line, 'the watch has ended'
        await detections(1)
    finally:
        watch.terminate()
        await watch.wait()


async def behaves():
    """The behaviours of Tests/RadioBehaviourTests, with our own host on the air as the other radio."""
    if not TESTS_OF_SWIFT:
        return
    process = await asyncio.create_subprocess_exec(
        TESTS_OF_SWIFT, '--testing-library', 'swift-testing', '--filter', 'BehaviourTests/overRealRadios',
        env={**os.environ, 'LANTERN_RADIO': 'bluez:hci0', 'LANTERN_OTHER_RADIO': f'tcp:127.0.0.1:{PORT + 1}'},
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
    output, _ = await process.communicate()
    said = [line for line in output.decode().splitlines() if '◇' not in line]
    assert process.returncode == 0, '\n'.join(said)
    print('    ', said[-1], flush=True)


async def tells_what_is_missing():
    _, errors = await lantern('scan', '--json', '--duration', '1', '--radio', 'bluez:hci7', status=1)
    assert 'no adapter hci7' in errors, errors


TESTS = [
    (scans, 'devices are heard'),
    (explores, 'the services of a device are shown'),
    (reads_and_writes, 'a value is written and read'),
    (is_refused, 'what the device refuses is told with its reason'),
    (talks_in_the_shell, 'one talks to a device in the shell'),
    (shows_the_lamp, 'a nightlight is shown'),
    (watches, 'values that a device notifies come'),
    (uses_our_products, 'a module gets its network, a bulb its colour, detections come'),
    (hears_overflow_areas, 'overflow areas are heard'),
    (is_the_radio_of_a_hub, 'a hub hears and uses what is there'),
    (is_chosen_without_a_word, 'BlueZ is the default'),
    (survives_a_new_bluetoothd, 'a watch goes on with a new bluetoothd'),
    (survives_being_switched_off, 'a watch goes on when its adapter is on again'),
    (behaves, 'what our own host does as a central, BlueZ does'),
    (tells_what_is_missing, 'what BlueZ does not have is told'),
]


async def main():
    async with air('--controllers', '2', '--devices', 'all'), bridge(PORT):
        await until_powered()
        return await try_all(TESTS)


if __name__ == '__main__':
    sys.exit(1 if asyncio.run(main()) else 0)
