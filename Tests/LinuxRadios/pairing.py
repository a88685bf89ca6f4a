# SPDX-License-Identifier: Apache-2.0
"""Pairing with bluetoothd on one side, in a virtual machine (see run): lantern through it, and through it with lantern.

`lantern radio serve` makes an air. One of its controllers becomes hci0 of the machine's kernel, which bluetoothd has; another is
the radio of Bumble and of our own host, and a third hci1, for bleak, and then for our own host on a kernel's adapter.
"""
import asyncio
import contextlib
import json
import subprocess
import sys

from bleak import BleakClient, BleakScanner
from bumble.device import AdvertisingData, Device
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.hci import Address
from bumble.keys import MemoryKeyStore
from bumble.pairing import PairingConfig, PairingDelegate as IO
from bumble.transport import open_transport

from air import LANTERN, PORT, air, lantern, try_all, until_powered
from bridge import bridge

BLUEZ = ['--radio', 'bluez:hci0', '--json']
OTHER = ['--radio', f'tcp:127.0.0.1:{PORT + 1}', '--json']
PEER = 'F0:F1:F2:F3:F4:F5'
VALUE = 'a5c00001-0000-4000-8000-00805f9b34fb'
NAME = '7a5a0204-d04b-48eb-b3fa-32eb4f0ffac4'


def of(name, found):
    return [event for event in found if event['event'] == name]


class Run:
    """A run of lantern that is spoken with; its events are waited for."""

    def __init__(self, process):
        self.process, self.seen = process, []

    async def until(self, name, limit=90):
        async def look():
            while line := (await self.process.stdout.readline()).decode():
                self.seen.append(line.strip())
                if line.startswith('{') and (event := json.loads(line))['event'] == name:
                    return event
            raise AssertionError(f'it has ended: {self.seen[-3:]}')
        try:
            return await asyncio.wait_for(look(), limit)
        except asyncio.TimeoutError:
            raise AssertionError(f'{name} did not come: {self.seen[-3:]}') from None

    def say(self, line):
        self.process.stdin.write(line.encode() + b'\n')

    async def end(self):
        """Its exit status."""
        self.process.stdin.close()
        return await asyncio.wait_for(self.process.wait(), 60)


async def start(*arguments):
    return Run(await asyncio.create_subprocess_exec(
        LANTERN, *arguments, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        limit=1 << 20))


@contextlib.asynccontextmanager
async def device(*arguments):
    """One of our devices, which only those may use who have paired."""
    run = await start('device', 'run', 'nightlight', '--require-pairing', '--json', *arguments)
    try:
        await run.until('device_advertising')
        yield run
    finally:
        if run.process.returncode is None:
            run.process.terminate()
        await asyncio.wait_for(run.process.wait(), 60)


class Person(IO):
    """Shows, types and compares as it is told by what lantern prints, and the other way round."""

    def __init__(self, ability):
        super().__init__(ability)
        self.shown, self.typed, self.compared = asyncio.Future(), asyncio.Future(), None

    async def display_number(self, number, digits):
        if not self.shown.done():
            self.shown.set_result(f'{number:06}')

    async def get_number(self):
        return await self.typed

    async def compare_numbers(self, number, digits):
        self.compared = f'{number:06}'
        return True


@contextlib.asynccontextmanager
async def gadget():
    """A peripheral of Bumble with a value for those who have paired, and a function that says how it pairs from now on."""
    async with await open_transport(f'tcp-client:127.0.0.1:{PORT + 1}') as radio:
        bumble = Device.with_hci('gadget', Address(PEER), radio.source, radio.sink)
        bumble.add_service(Service(VALUE.replace('1-', '0-', 1), [Characteristic(
            VALUE, Characteristic.Properties.READ, Characteristic.READABLE | Characteristic.READ_REQUIRES_ENCRYPTION,
            CharacteristicValue(read=lambda _: b'secret'))]))
        await bumble.power_on()

        def pairs(ability=None, secure=True):
            bumble.keystore = MemoryKeyStore()
            person = None if ability is None else Person(ability)
            bumble.pairing_config_factory = lambda _: PairingConfig(
                sc=secure, mitm=person is not None, bonding=True, delegate=person,
                identity_address_type=PairingConfig.AddressType.RANDOM)
            return person

        await bumble.start_advertising(auto_restart=True, advertising_data=bytes(AdvertisingData([
            (AdvertisingData.FLAGS, bytes([6])), (AdvertisingData.COMPLETE_LOCAL_NAME, b'gadget')])))
        yield pairs


