# SPDX-License-Identifier: Apache-2.0
"""What people do with lantern, over the kernel's adapter hci0: the devices are ours on hci1, and Bumble's."""
import contextlib
import json
import tempfile
import time

from machine import (LANTERN, PEER_ADDRESS, ask_hub, beside, bumble, device, events, eventually, hub, main, radios, run, system,
                     until_hub_is)

RADIO = ['--radio', 'hci:0']


def of(name, text):
    return [event for event in events(text) if event['event'] == name]


def address(name):
    """Who is heard with a name."""
    end = time.monotonic() + 60
    while True:
        heard = of('advertisement', run('scan', *RADIO, '--duration', '2', '--name', name, '--json', status=None))
        if heard:
            return heard[0]['address'] + '/' + heard[0]['address_kind'][0].upper()
        assert time.monotonic() < end, f'{name} is not heard'


def run_connected(*arguments, give=None):
    """Runs a command that connects to Bumble's peripheral.

    btvirt connects to who advertises at that very moment only, so an attempt is missed now and then.
    """
    for _ in range(3):
        said = run(*arguments, give=give, status=None)
        if 'did not answer within' not in said:
            return said
    raise AssertionError(f'{arguments}: {said}')


def has_the_adapters():
    # What bluetoothd has, nobody else gets.
    system('systemctl', 'stop', 'bluetooth')
    eventually(lambda: all(radios()[name]['usable'] for name in ('hci:0', 'hci:1')), 'an adapter is still up')


def scans():
    with bumble():
        assert address('bumble-peer') == PEER_ADDRESS


def explores():
    with bumble():
        tree = run_connected('gatt', 'tree', PEER_ADDRESS, *RADIO)
        assert 'FlockFinder Detection' in tree and '68 65 6c 6c 6f' in tree, tree
        watched = of('value_received', run_connected('gatt', 'watch', PEER_ADDRESS, 'beb5483e-36e1-4688-b7f5-ea07361b26a8',
                                                     *RADIO, '--count', '3', '--json'))
        assert [bytes.fromhex(event['octets'])[:4] for event in watched] == [b'tick'] * 3, watched


def talks_in_the_shell():
    with bumble():
        said = of('shell_answer', run_connected('gatt', 'shell', PEER_ADDRESS, *RADIO, '--json', give=(
            'connect\nread beb5483e-36e1-4688-b7f5-ea07361b26a8\n'
            'write beb5483e-36e1-4688-b7f5-ea07361b26a8 0102\ndisconnect\n')))
        assert len(said) == 4 and all(answer['ok'] for answer in said), said
        assert '68656c6c6f' in json.dumps(said[1]), said[1]


def watches_for_cameras():
    with device('flockfinder'), tempfile.TemporaryDirectory() as folder:
        seen = of('detection', run('flock', 'watch', *RADIO, '--count', '3', '--json', '--database', f'{folder}/x.sqlite'))
        assert len(seen) == 3, seen
        kept = run('detections', 'list', '--database', f'{folder}/x.sqlite', '--json')
        assert len(events(kept)) == 3, kept


def gives_a_device_its_network():
    with tempfile.NamedTemporaryFile('w', suffix='.json') as file:
        json.dump({'networks': [{'ssid': 'Home', 'password': 'lantern-home', 'security': 'wpa2', 'rssi': -50}]}, file)
        file.flush()
        with device('wifiset', '--networks', file.name):
            them = address('WiFiSet')
            assert 'Home' in run('wifi', 'networks', them, *RADIO)
            arguments = ['wifi', 'provision', them, '--ssid', 'Home', '--password-stdin', '--yes', *RADIO]
            assert 'password' in run(*arguments, give='wrong-password\n', status=1)
            run(*arguments, give='lantern-home\n')


def shows_a_lamp():
    with device('nightlight'):
        them = address('Nightlight')
        shown = run('nightlight', 'show', them, *RADIO)
        assert 'without a name' in shown and 'battery' in shown, shown
        run('nightlight', 'name', them, 'Ada', *RADIO)
        assert 'Ada' in run('nightlight', 'show', them, *RADIO)


def colours_a_bulb():
    with device('bulb', '--dialect', 'triones') as bulb:
        run('bulb', 'color', address('Triones'), 'ff8800', *RADIO)
        bulb.until('ff8800')


def hears_a_phone():
    with device('iphone'):
        heard = events(run('overflow', 'scan', *RADIO, '--duration', '8', '--json'))
        assert heard, 'nothing was heard'


def is_a_phone():
    advertise = [LANTERN, 'overflow', 'advertise', '01020304', '--codec', 'v2', '--radio', 'hci:1', '--json']
    with beside(*advertise, ready='{'):
        heard = run('overflow', 'scan', *RADIO, '--duration', '8', '--json')
        assert '01020304' in heard, heard


def is_a_hub():
    with hub(*RADIO):
        until_hub_is('scanning')
        # btvirt reports an advertiser once. A hub that was just connecting to the one before needs another.
        for _ in range(6):
            with device('flockfinder'), contextlib.suppress(AssertionError):
                return eventually(lambda: len(ask_hub('/detections')['items']) > 2, 'nothing is detected', 15)
        raise AssertionError(f'nothing is detected: {ask_hub("/devices")}')


if __name__ == '__main__':
    main([has_the_adapters, scans, explores, talks_in_the_shell, watches_for_cameras, gives_a_device_its_network, shows_a_lamp, colours_a_bulb,
          hears_a_phone, is_a_phone, is_a_hub])