async def bonds():
    found, _ = await lantern('bonds', 'list', *BLUEZ, status=None)
    return [event['address'] for event in of('bond', found)]


async def read_secret(*more, status=0):
    found, said = await lantern('gatt', 'read', PEER + '/R', VALUE, *more, *BLUEZ, status=status)
    assert status or b'secret'.hex() in json.dumps(found), found
    return said


async def pairs_without_digits():
    async with gadget() as pairs:
        pairs()
        found, _ = await lantern('pair', PEER + '/R', '--no-input', *BLUEZ)
        [secured] = of('link_secured', found)
        assert (secured['level'], secured['key_size'], secured['bonded']) == ('encrypted', None, True), secured
        assert await bonds() == [PEER]
        await read_secret()
        await lantern('bonds', 'remove', PEER, *BLUEZ)
        assert await bonds() == []
        await read_secret('--pair')
        await lantern('bonds', 'remove', PEER, *BLUEZ)


async def is_told_that_the_device_has_forgotten():
    async with gadget() as pairs:
        pairs()
        await lantern('pair', PEER + '/R', '--no-input', *BLUEZ)
        pairs()
        print('    ', (await read_secret(status=1)).strip(), flush=True)
        # bluetoothd 5.66 dies of that, whoever connects.
        subprocess.run(['systemctl', 'restart', 'bluetooth'], check=True)
        await until_powered()
        await lantern('bonds', 'remove', PEER, *BLUEZ)
        await lantern('pair', PEER + '/R', '--no-input', *BLUEZ)
        await lantern('bonds', 'remove', PEER, *BLUEZ)


async def pairs_with_digits():
    ways = [('--keyboard', IO.DISPLAY_OUTPUT_ONLY, False), ('--display', IO.KEYBOARD_INPUT_ONLY, True),
            ('--yes-no', IO.DISPLAY_OUTPUT_AND_YES_NO_INPUT, True)]
    async with gadget() as pairs:
        for way, ability, secure in ways:
            person = pairs(ability, secure)
            run = await start('pair', PEER + '/R', way, '--require-authentication', *BLUEZ)
            question = await run.until('pairing_question')
            if way == '--keyboard':
                run.say(await person.shown)
            elif way == '--display':
                person.typed.set_result(int(question['digits']))
            else:
                run.say('y')
            secured = await run.until('link_secured')
            assert (secured['level'], secured['bonded']) == ('authenticated', True), secured
            assert person.compared == (question['digits'] if way == '--yes-no' else None)
            assert await run.end() == 0
            await lantern('bonds', 'remove', PEER, *BLUEZ)


async def is_told_that_the_digits_are_wrong():
    async with gadget() as pairs:
        person = pairs(IO.DISPLAY_OUTPUT_ONLY)
        run = await start('pair', PEER + '/R', '--keyboard', *BLUEZ)
        await run.until('pairing_question')
        run.say(f'{(int(await person.shown) + 1) % 1_000_000:06}')
        assert await run.end() == 1
        said = (await run.process.stdout.read()).decode()
        assert 'refused to pair' in said, said
        assert await bonds() == []


async def lamp_of(radio):
    for _ in range(6):
        found, _ = await lantern('scan', '--json', '--duration', '4', *radio, status=None)
        for event in of('advertisement', found):
            if event.get('name') == 'Nightlight':
                return event['address'] + '/' + event['address_kind'][0].upper()
    raise AssertionError('the lamp is not heard')


async def serves_who_has_paired():
    async with device('--passkey', 'new', *BLUEZ[:2]) as lamp:
        address = await lamp_of(OTHER)
        _, said = await lantern('gatt', 'read', address, NAME, *OTHER, status=1)
        assert 'Pair with it' in said, said
        run = await start('pair', address, '--keyboard', *OTHER)
        question, _ = await asyncio.gather(lamp.until('pairing_question'), run.until('pairing_question'))
        run.say(question['digits'])
        secured = await run.until('link_secured')
        assert (secured['level'], secured['key_size']) == ('secure_connections', 16), secured
        assert await run.end() == 0
        told = await lamp.until('link_secured')
        assert (told['level'], told['bonded']) == ('authenticated', True), told
        await lantern('gatt', 'read', address, NAME, *OTHER)
        # The client forgets, and pairs anew.
        await lantern('bonds', 'remove', address.split('/')[0], '--json')


async def refuses_digits_that_are_chosen():
    _, said = await lantern('device', 'run', 'nightlight', '--require-pairing', '--passkey', '123456', *BLUEZ, status=1)
    assert 'choosing the six digits' in said, said


async def is_paired_by_bleak():
    async with device(*BLUEZ[:2]) as lamp:
        found = await BleakScanner.find_device_by_name('Nightlight', 60, bluez={'adapter': 'hci1'})
        assert found, 'bleak does not hear it'
        async with BleakClient(found, bluez={'adapter': 'hci1'}, timeout=60) as client:
            await client.pair()
            await client.write_gatt_char(NAME, b'Mimi', response=True)
            assert bytes(await client.read_gatt_char(NAME)) == b'Mimi'
        await lamp.until('link_secured')


async def is_paired_by_bluetoothctl():
    # Our own host on an adapter of the kernel, which bluetoothd lets go.
    subprocess.run(['hciconfig', 'hci1', 'down'], check=True)
    async with device('--passkey', '012345', '--radio', 'hci:1') as lamp:
        address = (await lamp_of(BLUEZ[:2])).split('/')[0]
        talk = await asyncio.create_subprocess_exec(
            'bluetoothctl', '--agent', 'KeyboardOnly', stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT)
        said = b''
        try:
            for line, answer in [('scan le', f'Device {address}'), (f'pair {address}', 'Enter passkey'), ('012345', 'Pairing successful'),
                                 (f'disconnect {address}', 'Successful disconnected'), ('quit', '')]:
                said = b''
                talk.stdin.write(line.encode() + b'\n')
                while answer.encode() not in said:
                    piece = await asyncio.wait_for(talk.stdout.read(4096), 60)
                    assert piece, f'{line}: it has ended'
                    said += piece
        except TimeoutError:
            raise AssertionError(f'{line}: {said[-1500:]}') from None
        finally:
            if talk.returncode is None:
                talk.kill()
        secured = await lamp.until('link_secured')
        assert (secured['level'], secured['bonded']) == ('secure_connections', True), secured
        # Whoever has paired may read, through lantern as well.
        await lantern('gatt', 'read', address + '/R', NAME, *BLUEZ)


TESTS = [
    (pairs_without_digits, 'a device pairs with nothing to enter, and is forgotten'),
    (pairs_with_digits, 'six digits are typed, shown and compared'),
    (is_told_that_the_digits_are_wrong, 'wrong digits are said'),
    (serves_who_has_paired, 'a device behind bluetoothd serves who has paired'),
    (refuses_digits_that_are_chosen, 'digits cannot be chosen, and that is said'),
    (is_paired_by_bleak, 'bleak pairs with a device behind bluetoothd'),
    (is_told_that_the_device_has_forgotten, 'a device has forgotten us'),
    (is_paired_by_bluetoothctl, 'bluetoothctl pairs with a device on an adapter of the kernel'),
]


async def main():
    async with air('--controllers', '3', '--devices', 'none'), bridge(PORT):
        await asyncio.sleep(1)
        async with bridge(PORT + 2):
            await asyncio.sleep(1)
            await until_powered()
            return await try_all(TESTS)


if __name__ == '__main__':
    sys.exit(1 if asyncio.run(main()) else 0)
